// Messages other than Calls and Replies, and what all Sends share: header,
// payload and surgery combined.
#include <fmt/core.h>

#include "scenario/stage.h"
#include "scenario/surgery.h"

namespace steertag::scenario {

using What = MessageLine::What;
namespace v1 = rpcrdma::v1;
namespace v2 = rpcrdma::v2;

void Stage::message(const Statement& at, const MessageLine& line, Ahead ahead) {
  switch (line.what) {
    case What::call:
      return call(at, line);
    case What::reply:
      return reply(at, line, ahead);
    case What::error:
      return error(at, line);
    case What::done:
      return done(at, line);
    case What::optional:
      return optional(at, line);
    case What::raw:
      break;
  }
  std::vector<uint8_t> bytes = line.raw;
  operate(line.surgery, bytes, problem_);
  const auto invalidate = line.invalidate ? std::optional(handle_of(*line.invalidate)) : std::nullopt;
  transport(at.connection).send(at.from, {bytes, invalidate, line.solicited, line.immediate});
}

void Stage::send(const Statement& at, const MessageLine& line, const rpcrdma::TransportHeader& header,
                 Bytes payload, std::optional<uint32_t> invalidate) {
  std::vector<uint8_t> bytes;
  rpcrdma::encode(header, bytes);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  operate(line.surgery, bytes, problem_);
  if (line.invalidate && !line.plain) {
    invalidate = handle_of(*line.invalidate);
  }
  if (!problem_.any() && afford(transport(at.connection).cost(bytes.size()))) {
    transport(at.connection).send(at.from, {bytes, invalidate, line.solicited, line.immediate});
  }
}

// The pad of an RDMA_MSGP whose whole RPC message is inline (RFC 5666 §3.9).
void Stage::pad(const MessageLine& line, const rpcrdma::TransportHeader& header, const RpcMessage& rpc,
                std::vector<uint8_t>& inlined) {
  if (line.padding && !line.unpadded && inlined == rpc.stream) {
    std::vector<uint8_t> front;
    rpcrdma::encode(header, front);
    inlined = insert_pads(rpc, *line.padding, line.pad_by_rpc ? 0 : front.size());
  }
}

void Stage::error(const Statement& at, const MessageLine& line) {
  Call* call = open_call(at.connection, rdma::other(at.from), line.xid);
  if (!call && !line.xid) {
    return problem_.say("There is no open Call to answer with an error; say xid=N to send one anyway.");
  }
  rpcrdma::TransportHeader header;
  header.xid = line.xid.value_or(call ? call->xid : 0);
  header.version = line.version.value_or(call ? call->version : script_.version);
  header.credit = line.credit.value_or(script_.credits);
  if (header.version == 1) {
    header.procedure = static_cast<uint32_t>(v1::Proc::error);
    header.error_v1 = v1::Error{static_cast<v1::ErrorCode>(line.error_code), line.error.vers_low,
                                line.error.vers_high, line.extra};
  } else {
    header.procedure = static_cast<uint32_t>(v2::Proc::error);
    header.error_v2 = line.error;
  }
  if (call) {
    call->open = false;
  }
  send(at, line, header, line.rpc.payload.value_or(std::vector<uint8_t>{}));
}

void Stage::done(const Statement& at, const MessageLine& line) {
  rpcrdma::TransportHeader header;
  Call* owing = answered_call(at.connection, at.from, line.xid);
  header.xid = line.xid.value_or(owing ? owing->xid : last_xid_[{at.connection, at.from}]);
  if (owing) {
    owing->owes_done = false;
  }
  header.version = line.version.value_or(1);
  header.credit = line.credit.value_or(script_.credits);
  header.procedure = static_cast<uint32_t>(v1::Proc::done);
  send(at, line, header, {});
}

// draft-dnoveck-nfsv4-rpcrdma-xcharext-02: a RESPXCH has the XID of its REQXCH,
// the others have XIDs of their own.
void Stage::optional(const Statement& at, const MessageLine& line) {
  using rpcrdma::xchar::Operation;
  const Operation operation = line.optional.opttype;
  rpcrdma::TransportHeader header;
  header.version = line.version.value_or(2);
  header.credit = line.credit.value_or(script_.credits);
  header.procedure = static_cast<uint32_t>(v2::Proc::optional);
  v2::Optional& body = header.optional.add();
  body = line.optional;
  const bool reply =
      operation == Operation::respxch || (operation != Operation::reqxch && at.from == kServer);
  body.direction = reply ? rpcrdma::MsgType::reply : rpcrdma::MsgType::call;

  if (operation == Operation::respxch) {
    Call* request = open_call(at.connection, rdma::other(at.from), line.xid);
    if (!request && !line.xid) {
      return problem_.say("There is no REQXCH to answer; say xid=N to send a RESPXCH anyway.");
    }
    header.xid = line.xid.value_or(request ? request->xid : 0);
    if (request) {
      request->open = false;
    }
  } else {
    header.xid = take_xid(at, line.xid);
  }
  if (operation == Operation::reqxch) {
    Call request;
    request.connection = at.connection;
    request.requester = at.from;
    request.xid = header.xid;
    request.version = 2;
    request.optional = true;
    remember(std::move(request));
  }
  send(at, line, header, line.rpc.payload.value_or(std::vector<uint8_t>{}));
}

// Conveys a Call or Reply by an extension: chunk lists have no place in its header.
void Stage::wrap(const MessageLine& line, rpcrdma::MsgType direction, rpcrdma::TransportHeader& header) {
  if (!header.chunks.empty()) {
    problem_.say("What option(...) conveys has no chunks; omit them, or reply with write(none).");
  }
  header.procedure = static_cast<uint32_t>(v2::Proc::optional);
  v2::Optional& body = header.optional.add();
  body = line.optional;
  body.direction = direction;
  header.direction = direction;
  header.inv_handle.reset();
}

}  // namespace steertag::scenario
