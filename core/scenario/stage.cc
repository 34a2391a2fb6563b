#include "scenario/stage.h"

#include "scenario/faults.h"
#include "scenario/iwarp_transport.h"
#include "scenario/reduction.h"
#include "scenario/roce_transport.h"
#include "scenario/surgery.h"

namespace steertag::scenario {

using What = MessageLine::What;
namespace v1 = rpcrdma::v1;
namespace v2 = rpcrdma::v2;

namespace {

// The pad of an RDMA_MSGP whose whole RPC message is inline (RFC 5666 §3.9).
void pad(const MessageLine& line, const rpcrdma::TransportHeader& header, const RpcMessage& rpc,
         std::vector<uint8_t>& inlined) {
  if (line.padding && !line.unpadded && inlined == rpc.stream) {
    std::vector<uint8_t> front;
    rpcrdma::encode(header, front);
    inlined = insert_pads(rpc, *line.padding, line.pad_by_rpc ? 0 : front.size());
  }
}

// Conveys a Call or Reply by an extension: chunk lists have no place in its header.
void convey(const MessageLine& line, rpcrdma::MsgType direction, rpcrdma::TransportHeader& header,
            Problem& problem) {
  if (!header.chunks.empty()) {
    problem.say("What option(...) conveys has no chunks; omit them, or reply with write(none).");
  }
  header.procedure = static_cast<uint32_t>(v2::Proc::optional);
  v2::Optional& body = header.optional.add();
  body = line.optional;
  body.direction = direction;
  header.direction = direction;
  header.inv_handle.reset();
}

}  // namespace

void Stage::play(const Statement& statement, Ahead ahead, std::vector<Datagram>& out) {
  problem_.line = statement.line;
  std::vector<Datagram> line;
  Transport& wire = transport(statement.connection);
  wire.begin(statement.handling, statement.from, std::holds_alternative<BurstLine>(statement.action), line,
             problem_);
  perform(statement, ahead);
  if (problem_.any()) {
    return;
  }
  wire.end(statement.from);
  line = apply_faults(std::move(line), statement.handling, wire);
  for (Datagram& datagram : line) {
    datagram.connection = statement.connection;
    datagram.line = statement.line;
    out.push_back(std::move(datagram));
  }
}

void Stage::perform(const Statement& at, Ahead ahead) {
  Transport& wire = transport(at.connection);
  if (const auto* line = std::get_if<MessageLine>(&at.action)) {
    message(at, *line, ahead);
  } else if (const auto* op = std::get_if<OperationLine>(&at.action)) {
    operation(at, *op, ahead);
  } else if (const auto* connect = std::get_if<ConnectLine>(&at.action)) {
    calls_.close_all(at.connection);
    wire.connect(connect->spec, at.from);
  } else if (const auto* disconnect = std::get_if<DisconnectLine>(&at.action)) {
    wire.disconnect(at.from, disconnect->reset);
  } else if (const auto* complaint = std::get_if<ComplaintLine>(&at.action)) {
    wire.complain(at.from, *complaint);
  } else if (const auto* ack = std::get_if<AckLine>(&at.action)) {
    wire.acknowledge_stray(at.from, *ack);
  } else if (const auto* pause = std::get_if<PauseLine>(&at.action)) {
    wire.pause(at.from, *pause);
  } else if (std::holds_alternative<SlowDownLine>(at.action)) {
    wire.slow_down(at.from);
  } else if (const auto* says = std::get_if<RoomLine>(&at.action)) {
    wire.say_room(at.from, says->room);
  } else if (const auto* error = std::get_if<IcmpLine>(&at.action)) {
    if (script_.fabric != Fabric::roce1) {
      wire.say_icmp(at.from, *error);
    }
  } else if (const auto* burst = std::get_if<BurstLine>(&at.action)) {
    const Ahead lines(burst->lines);
    for (size_t i = 0; i < lines.size() && !problem_.any(); ++i) {
      problem_.line = lines[i].line;
      if (lines[i].connection != at.connection) {
        problem_.say("The lines of a burst belong to the connection that the burst names.");
        return;
      }
      perform(lines[i], lines.subspan(i + 1));
    }
    problem_.line = problem_.any() ? problem_.line : at.line;
  }
}

Transport& Stage::transport(uint32_t connection) {
  std::unique_ptr<Transport>& made = transports_[connection];
  if (!made) {
    const ConnectionSpec& spec = script_.connections[connection];
    if (script_.fabric == Fabric::iwarp) {
      made = std::make_unique<IwarpTransport>(spec);
    } else {
      made = std::make_unique<RoceTransport>(spec, script_.ipv6);
    }
  }
  return *made;
}

void Stage::operation(const Statement& at, const OperationLine& line, Ahead ahead) {
  const Movement movement{at, line, ahead, transport(at.connection), expense_, problem_};
  if (!line.target) {
    Call* call = calls_.open_call(at.connection, rdma::other(at.from), line.xid);
    if (!call && line.read) {
      call = calls_.answered_call(at.connection, at.from, line.xid);
    }
    if (!call) {
      return problem_.say(
          "There is no open Call whose chunks this could refer to; name a chunk or a handle.");
    }
    return movement.move_all(*call);
  }
  if (line.target->chunk.empty()) {
    const uint32_t handle = line.target->memory.handle.value_or(0);
    return movement.move_memory(calls_.find_handle(handle, at.connection));
  }
  if (const Place found = calls_.find_chunk(line.target->chunk); found.chunk) {
    movement.move_chunk(*found.call, *found.chunk);
  }
}

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
  const auto invalidate = line.invalidate ? std::optional(calls_.handle_of(*line.invalidate)) : std::nullopt;
  transport(at.connection).send(at.from, {bytes, invalidate, line.solicited, line.immediate});
}

