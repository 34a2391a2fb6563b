// Setup and end of an iWARP connection: TCP handshake, MPA Request and Reply
// (RFC 5044 §7.1, RFC 6581 §9), ready-to-receive messages, FIN and RST.
#include "scenario/iwarp_transport.h"
#include "scenario/surgery.h"
#include "wire/writer.h"

namespace steertag::scenario {

namespace iwarp = rdma::iwarp;
using iwarp::EnhancedWord;
using iwarp::SetupFrame;

// A segment without data; SYN and FIN take one sequence number.
void IwarpTransport::control(Side from, Flag what) {
  if (!next_packet()) {
    return;
  }
  Datagram* made = segment(from, Datagram::Kind::setup, {});
  made->syn = what == Flag::syn;
  made->fin = what == Flag::fin;
  made->rst = what == Flag::rst;
  if (made->syn || made->fin) {
    ++end_of(from).now.sequence;
  }
}

void IwarpTransport::setup_frame(Side from, SetupKind kind) {
  const bool reply = kind == SetupKind::reply;
  const size_t own = rdma::index(from);
  SetupFrame frame;
  frame.key = reply ? iwarp::kReplyKey : iwarp::kRequestKey;
  frame.revision = spec_.revision;
  frame.flags = static_cast<uint8_t>((spec_.markers[own] ? SetupFrame::kMarkers : 0) |
                                     (spec_.crc ? SetupFrame::kCrc : 0) |
                                     (reply && spec_.rejected ? SetupFrame::kRejected : 0));
  std::vector<uint8_t> data;
  if (spec_.revision >= 2) {
    using Rtr = ConnectionSpec::Rtr;
    frame.flags |= SetupFrame::kEnhanced;
    const auto depth = static_cast<uint16_t>(spec_.depth[own].value_or(EnhancedWord::kNotNegotiated));
    EnhancedWord word{depth, depth};
    word.ird_word |=
        static_cast<uint16_t>((spec_.rtr != Rtr::none ? 0x8000 : 0) | (spec_.rtr == Rtr::send ? 0x4000 : 0));
    word.ord_word |=
        static_cast<uint16_t>((spec_.rtr == Rtr::write ? 0x8000 : 0) | (spec_.rtr == Rtr::read ? 0x4000 : 0));
    wire::write(data, word);
  }
  const std::vector<uint8_t> consumer = private_data(spec_.private_data[own]);
  data.insert(data.end(), consumer.begin(), consumer.end());
  frame.pd_length = static_cast<uint16_t>(data.size());

  if (!next_packet()) {
    return;
  }
  std::vector<uint8_t> bytes;
  wire::write(bytes, frame);
  std::vector<wire::Node> nodes;
  SetupFrame scratch;
  const std::vector<uint8_t> header = bytes;
  wire::outline(header, header.size(), scratch, nodes);
  bytes.insert(bytes.end(), data.begin(), data.end());
  patch(nodes, bytes);
  segment(from, Datagram::Kind::setup, std::move(bytes));
}

void IwarpTransport::connect(const ConnectionSpec& spec, Side active) {
  spec_ = spec;
  reset_sequences();
  ++epoch_;
  const Side passive = rdma::other(active);
  for (const Side side : {kClient, kServer}) {
    --end_of(side).now.sequence;  // the SYN's own
  }
  control(active, Flag::syn);
  if (!out_->empty()) {
    out_->back().ack = false;
  }
  control(passive, Flag::syn);
  control(active, Flag::ack);
  setup_frame(active, SetupKind::request);
  acknowledge(passive);
  setup_frame(passive, SetupKind::reply);
  acknowledge(active);
  for (const Side side : {kClient, kServer}) {
    mark(side);
  }
  switch (spec_.rtr) {
    case ConnectionSpec::Rtr::none:
      break;
    case ConnectionSpec::Rtr::send:
      send(active, {});
      break;
    case ConnectionSpec::Rtr::write:
      write(active, {}, {}, false);
      break;
    case ConnectionSpec::Rtr::read:
      read(active, {}, {});
      break;
  }
}

void IwarpTransport::disconnect(Side from, bool reset) {
  const Side peer = rdma::other(from);
  if (reset) {
    return control(from, Flag::rst);
  }
  control(from, Flag::fin);
  control(peer, Flag::fin);
  control(from, Flag::ack);
}

}  // namespace steertag::scenario
