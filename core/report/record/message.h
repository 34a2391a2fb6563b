// The members of {"type":"message"}: one transport header, as far as it could be read, and what follows it;
// each said once for all that print them or describe them (member.h). A list that is empty because reading
// stopped before it is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flow/message.h"
#include "report/names.h"
#include "report/record/member.h"
#include "report/record/negotiation.h"
#include "report/record/rpc.h"

namespace steertag::report::record {

struct Message {
  static constexpr std::string_view kType = "message";
  static constexpr std::string_view kSays =
      "One Send with its transport header, as far as it could be read (from decode). A retransmitted Send is "
      "not a second message.";

  const flow::Message& message;
};

// What stands for a part that the message does not have.
template <typename T>
const T& none() {
  static const T kNone{};
  return kNone;
}

inline std::optional<uint32_t> word_if(bool there, uint32_t value) {
  return there ? std::optional(value) : std::nullopt;
}

void tell_sender(auto& to, const flow::Message& message) {
  const track::Connection& connection = *message.connection;
  to.text({"from", "address"}, connection.end(message.from).address.text());
  to.text({"to", "address"}, connection.end(rdma::other(message.from)).address.text());
  to.boolean(
      {"from_client", "", "Whether the connection's client sent it; left out where the roles are not known."},
      connection.client ? std::optional(message.from == *connection.client) : std::nullopt);
  to.text({"send", R"("enum": ["send", "send_invalidate"])", "The RDMA operation that carried it."},
          message.send_invalidate ? "send_invalidate" : "send");
  to.hex({"invalidated", "handle", "What a Send With Invalidate invalidates."},
         word_if(message.send_invalidate, message.invalidated), 8);
  to.needs("invalidated", {"send"});
}

// The four words that every message begins with, as far as they were read.
void tell_fixed_words(auto& to, const rpcrdma::TransportHeader& header, const rpcrdma::Decoded& decoded) {
  using rpcrdma::FixedField;
  to.hex({"xid", "xid"}, word_if(decoded.has(FixedField::xid), header.xid), 8);
  to.number({"vers", "word", "rdma_vers."}, word_if(decoded.has(FixedField::version), header.version));
  to.number({"credit", "word", "rdma_credit: asked for by a Requester, granted by a Responder."},
            word_if(decoded.has(FixedField::credit), header.credit));
  to.part(decoded.has(FixedField::procedure), [&] {
    to.text({"proc",
             R"("type": "string", "anyOf": [{"enum": ["RDMA_MSG", "RDMA_NOMSG", "RDMA_MSGP", "RDMA_DONE", )"
             R"("RDMA_ERROR", "RDMA2_MSG", "RDMA2_NOMSG", "RDMA2_ERROR", "RDMA2_OPTIONAL"]}, )"
             R"({"$ref": "#/$defs/number_as_text"}])",
             "rdma_proc by its name, or the number as text where the version does not define it."},
            procedure_name(header));
  });
}

void tell_chunk_lists(auto& to, const rpcrdma::TransportHeader& header, const rpcrdma::Decoded& decoded) {
  const rpcrdma::ChunkLists& chunks = header.chunks;
  const bool there = decoded.has(rpcrdma::FixedField::procedure) &&
                     (header.is_msg() || header.is_nomsg() || header.is(rpcrdma::v1::Proc::msgp));
  const bool whole = !decoded.stop;
  const auto tell = [&](const rpcrdma::Segment& segment) { tell_segment(to, segment); };
  to.list_if({"reads", "", "The Read list."}, there && (whole || !chunks.reads.empty()), chunks.reads, kEvery,
             [&](const rpcrdma::ReadSegment& read) {
               to.number({"position", "position"}, read.position);
               tell_segment(to, read.target);
             });
  to.lists_if(
      {"writes", R"("type": "array", "items": {"$ref": "#/$defs/chunk"})",
       "The Write list, a list of segments for each chunk."},
      there && (whole || !chunks.writes.empty()), chunks.writes,
      [](const rpcrdma::WriteChunk& write) -> const auto& { return write.target; }, tell);
  std::span<const rpcrdma::Segment> reply;
  if (!chunks.reply.empty()) {
    reply = {chunks.reply[0].target.begin(), chunks.reply[0].target.end()};
  }
  to.list_if({"reply", "chunk", "The Reply chunk."}, there && !chunks.reply.empty(), reply, kEvery, tell);
}

void tell_error(auto& to, const rpcrdma::TransportHeader& header, const rpcrdma::Decoded& decoded) {
  using rpcrdma::FixedField;
  to.object_if({"error", "", "The body of RDMA_ERROR or RDMA2_ERROR."}, header.error_code().has_value(), [&] {
    namespace v1 = rpcrdma::v1;
    namespace v2 = rpcrdma::v2;
    const v1::Error one = header.error_v1.value_or(v1::Error());
    const v2::Error two = header.error_v2.value_or(v2::Error());
    const bool vers = one.code == v1::ErrorCode::vers || two.code == v2::ErrorCode::vers;
    const bool cant_reply = two.code == v2::ErrorCode::cant_reply && decoded.has(FixedField::error_processed);
    to.text({"code", "error_code"}, header.error_code() ? error_name(header) : std::string());
    to.number({"vers_low", "word", "The lowest version that the Responder knows."},
              word_if(vers && decoded.has(FixedField::error_vers_low),
                      header.error_v1 ? one.vers_low : two.vers_low));
    to.number({"vers_high", "word", "The highest."},
              word_if(vers && decoded.has(FixedField::error_vers_high),
                      header.error_v1 ? one.vers_high : two.vers_high));
    to.bytes({"extra", "bytes", "What RFC 5666 let follow the code."},
             one.extra ? std::optional(Bytes(*one.extra)) : std::nullopt);
    to.xdr_bool({"processed", "xdr_bool", "Whether the request was carried out."},
                cant_reply ? std::optional(two.processed) : std::nullopt);
    to.number({"segment_index", "word", "Which segment was too short."},
              word_if(cant_reply && decoded.has(FixedField::error_segment_index), two.segment_index));
    to.number({"length_needed", "word", "How long it would have had to be, in bytes."},
              word_if(cant_reply && decoded.has(FixedField::error_length_needed), two.length_needed));
  });
}

// "characteristic"
void tell_characteristic(auto& to, const rpcrdma::xchar::Value& value) {
  tell_id(to, value.which);
  const std::optional<uint32_t> number = rpcrdma::xchar::value(value);
  tell_value(to, value.which, number, {.data = "Where it is no number, or the id is not known."},
             number ? std::nullopt : std::optional(Bytes(value.data)));
}

// What an operation of the extension says. `read`: how many members of it.
void tell_operation(auto& to, const rpcrdma::v2::Optional& body, size_t read) {
  using rpcrdma::xchar::Operation;
  const auto values = [&](const Member& m, bool whole, const base::List<rpcrdma::xchar::Value>& list) {
    to.list_if(m, whole || !list.empty(), list, kEvery,
               [&](const rpcrdma::xchar::Value& value) { tell_characteristic(to, value); });
  };
  const auto subset = [&](const Member& m, bool whole, const rpcrdma::xchar::Subset& elements) {
    const std::vector<uint32_t> indices = elements.indices();
    to.numbers_if(m, whole || !indices.empty(), indices);
  };
  to.part(body.opttype == Operation::initxch, [&] {
    values({"start", "characteristics", "What the sender has from the start."}, read > 0, body.init.start);
    subset({"nochg", "indices", "Which of them will not change."}, read > 1, body.init.nochg);
  });
  to.part(body.opttype == Operation::reqxch, [&] {
    values({"want", "characteristics", "What the peer is asked to change."}, read > 0, body.request.want);
  });
  to.part(body.opttype == Operation::respxch, [&] {
    subset({"done", "indices", "Which of these it has changed."}, read > 0, body.response.done);
    subset({"rej", "indices", "Which of these it refuses to change."}, read > 1, body.response.rej);
    subset({"pend", "indices", "Which of these it will change later."}, read > 2, body.response.pend);
  });
  to.part(body.opttype == Operation::updxch, [&] {
    to.object_if({"now", "characteristic", "What has changed."}, read > 0,
                 [&] { tell_characteristic(to, body.update.now); });
    to.xdr_bool({"pendclr", "xdr_bool", "Whether this settles a change that was pending."},
                read > 1 ? std::optional(body.update.pendclr) : std::nullopt);
  });
}

void tell_optional(auto& to, const rpcrdma::TransportHeader& header, const std::optional<wire::Stop>& stop) {
  to.object_if({"optional", "", "The body of RDMA2_OPTIONAL."}, !header.optional.empty(), [&] {
    const rpcrdma::v2::Optional& body =
        header.optional.empty() ? none<rpcrdma::v2::Optional>() : header.optional[0];
    to.number({"opttype", "word", "rdma_opttype."}, static_cast<uint32_t>(body.opttype));
    to.choice_if({"operation", "", "The name of opttype."}, body.opttype);
    tell_operation(to, body, members_read(body, stop));
    const bool unknown = name(body.opttype).empty() && !stop;
    to.bytes({"info", "bytes", "rdma_optinfo, where its structure is not known, or what follows it."},
             unknown || !body.info.empty() ? std::optional(Bytes(body.info)) : std::nullopt);
  });
}

void tell_stop(auto& to, const std::optional<wire::Stop>& stop) {
  to.object_if({"stop", "", "Where reading the header had to end; what was read before that is there."},
               stop.has_value(), [&] {
                 const wire::Stop known = stop.value_or(wire::Stop());
                 to.text({"field", R"("type": "string", "minLength": 1)",
                          "The XDR name of the field that did not fit."},
                         known.field);
                 to.number({"offset", "word", "Where it begins, in bytes from the start of the header."},
                           known.offset);
                 to.number({"needed", "word", "Bytes that it takes."}, known.needed);
                 to.number({"available", "word", "Bytes that were left."}, known.available);
                 to.text({"limit", R"("enum": ["capture", "message", "segment"])",
                          "What ended: what was captured of the message, the message itself, or a part of it "
                          "that has a length of its own."},
                         wire::text(known.limit));
               });
}

// How a Reply ended, by its name, or the number as text where there is none.
std::string stat_name(auto value) {
  const std::string_view word = rpcrdma::text(value);
  return word.empty() ? std::to_string(static_cast<uint32_t>(value)) : std::string(word);
}

// `decoded`: how far the header could be read.
void tell_stats(auto& to, const rpcrdma::RpcHeader& header, const rpcrdma::RpcDecoded& decoded) {
  using rpcrdma::ReplyStat;
  to.part(decoded.header_length >= rpcrdma::rpc_through_status, [&] {
    to.text({"reply_stat",
             R"("type": "string", "anyOf": [{"enum": ["MSG_ACCEPTED", "MSG_DENIED"]}, )"
             R"({"$ref": "#/$defs/number_as_text"}])",
             "Whether the request was accepted, or the number as text."},
            stat_name(header.reply_stat));
  });
  to.part(!decoded.stop && header.reply_stat == ReplyStat::accepted, [&] {
    to.text({"accept_stat",
             R"("type": "string", "anyOf": [{"enum": ["SUCCESS", "PROG_UNAVAIL", "PROG_MISMATCH", )"
             R"("PROC_UNAVAIL", "GARBAGE_ARGS", "SYSTEM_ERR"]}, {"$ref": "#/$defs/number_as_text"}])",
             "By its name, or the number as text."},
            stat_name(header.accept_stat));
  });
  to.part(!decoded.stop && header.reply_stat == ReplyStat::denied, [&] {
    to.text({"reject_stat",
             R"("type": "string", "anyOf": [{"enum": ["RPC_MISMATCH", "AUTH_ERROR"]}, )"
             R"({"$ref": "#/$defs/number_as_text"}])",
             "By its name, or the number as text."},
            stat_name(header.reject_stat));
  });
}

void tell_rpc_header(auto& to, const rpcrdma::RpcHeader& header, const rpcrdma::RpcDecoded& decoded) {
  using rpcrdma::MsgType;
  const bool call = header.type == MsgType::call, reply = header.type == MsgType::reply;
  to.hex({"xid", "xid"}, header.xid, 8);
  to.text_if({"type", R"("enum": ["call", "reply"])", "Left out where it is neither."},
             call    ? std::string_view("call")
             : reply ? std::string_view("reply")
                     : std::string_view());
  to.part(call, [&] {
    to.number({"program", "word", "The number of the RPC program."}, header.program);
    to.number({"version", "word", "The version of the program."}, header.version);
    to.number({"procedure", "word", "The number of the procedure."}, header.procedure);
    to.text({"name", "procedure_name"}, rpcrdma::name(header.program, header.version, header.procedure));
  });
  to.needs("program", {"version", "procedure", "name"});
  to.part(reply, [&] { tell_stats(to, header, decoded); });
}

void tell_conf_rdma(auto& to, const std::optional<rpcrdma::config::Found>& found) {
  to.object_if({"conf_rdma", "", "What CONF_RDMA (RFC 5666) asks for, or settles. Sizes in bytes."},
               found.has_value(), [&] {
                 using rpcrdma::config::Reply, rpcrdma::config::Request;
                 const rpcrdma::config::Found known = found.value_or(rpcrdma::config::Found());
                 const bool asks = known.asked.has_value(), settles = !asks && known.settled.has_value();
                 const Request asked = known.asked.value_or(Request());
                 const Reply settled = known.settled.value_or(Reply());
                 to.number(
                     {"maxcall_sendsize", "word", "The longest Call inline."},
                     word_if(asks || settles, asks ? asked.maxcall_sendsize : settled.maxcall_sendsize));
                 to.number({"maxreply_sendsize", "word", "The longest Reply inline."},
                           word_if(asks, asked.maxreply_sendsize));
                 to.number({"align", "word", "What the data of an RDMA_MSGP has to be aligned to."},
                           word_if(settles, settled.align));
                 to.number({"maxrdmaread", "word", "RDMA Reads at a time."},
                           word_if(asks || settles, asks ? asked.maxrdmaread : settled.maxrdmaread));
               });
}

// The transport header behind its fixed words.
void tell_body(auto& to, const rpcrdma::TransportHeader& header, const rpcrdma::Decoded& decoded) {
  const auto padding = [&](uint32_t rpcrdma::v1::Padding::*what) {
    return header.padding ? std::optional((*header.padding).*what) : std::nullopt;
  };
  to.number({"align", "word", "rdma_align of an RDMA_MSGP, in bytes."},
            padding(&rpcrdma::v1::Padding::align));
  to.number({"thresh", "word", "rdma_thresh of an RDMA_MSGP, in bytes."},
            padding(&rpcrdma::v1::Padding::thresh));
  to.needs("thresh", {"align"});
  to.hex({"inv_handle", "handle", "rdma_inv_handle of version two."}, header.inv_handle, 8);
  tell_chunk_lists(to, header, decoded);
  tell_error(to, header, decoded);
  tell_optional(to, header, decoded.stop);
  tell_stop(to, decoded.stop);
}

inline constexpr FramesMember kFramesOfMessage = {
    .name = "frames",
    .files_name = "files",
    .says = "All that carried its first good copy.",
    .type = R"("type": "array", "items": {"$ref": "#/$defs/frame"}, "minItems": 1)"};

void tell(auto& to, const Message& told) {
  const flow::Message& message = told.message;
  const rpcrdma::Decoded& decoded = message.decoded;
  to.rule(R"("anyOf": [{"properties": {"stop": true}, "required": ["stop"]}, )"
          R"({"properties": {"xid": true, "vers": true, "credit": true, "proc": true, )"
          R"("payload_length": true}, "required": ["xid", "vers", "credit", "proc", "payload_length"]}])");
  to.frame({"frame", "file", "The frame that completed it."}, message.at);
  to.frames(kFramesOfMessage, message.frames, message.at.file);
  to.seconds({"time", "time", "Of frame."}, message.at.time_ns);
  to.connection({"conn", "conn"}, message.connection->number);
  tell_sender(to, message);
  tell_fixed_words(to, *message.header, decoded);
  to.choice_if(
      {"direction", "", "Whether it belongs to a Call or to a Reply; left out where that cannot be known."},
      message.direction);
  to.boolean({"received", R"("const": false)",
              "It was sent while the connection was being closed, and never acknowledged."},
             message.unreceived ? std::optional(false) : std::nullopt);
  tell_body(to, *message.header, decoded);
  to.number({"payload_length", "length", "Bytes behind the transport header, as they were on the wire."},
            word_if(!decoded.stop, message.payload_length));
  to.number({"payload_captured", "length", "How many of them were captured, where that is fewer."},
            !decoded.stop && message.payload.size() < message.payload_length
                ? std::optional(message.payload.size())
                : std::nullopt);
  to.needs("payload_captured", {"payload_length"});
  to.object_if({"rpc", "", "The RPC header behind the transport header, where it is inline."},
               message.rpc != nullptr, [&] {
                 tell_rpc_header(to, message.rpc != nullptr ? *message.rpc : none<rpcrdma::RpcHeader>(),
                                 message.rpc_decoded);
               });
  tell_conf_rdma(to, message.config);
}

}  // namespace steertag::report::record
