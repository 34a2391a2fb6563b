#include "rpcrdma/config.h"

#include <catch2/catch.hpp>

#include "wire/writer.h"

using namespace steertag;
namespace config = rpcrdma::config;

namespace {

rpcrdma::RpcHeader call_of(rpcrdma::Flavor flavor, rpcrdma::GssService service = {}) {
  rpcrdma::RpcHeader call;
  call.rpcvers = 2;
  call.program = rpcrdma::program_rdmaconfig;
  call.version = call.procedure = 1;
  call.credential.flavor = flavor;
  if (flavor == rpcrdma::Flavor::gss) {
    wire::write(call.credential.body, rpcrdma::GssCredential{1, {}, 1, service, {}});
  }
  return call;
}

template <typename Body>
std::vector<uint8_t> message(const rpcrdma::RpcHeader& header, const Body& body,
                             const std::vector<uint8_t>& front = {}) {
  std::vector<uint8_t> bytes;
  rpcrdma::encode(header, bytes);
  bytes.insert(bytes.end(), front.begin(), front.end());
  wire::write(bytes, body);
  return bytes;
}

std::optional<config::Found> found_in(const std::vector<uint8_t>& bytes) {
  rpcrdma::RpcHeader header;
  const auto decoded = rpcrdma::decode(bytes, static_cast<uint32_t>(bytes.size()), header);
  return config::find(header, bytes, decoded.header_length);
}

const config::Request request{8192, 4096, 7};
const config::Reply settled{2048, 512, 3};
const std::vector<uint8_t> integrity{0, 0, 0, 16, 0, 0, 0, 1};  // length, sequence number

}  // namespace

TEST_CASE("CONF_RDMA: arguments and results") {
  CHECK(config::is_conf_rdma(100417, 1, 1));
  CHECK_FALSE(config::is_conf_rdma(100417, 2, 1));
  const auto call = found_in(message(call_of(rpcrdma::Flavor::none), request));
  REQUIRE(call);
  CHECK(call->asked == request);
  CHECK(call->at == 40);

  rpcrdma::RpcHeader reply;
  reply.type = rpcrdma::MsgType::reply;
  const auto answer = found_in(message(reply, settled));
  REQUIRE(answer);
  CHECK(answer->settled == settled);
  CHECK(answer->at == 24);
  reply.accept_stat = rpcrdma::AcceptStat::proc_unavail;
  CHECK_FALSE(found_in(message(reply, settled)));
}

TEST_CASE("CONF_RDMA: cut, or behind RPCSEC_GSS") {
  std::vector<uint8_t> cut = message(call_of(rpcrdma::Flavor::none), request);
  cut.pop_back();
  CHECK_FALSE(found_in(cut));
  using rpcrdma::Flavor;
  using rpcrdma::GssService;
  CHECK(found_in(message(call_of(Flavor::gss, GssService::none), request))->asked == request);
  CHECK(found_in(message(call_of(Flavor::gss, GssService::integrity), request, integrity))->asked == request);
  CHECK_FALSE(found_in(message(call_of(Flavor::gss, GssService::privacy), request, integrity)));
  CHECK_FALSE(found_in(message(call_of(Flavor::gss, GssService{4}), request)));  // no such service
  CHECK_FALSE(found_in(message(call_of(Flavor{0x7E090FDF}), request)));          // no such flavor

  rpcrdma::RpcHeader reply;
  reply.type = rpcrdma::MsgType::reply;
  reply.verifier.flavor = Flavor::gss;
  CHECK(found_in(message(reply, settled))->settled == settled);
  CHECK(found_in(message(reply, settled, integrity))->settled == settled);
  CHECK_FALSE(found_in(message(reply, settled, {0, 0, 0, 40, 1, 2, 3, 4})));
}

TEST_CASE("CONF_RDMA: fields stand where they are in the Send") {
  const std::vector<uint8_t> bytes = message(call_of(rpcrdma::Flavor::none), request);
  std::vector<wire::Node> nodes;
  config::outline(*found_in(bytes), bytes, 28, nodes);
  CHECK(wire::text(nodes) ==
        "maxcall_sendsize: 8192 [68+4]\nmaxreply_sendsize: 4096 [72+4]\nmaxrdmaread: 7 [76+4]\n");
}