void Stage::call(const Statement& at, const MessageLine& line) {
  Call made{.connection = at.connection,
            .requester = at.from,
            .xid = calls_.take_xid(at.connection, at.from, line.xid),
            .version = line.version.value_or(script_.version),
            .procedure = line.rpc.procedure.value_or(Procedure{}),
            .rpc = line.rpc};
  const RpcMessage rpc = call_message(line, made, problem_);
  if (problem_.any() || !expense_.afford(2 * rpc.stream.size())) {
    return;
  }
  std::vector<uint8_t> left = place(line, rpc, made, allocator_);
  Call& call = calls_.remember(std::move(made));

  const bool inlined = line.inlined.value_or(!whole_in_chunk(line));
  rpcrdma::TransportHeader header = header_of(call, line, rpcrdma::MsgType::call, inlined, chunk_lists(call));
  call.inv_handle = header.inv_handle.value_or(0);
  if (line.by_option) {
    convey(line, rpcrdma::MsgType::call, header, problem_);
  }
  pad(line, header, rpc, left);
  send(at, line, header, inlined ? Bytes(left) : Bytes{});
}

void Stage::reply(const Statement& at, const MessageLine& line, Ahead ahead) {
  Call unknown;  // one that the scenario did not show: NFSv3 NULL
  Call* call = calls_.open_call(at.connection, rdma::other(at.from), line.xid);
  if (!call) {
    if (!line.xid) {
      return problem_.say(
          fmt::format("There is no open Call from the {} on this connection; say xid=N to reply anyway.",
                      at.from == kServer ? "client" : "server"));
    }
    unknown = {.connection = at.connection,
               .requester = rdma::other(at.from),
               .xid = *line.xid,
               .version = line.version.value_or(script_.version)};
    call = &unknown;
  }
  if (line.serve) {
    OperationLine read;
    read.read = true;
    for (const OperationLine& all : {read, OperationLine{}}) {
      Movement{at, all, ahead, transport(at.connection), expense_, problem_}.move_all(*call);
    }
  }
  const Chunk* reply_chunk = nth(call->chunks, ChunkSpec::Kind::reply, 0);
  const bool inlined =
      line.inlined.value_or(!whole_in_chunk(line) && (!reply_chunk || reply_chunk->moved() == 0));
  const Results made = results(*call, line, problem_);
  if (problem_.any() || !expense_.afford(2 * made.rpc.stream.size())) {
    return;
  }
  std::vector<uint8_t> stream = made.stream();
  advertise_results(*call, line, made, stream, allocator_);

  rpcrdma::TransportHeader header =
      header_of(*call, line, rpcrdma::MsgType::reply, inlined, returned(*call, line, inlined, allocator_));
  const std::optional<uint32_t> invalidate = invalidated(*call, line, header.version, problem_);
  if (problem_.any()) {
    return;
  }
  if (line.by_option) {
    convey(line, rpcrdma::MsgType::reply, header, problem_);
  }
  call->open = false;
  pad(line, header, made.rpc, stream);
  send(at, line, header, inlined ? Bytes(stream) : Bytes{}, line.plain ? std::nullopt : invalidate);
  if (call == &unknown && call->owes_done) {
    calls_.remember(std::move(unknown));  // its memory is still to be read
  }
}

