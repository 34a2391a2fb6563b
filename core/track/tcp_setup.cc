#include "track/tcp_setup.h"

#include "rdma/iwarp/opening.h"
#include "wire/reader.h"

namespace steertag::track {
namespace {

// A record of RPC over TCP that holds the beginning of a Call to NFS: its length, the XID, CALL, RPC version
// two, the program.
bool begins_nfs_call(Bytes data) {
  constexpr size_t kSize = 20;
  constexpr uint32_t kCall = 0, kRpcVersion = 2, kNfs = 100003;
  const auto word = [&](size_t at) { return wire::big_endian<uint32_t>(data.data() + at); };
  return data.size() >= kSize && word(8) == kCall && word(12) == kRpcVersion && word(16) == kNfs;
}

void note(std::vector<Stamp>& some, const Stamp& at) {
  const bool again = !some.empty() && at.time_ns - some.back().time_ns < TcpSetup::kResent_ns;
  if (!again && some.size() < TcpSetup::kMostAsked) {
    some.push_back(at);
  }
}

}  // namespace

void TcpSetup::listen(rdma::Side from, const link::Packet& segment, const Stamp& at) {
  const link::TcpFields& tcp = segment.tcp;
  const size_t own = rdma::index(from), other = 1 - own;
  const uint32_t first = tcp.sequence + (tcp.syn ? 1 : 0);
  if (!begin_[own] && !tcp.rst) {
    begin_[own] = first;
  }
  if (!first_data[own] && segment.payload_length != 0) {
    first_data[own] = at;
  }
  spoke[own] |= segment.payload_length != 0 || (!tcp.rst && first != begin_[own]);
  from_syn[own] |= tcp.syn;
  constexpr int32_t kFin = 1;  // counts as a byte
  spoke[other] |=
      tcp.ack && begin_[other] && static_cast<int32_t>(tcp.acknowledgment - *begin_[other]) > kFin;
}

void TcpSetup::on_icmp(rdma::Side from, const link::IcmpError& error, const Stamp& at) {
  const std::optional<uint32_t>& begin = begin_[rdma::index(from)];
  if (!begin || from != syn_from.value_or(from)) {
    return;
  }
  const bool syn = from_syn[rdma::index(from)] && error.quote.sequence == *begin - 1;
  const bool of_data = error.quote.sequence == *begin && !requests.empty();
  std::optional<Error>& kept = syn ? syn_error : request_error;
  if ((syn || of_data) && !kept) {
    kept = Error{error, at};
    kept->error.quote.data = {};
  }
}

void TcpSetup::on_segment(rdma::Side from, const link::Packet& segment, const Stamp& at) {
  const link::TcpFields& tcp = segment.tcp;
  listen(from, segment, at);
  if (tcp.syn && !tcp.ack) {
    syn_sequence = syn_from ? syn_sequence : tcp.sequence;
    syn_from = syn_from.value_or(from);
    note(syns, at);
  } else if (!tcp.rst && syn_from) {
    syn_answered = true;  // by the peer; or what this end goes on with shows it
  }
  if (tcp.syn && tcp.ack && !accepted) {
    accepted = at;
  }
  if (!replied && from == syn_from.value_or(from) && rdma::iwarp::opens_like_request(segment.payload)) {
    note(requests, at);
  }
  if (!plain_rpc && begins_nfs_call(segment.payload)) {
    plain_rpc = at;
  }
}

void TcpSetup::on_closing(rdma::Side by, bool reset, const Stamp& at) {
  if (!end) {
    end = End{.by = by, .reset = reset, .at = at};
  }
}

}  // namespace steertag::track
