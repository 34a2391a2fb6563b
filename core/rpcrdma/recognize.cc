#include "rpcrdma/recognize.h"

#include "wire/reader.h"

namespace steertag::rpcrdma {
namespace {

// MSG: the payload must open as an RPC message with the same XID, and in version
// two the same direction.
Likeness by_payload(Bytes payload, uint32_t wire_length, const TransportHeader& header) {
  RpcHeader rpc;
  const RpcDecoded decoded = decode(payload, wire_length, rpc);
  const uint32_t read = decoded.header_length;
  if (decoded.stop && decoded.stop->limit != wire::Limit::capture) {
    return Likeness::no;
  }
  if (read < 4) {
    return Likeness::maybe;
  }
  if (rpc.xid != header.xid) {
    return Likeness::no;
  }
  if (read < 8) {
    return Likeness::maybe;
  }
  if (text(rpc.type).empty() || (header.direction && *header.direction != rpc.type)) {
    return Likeness::no;
  }
  if (read >= 12 && (rpc.call() ? rpc.rpcvers != rpc_version : text(rpc.reply_stat).empty())) {
    return Likeness::no;
  }
  return Likeness::yes;
}

// ERROR, DONE: nothing may follow the header; RFC 5666 let an unknown code of
// version one carry eight words.
Likeness by_length(uint32_t wire_length, const TransportHeader& header, const Decoded& decoded) {
  constexpr uint32_t rfc5666_default_arm = 52;
  const bool fits = wire_length == decoded.header_length;
  if (header.error_v1 && text(header.error_v1->code).empty()) {
    return wire_length == rfc5666_default_arm ? Likeness::maybe : Likeness::no;
  }
  if (header.error_v2 && text(header.error_v2->code).empty()) {
    return Likeness::no;
  }
  return fits ? Likeness::maybe : Likeness::no;
}

// What follows the header of an unknown extension may be an RPC message, or any part of one.
Likeness by_extension(const v2::Optional& body, Bytes payload, uint32_t wire_length,
                      const TransportHeader& header) {
  if (text(body.direction).empty()) {
    return Likeness::no;
  }
  const bool known = !text(body.opttype).empty();
  const bool conveys = !known && by_payload(payload, wire_length, header) == Likeness::yes;
  return conveys || (known && body.info.empty()) ? Likeness::yes : Likeness::maybe;
}

}  // namespace

Likeness recognize(Bytes captured, uint32_t wire_length, const TransportHeader& header,
                   const Decoded& decoded) {
  if (decoded.header_length < fixed_header_length || !procedure_exists(header.version, header.procedure) ||
      decoded.odd_discriminator) {
    return Likeness::no;
  }
  if (decoded.stop) {
    return decoded.stop->limit == wire::Limit::capture ? Likeness::maybe : Likeness::no;
  }
  if (header.direction && text(*header.direction).empty()) {
    return Likeness::no;
  }
  const Bytes payload = slice(captured, decoded.header_length);
  const uint32_t payload_length = wire_length - decoded.header_length;
  if (header.is_msg() || header.is(v1::Proc::msgp)) {
    return by_payload(payload, payload_length, header);
  }
  if (header.is_nomsg()) {
    const bool alone = wire_length == decoded.header_length;
    return alone && !header.chunks.empty() ? Likeness::yes : Likeness::maybe;
  }
  if (!header.optional.empty()) {
    return by_extension(header.optional[0], payload, payload_length, header);
  }
  return by_length(wire_length, header, decoded);
}

Likeness recognize(Bytes captured, uint32_t wire_length) {
  TransportHeader header;
  const Decoded decoded = decode(captured, wire_length, header);
  return recognize(captured, wire_length, header, decoded);
}

}  // namespace steertag::rpcrdma