void Stage::error(const Statement& at, const MessageLine& line) {
  Call* call = calls_.open_call(at.connection, rdma::other(at.from), line.xid);
  if (!call && !line.xid) {
    return problem_.say("There is no open Call to answer with an error; say xid=N to send one anyway.");
  }
  rpcrdma::TransportHeader header =
      start(line, line.xid.value_or(call ? call->xid : 0), call ? call->version : script_.version);
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
  Call* owing = calls_.answered_call(at.connection, at.from, line.xid);
  const uint32_t xid = owing ? owing->xid : calls_.last_xid(at.connection, at.from);
  rpcrdma::TransportHeader header = start(line, line.xid.value_or(xid), 1);
  if (owing) {
    owing->owes_done = false;
  }
  header.procedure = static_cast<uint32_t>(v1::Proc::done);
  send(at, line, header, {});
}

// draft-dnoveck-nfsv4-rpcrdma-xcharext-02: a RESPXCH has the XID of its REQXCH,
// the others have XIDs of their own.
void Stage::optional(const Statement& at, const MessageLine& line) {
  using rpcrdma::xchar::Operation;
  const Operation operation = line.optional.opttype;
  rpcrdma::TransportHeader header = start(line, 0, 2);
  header.procedure = static_cast<uint32_t>(v2::Proc::optional);
  v2::Optional& body = header.optional.add();
  body = line.optional;
  const bool reply =
      operation == Operation::respxch || (operation != Operation::reqxch && at.from == kServer);
  body.direction = reply ? rpcrdma::MsgType::reply : rpcrdma::MsgType::call;

  if (operation == Operation::respxch) {
    Call* request = calls_.open_call(at.connection, rdma::other(at.from), line.xid);
    if (!request && !line.xid) {
      return problem_.say("There is no REQXCH to answer; say xid=N to send a RESPXCH anyway.");
    }
    header.xid = line.xid.value_or(request ? request->xid : 0);
    if (request) {
      request->open = false;
    }
  } else {
    header.xid = calls_.take_xid(at.connection, at.from, line.xid);
  }
  if (operation == Operation::reqxch) {
    calls_.remember({.connection = at.connection, .requester = at.from, .xid = header.xid, .version = 2});
  }
  send(at, line, header, line.rpc.payload.value_or(std::vector<uint8_t>{}));
}

// Any header: `version` where the line does not say which.
rpcrdma::TransportHeader Stage::start(const MessageLine& line, uint32_t xid, uint32_t version) const {
  rpcrdma::TransportHeader header;
  header.xid = xid;
  header.version = line.version.value_or(version);
  header.credit = line.credit.value_or(script_.credits);
  return header;
}

// The header of a Call, or of its Reply.
rpcrdma::TransportHeader Stage::header_of(const Call& call, const MessageLine& line,
                                          rpcrdma::MsgType direction, bool inlined,
                                          rpcrdma::ChunkLists chunks) {
  rpcrdma::TransportHeader header = start(line, call.xid, call.version);
  header.procedure = inlined ? 0 : 1;  // MSG, NOMSG: the same in both versions
  if (line.padding) {
    header.procedure = static_cast<uint32_t>(v1::Proc::msgp);
    header.padding = line.padding;
  }
  header.chunks = std::move(chunks);
  if (header.version == 2) {
    header.direction = direction;
    header.inv_handle = line.inv ? calls_.handle_of(*line.inv) : call.inv_handle;
  }
  return header;
}

// What all Sends share: header, payload and surgery combined.
void Stage::send(const Statement& at, const MessageLine& line, const rpcrdma::TransportHeader& header,
                 Bytes payload, std::optional<uint32_t> invalidate) {
  std::vector<uint8_t> bytes;
  rpcrdma::encode(header, bytes);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  operate(line.surgery, bytes, problem_);
  if (line.invalidate && !line.plain) {
    invalidate = calls_.handle_of(*line.invalidate);
  }
  if (!problem_.any() && expense_.afford(transport(at.connection).cost(bytes.size()))) {
    transport(at.connection).send(at.from, {bytes, invalidate, line.solicited, line.immediate});
  }
}

}  // namespace steertag::scenario
