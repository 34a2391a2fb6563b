// Sends that are shorter than any header of their kind.

#include "base/counted.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

namespace v1 = rpcrdma::v1;
namespace v2 = rpcrdma::v2;

constexpr uint32_t kErrorCodeEnd = 20;  // bytes up to and with rdma_err
constexpr uint32_t kExtraEnd = 52;      // and with rdma_extra, which RFC 5666 §4.3 has after other codes

Outcome check_short_send(const flow::Message& message, Report& report) {
  if (message.length < rpcrdma::fixed_header_length) {
    report("Send of {}, but the fixed header alone takes {}", base::counted(message.length, "byte"),
           rpcrdma::fixed_header_length)
        .in({0, message.length});
  }
  return Outcome::done;
}

// The least header of an RDMA_ERROR. Before its code is known, the least of all.
uint32_t least_error(const rpcrdma::TransportHeader& h, bool rfc5666) {
  if (h.error_v1) {
    const bool to_come = rfc5666 && h.version == 1 && text(h.error_v1->code).empty();
    return h.error_v1->code == v1::ErrorCode::vers ? 28 : to_come ? kExtraEnd : kErrorCodeEnd;
  }
  if (h.error_v2) {
    return h.error_v2->code == v2::ErrorCode::vers         ? 28
           : h.error_v2->code == v2::ErrorCode::cant_reply ? 32
                                                           : kErrorCodeEnd;
  }
  return kErrorCodeEnd;
}

// Bytes of the least header with this version and procedure; 0: nothing beyond the fixed words.
uint32_t least_header(const rpcrdma::TransportHeader& h, bool rfc5666) {
  if (h.is_error()) {
    return least_error(h, rfc5666);
  }
  if (h.version == 1) {
    return h.is(v1::Proc::msgp) ? 36 : h.conveys_rpc() ? 28 : 0;
  }
  return h.conveys_rpc() ? 36 : h.is(v2::Proc::optional) ? 28 : 0;
}

Outcome check_short_header(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (message.length < rpcrdma::fixed_header_length) {
    return Outcome::not_applicable;
  }
  if (!fixed_header_captured(message)) {
    return Outcome::undecided;
  }
  const uint32_t least = least_header(h, report.rfc5666());
  if (least == 0) {
    return Outcome::not_applicable;
  }
  if (message.length < least) {
    const auto code = h.error_code();
    report("{}{}{} is {} bytes, but its header takes at least {}",
           rpcrdma::procedure_name(h.version, h.procedure), code ? " with " : "",
           code ? rpcrdma::error_name(h.version, *code) : "", message.length, least)
        .in({0, message.length});
    return Outcome::done;
  }
  return h.is_error() && !h.error_code() ? Outcome::undecided : Outcome::done;
}

}  // namespace

constinit const Rule short_send = {
    .id = "HDR-01",
    .name = "send-shorter-than-fixed-header",
    .source = {"RFC 8166", "4.2"},
    .message = check_short_send,
    .plain_message = plain::kept,
};

constinit const Rule short_header = {
    .id = "HDR-02",
    .name = "header-shorter-than-its-kind",
    .source = {"RFC 8166", "4.1.2"},
    .also = "version-two-02",
    .message = check_short_header,
    .plain_message = plain::kept,
};

}  // namespace steertag::rules
