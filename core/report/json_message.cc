#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

#include "report/json.h"
#include "report/json_parts.h"
#include "report/message_names.h"
#include "report/names.h"
#include "rpcrdma/header.h"
#include "rpcrdma/programs.h"

namespace steertag::report {
namespace {

using rpcrdma::FixedField;
using rpcrdma::TransportHeader;
namespace xchar = rpcrdma::xchar;

void boolean(JsonWriter& json, std::string_view key, rpcrdma::XdrBool value) {
  if (value == rpcrdma::XdrBool::no || value == rpcrdma::XdrBool::yes) {
    json.boolean(key, value == rpcrdma::XdrBool::yes);
  } else {
    json.number(key, static_cast<uint32_t>(value));  // not an XDR bool: what was sent
  }
}

void chunk(JsonWriter& json, const rpcrdma::WriteChunk& write) {
  for (const rpcrdma::Segment& segment : write.target) {
    json.object();
    json_segment(json, segment);
    json.end_object();
  }
}

// A list that is empty because reading stopped before it is omitted.
void chunk_lists(JsonWriter& json, const rpcrdma::ChunkLists& chunks, bool whole) {
  if (whole || !chunks.reads.empty()) {
    json.list("reads");
    for (const rpcrdma::ReadSegment& read : chunks.reads) {
      json.object();
      json.number("position", read.position);
      json_segment(json, read.target);
      json.end_object();
    }
    json.end_list();
  }
  if (whole || !chunks.writes.empty()) {
    json.list("writes");
    for (const rpcrdma::WriteChunk& write : chunks.writes) {
      json.list();
      chunk(json, write);
      json.end_list();
    }
    json.end_list();
  }
  if (!chunks.reply.empty()) {
    json.list("reply");
    chunk(json, chunks.reply[0]);
    json.end_list();
  }
}

void error(JsonWriter& json, const TransportHeader& header, const rpcrdma::Decoded& decoded) {
  if (!header.error_code()) {
    return;
  }
  json.object("error");
  json.text("code", error_name(header));
  const auto number = [&](std::string_view key, FixedField field, uint32_t value) {
    if (decoded.has(field)) {
      json.number(key, value);
    }
  };
  if (header.error_v1 && header.error_v1->code == rpcrdma::v1::ErrorCode::vers) {
    number("vers_low", FixedField::error_vers_low, header.error_v1->vers_low);
    number("vers_high", FixedField::error_vers_high, header.error_v1->vers_high);
  } else if (header.error_v1 && header.error_v1->extra) {
    json.hex("extra", Bytes(*header.error_v1->extra));
  } else if (header.error_v2 && header.error_v2->code == rpcrdma::v2::ErrorCode::vers) {
    number("vers_low", FixedField::error_vers_low, header.error_v2->vers_low);
    number("vers_high", FixedField::error_vers_high, header.error_v2->vers_high);
  } else if (header.error_v2 && header.error_v2->code == rpcrdma::v2::ErrorCode::cant_reply &&
             decoded.has(FixedField::error_processed)) {
    boolean(json, "processed", header.error_v2->processed);
    number("segment_index", FixedField::error_segment_index, header.error_v2->segment_index);
    number("length_needed", FixedField::error_length_needed, header.error_v2->length_needed);
  }
  json.end_object();
}

void characteristic(JsonWriter& json, const xchar::Value& value) {
  json.number("id", static_cast<uint32_t>(value.which));
  const xchar::Characteristic* known = xchar::find(value.which);
  if (known != nullptr) {
    json.text("name", known->name);
  }
  const auto number = xchar::value(value);
  if (!number) {
    json.hex("data", Bytes(value.data));
    return;
  }
  json.number("value", *number);
  if (known != nullptr && known->type != xchar::Type::number) {
    json.text("text", xchar::value_text(value));
  }
}

// `whole`: reading reached the list's end. One that is empty because it did not is omitted.
void characteristics(JsonWriter& json, std::string_view key, const base::List<xchar::Value>& values,
                     bool whole) {
  if (!whole && values.empty()) {
    return;
  }
  json.list(key);
  for (const xchar::Value& value : values) {
    json.object();
    characteristic(json, value);
    json.end_object();
  }
  json.end_list();
}

void subset(JsonWriter& json, std::string_view key, const xchar::Subset& elements, bool whole) {
  const std::vector<uint32_t> indices = elements.indices();
  if (!whole && indices.empty()) {
    return;
  }
  json.list(key);
  for (const uint32_t index : indices) {
    json.number(index);
  }
  json.end_list();
}

void optional(JsonWriter& json, const rpcrdma::v2::Optional& body, const std::optional<wire::Stop>& stop) {
  const size_t read = members_read(body, stop);
  const std::string_view operation = xchar::text(body.opttype);
  json.object("optional");
  json.number("opttype", static_cast<uint32_t>(body.opttype));
  if (!operation.empty()) {
    json.text("operation", operation);
  }
  switch (body.opttype) {
    case xchar::Operation::initxch:
      characteristics(json, "start", body.init.start, read > 0);
      subset(json, "nochg", body.init.nochg, read > 1);
      break;
    case xchar::Operation::reqxch:
      characteristics(json, "want", body.request.want, read > 0);
      break;
    case xchar::Operation::respxch:
      subset(json, "done", body.response.done, read > 0);
      subset(json, "rej", body.response.rej, read > 1);
      subset(json, "pend", body.response.pend, read > 2);
      break;
    case xchar::Operation::updxch:
      if (read > 0) {
        json.object("now");
        characteristic(json, body.update.now);
        json.end_object();
      }
      if (read > 1) {
        boolean(json, "pendclr", body.update.pendclr);
      }
      break;
  }
  if ((operation.empty() && !stop) || !body.info.empty()) {
    json.hex("info", Bytes(body.info));
  }
  json.end_object();
}

// How a Reply ended: by its name, or the number as text where there is none.
template <typename Stat>
void reply_word(JsonWriter& json, std::string_view key, Stat value) {
  const std::string_view name = rpcrdma::text(value);
  json.text(key, name.empty() ? std::to_string(static_cast<uint32_t>(value)) : std::string(name));
}

// `header` as far as `decoded` says that it could be read.
void rpc(JsonWriter& json, const rpcrdma::RpcHeader& header, const rpcrdma::RpcDecoded& decoded) {
  json.object("rpc");
  json.hex("xid", header.xid, 8);
  if (header.type == rpcrdma::MsgType::call) {
    json.text("type", "call");
    json.number("program", header.program);
    json.number("version", header.version);
    json.number("procedure", header.procedure);
    json.text("name", rpcrdma::name(header.program, header.version, header.procedure));
  } else if (header.type == rpcrdma::MsgType::reply) {
    json.text("type", "reply");
    if (decoded.header_length >= rpcrdma::rpc_through_status) {
      reply_word(json, "reply_stat", header.reply_stat);
    }
    if (!decoded.stop && header.reply_stat == rpcrdma::ReplyStat::accepted) {
      reply_word(json, "accept_stat", header.accept_stat);
    } else if (!decoded.stop && header.reply_stat == rpcrdma::ReplyStat::denied) {
      reply_word(json, "reject_stat", header.reject_stat);
    }
  }
  json.end_object();
}

void conf_rdma(JsonWriter& json, const rpcrdma::config::Found& found) {
  json.object("conf_rdma");
  if (found.asked) {
    json.number("maxcall_sendsize", found.asked->maxcall_sendsize);
    json.number("maxreply_sendsize", found.asked->maxreply_sendsize);
    json.number("maxrdmaread", found.asked->maxrdmaread);
  } else if (found.settled) {
    json.number("maxcall_sendsize", found.settled->maxcall_sendsize);
    json.number("align", found.settled->align);
    json.number("maxrdmaread", found.settled->maxrdmaread);
  }
  json.end_object();
}

void ends(JsonWriter& json, const flow::Message& message) {
  const track::Connection& connection = *message.connection;
  json.text("from", connection.end(message.from).address.text());
  json.text("to", connection.end(rdma::other(message.from)).address.text());
  if (connection.client) {
    json.boolean("from_client", message.from == *connection.client);
  }
  json.text("send", message.send_invalidate ? "send_invalidate" : "send");
  if (message.send_invalidate) {
    json.hex("invalidated", message.invalidated, 8);
  }
}

// The four words that every message begins with, as far as they were read.
void fixed_words(JsonWriter& json, const TransportHeader& header, const rpcrdma::Decoded& decoded) {
  if (decoded.has(FixedField::xid)) {
    json.hex("xid", header.xid, 8);
  }
  if (decoded.has(FixedField::version)) {
    json.number("vers", header.version);
  }
  if (decoded.has(FixedField::credit)) {
    json.number("credit", header.credit);
  }
  if (decoded.has(FixedField::procedure)) {
    json.text("proc", procedure_name(header));
  }
}

bool has_chunk_lists(const TransportHeader& header) {
  return header.is_msg() || header.is_nomsg() || header.is(rpcrdma::v1::Proc::msgp);
}

void stop(JsonWriter& json, const wire::Stop& stop) {
  json.object("stop");
  json.text("field", stop.field);
  json.number("offset", stop.offset);
  json.number("needed", stop.needed);
  json.number("available", stop.available);
  json.text("limit", wire::text(stop.limit));
  json.end_object();
}

void body(JsonWriter& json, const TransportHeader& header, const rpcrdma::Decoded& decoded) {
  if (header.padding) {
    json.number("align", header.padding->align);
    json.number("thresh", header.padding->thresh);
  }
  if (header.inv_handle) {
    json.hex("inv_handle", *header.inv_handle, 8);
  }
  if (decoded.has(FixedField::procedure) && has_chunk_lists(header)) {
    chunk_lists(json, header.chunks, !decoded.stop);
  }
  error(json, header, decoded);
  for (const rpcrdma::v2::Optional& extension : header.optional) {
    optional(json, extension, decoded.stop);
  }
}

}  // namespace

void json_message(Buffer& out, const flow::Message& message, const Files& files) {
  const rpcrdma::Decoded& decoded = message.decoded;
  JsonWriter json(out);
  json.object();
  json.text("type", "message");
  json_frame(json, "frame", "file", message.at, files);
  json_frames(json, message.frames, message.at.file, files);
  json.seconds("time", message.at.time_ns);
  json.connection("conn", message.connection->number);
  ends(json, message);
  fixed_words(json, *message.header, decoded);
  if (message.direction != flow::Direction::unknown) {
    json.text("direction", name(message.direction));
  }
  if (message.unreceived) {
    json.boolean("received", false);
  }
  body(json, *message.header, decoded);
  if (decoded.stop) {
    stop(json, *decoded.stop);
  } else {
    json.number("payload_length", message.payload_length);
    if (message.payload.size() < message.payload_length) {
      json.number("payload_captured", message.payload.size());
    }
  }
  if (message.rpc) {
    rpc(json, *message.rpc, message.rpc_decoded);
  }
  if (message.config) {
    conf_rdma(json, *message.config);
  }
  json.end_object();
  json.end_line();
}

}  // namespace steertag::report
