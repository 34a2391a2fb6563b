#include <algorithm>
#include <string>
#include <vector>

#include "base/units.h"
#include "report/names.h"
#include "report/text.h"
#include "report/text_parts.h"
#include "rpcrdma/header.h"
#include "rpcrdma/programs.h"
#include "wire/outline.h"

namespace steertag::report {
namespace {

using flow::Message;
using rpcrdma::FixedField;
using rpcrdma::TransportHeader;
namespace xchar = rpcrdma::xchar;

// Columns before what is said below a message; fewer where a segment would not fit behind them.
size_t indent_of(const TextStyle& style) {
  constexpr size_t kIndent = 30, kSegment = 57;
  return style.width == 0 ? kIndent
                          : std::min(kIndent, style.width - std::min<size_t>(kSegment, style.width));
}
void indent(Buffer& out, const TextStyle& style) {
  print(out, "{:{}}", "", indent_of(style));
}

// "->" to the server, "<-" to the client; "a>", "b>" where the roles are not known.
std::string_view arrow(const Message& message) {
  if (!message.connection->client) {
    return message.from == rdma::Side::a ? "a>" : "b>";
  }
  return message.from == *message.connection->client ? "->" : "<-";
}

// "RDMA_MSG call NFSv4 COMPOUND, 224 bytes".
void what(Buffer& out, const Message& message, const TextStyle& style) {
  const TransportHeader& header = *message.header;
  if (!message.decoded.has(FixedField::procedure)) {
    paint(out, style.palette, style.palette.bad, "too short for a header");
    return;
  }
  const std::string procedure = procedure_name(header);
  if (procedure[0] != 'R') {  // no name
    put(out, "procedure ");
  }
  put(out, procedure);
  if (header.version != 1 && header.version != 2) {
    print(out, " of version {}", header.version);
  }
  if (message.direction != flow::Direction::unknown) {
    print(out, " {}", name(message.direction));
  }
  if (message.rpc && message.rpc->call()) {
    print(out, " {}", rpcrdma::name(message.rpc->program, message.rpc->version, message.rpc->procedure));
  }
  if (message.payload_length != 0) {
    print(out, ", {} bytes", message.payload_length);
    if (message.payload.size() < message.payload_length) {
      print(out, " ({} captured)", message.payload.size());
    }
  }
  if (message.rpc != nullptr && message.rpc->type == rpcrdma::MsgType::reply && !message.rpc_decoded.stop &&
      !message.rpc->answer().succeeded()) {
    put(out, ", ");
    paint(out, style.palette, style.palette.warn, rpcrdma::refusal(message.rpc->answer()));
  }
  if (message.send_invalidate) {
    print(out, ", invalidates {:#010x}", message.invalidated);
  }
  if (message.unreceived) {
    put(out, ", ");
    paint(out, style.palette, style.palette.warn, "after the disconnect, never received");
  }
}

void row(Buffer& out, std::string_view kind, std::string_view where, const rpcrdma::Segment& segment,
         const TextStyle& style) {
  indent(out, style);
  print(out, "{:<5}  {:<8}  {}\n", kind, where, segment_text(segment));
}

void chunks(Buffer& out, const rpcrdma::ChunkLists& lists, const TextStyle& style) {
  for (const rpcrdma::ReadSegment& read : lists.reads) {
    if (out.size() > style.most) {
      return;
    }
    row(out, "read", fmt::format("at {}", read.position), read.target, style);
  }
  for (size_t i = 0; i < lists.writes.size(); ++i) {
    for (const rpcrdma::Segment& segment : lists.writes[i].target) {
      if (out.size() > style.most) {
        return;
      }
      row(out, "write", fmt::format("chunk {}", i + 1), segment, style);
    }
    if (lists.writes[i].target.empty()) {
      indent(out, style);
      print(out, "write  chunk {:<2}  no segments\n", i + 1);
    }
  }
  for (const rpcrdma::WriteChunk& reply : lists.reply) {
    for (const rpcrdma::Segment& segment : reply.target) {
      if (out.size() > style.most) {
        return;
      }
      row(out, "reply", "", segment, style);
    }
    if (reply.target.empty()) {
      indent(out, style);
      put(out, "reply            no segments\n");
    }
  }
}

void error(Buffer& out, const TransportHeader& header, const rpcrdma::Decoded& decoded,
           const TextStyle& style) {
  if (!header.error_code()) {
    return;
  }
  indent(out, style);
  paint(out, style.palette, style.palette.bad, error_name(header));
  const auto supported = [&](uint32_t low, uint32_t high) {
    if (decoded.has(FixedField::error_vers_low)) {
      print(out, "  supported: {} to {}", low,
            decoded.has(FixedField::error_vers_high) ? fmt::format("{}", high) : "?");
    }
  };
  if (header.error_v1 && header.error_v1->code == rpcrdma::v1::ErrorCode::vers) {
    supported(header.error_v1->vers_low, header.error_v1->vers_high);
  } else if (header.error_v1 && header.error_v1->extra) {
    print(out, "  rdma_extra: {:02x}", fmt::join(*header.error_v1->extra, ""));
  } else if (header.error_v2 && header.error_v2->code == rpcrdma::v2::ErrorCode::vers) {
    supported(header.error_v2->vers_low, header.error_v2->vers_high);
  } else if (header.error_v2 && header.error_v2->code == rpcrdma::v2::ErrorCode::cant_reply &&
             decoded.has(FixedField::error_processed)) {
    const bool processed = header.error_v2->processed != rpcrdma::XdrBool::no;
    const bool segment = decoded.has(FixedField::error_segment_index);
    if (segment) {
      print(out, "  segment {} needs {} bytes", header.error_v2->segment_index,
            decoded.has(FixedField::error_length_needed) ? fmt::format("{}", header.error_v2->length_needed)
                                                         : "?");
    }
    put(out, !processed ? "" : segment ? ", request was processed" : "  request was processed");
  }
  put(out, '\n');
}

std::string characteristic(const xchar::Value& value) {
  const std::string_view known = xchar::text(value.which);
  const std::string number = xchar::value_text(value);
  return fmt::format(
      "{}={}", known.empty() ? fmt::format("{}", static_cast<uint32_t>(value.which)) : std::string(known),
      number.empty() ? fmt::format("({} bytes)", value.data.size()) : number);
}

// `whole`: reading reached the list's end. One that is empty because it did not is omitted.
void characteristics(Buffer& out, std::string_view label, const base::List<xchar::Value>& values,
                     bool whole) {
  if (!whole && values.empty()) {
    return;
  }
  print(out, "  {}", label);
  for (const xchar::Value& value : values) {
    print(out, " {}", characteristic(value));
  }
}

void subset(Buffer& out, std::string_view label, const xchar::Subset& elements) {
  const std::vector<uint32_t> indices = elements.indices();
  if (!indices.empty()) {
    print(out, "  {} {}", label, fmt::join(indices, ","));
  }
}

void optional(Buffer& out, const rpcrdma::v2::Optional& body, const std::optional<wire::Stop>& stop,
              const TextStyle& style) {
  const size_t read = members_read(body, stop);
  const std::string_view operation = xchar::text(body.opttype);
  indent(out, style);
  put(out, operation.empty() ? fmt::format("operation {}", static_cast<uint32_t>(body.opttype))
                             : std::string(operation));
  switch (body.opttype) {
    case xchar::Operation::initxch:
      characteristics(out, "start", body.init.start, read > 0);
      subset(out, "nochg", body.init.nochg);
      break;
    case xchar::Operation::reqxch:
      characteristics(out, "want", body.request.want, read > 0);
      break;
    case xchar::Operation::respxch:
      subset(out, "done", body.response.done);
      subset(out, "rej", body.response.rej);
      subset(out, "pend", body.response.pend);
      break;
    case xchar::Operation::updxch:
      if (read > 0) {
        print(out, "  now {}{}", characteristic(body.update.now),
              body.update.pendclr == rpcrdma::XdrBool::no ? "" : "  pendclr");
      }
      break;
    default:
      if (!stop || !body.info.empty()) {
        print(out, "  {} bytes", body.info.size());
      }
  }
  put(out, '\n');
}

void conf_rdma(Buffer& out, const rpcrdma::config::Found& found, const TextStyle& style) {
  if (found.asked) {
    indent(out, style);
    print(out, "CONF_RDMA  maxcall_sendsize {}  maxreply_sendsize {}  maxrdmaread {}\n",
          found.asked->maxcall_sendsize, found.asked->maxreply_sendsize, found.asked->maxrdmaread);
  } else if (found.settled) {
    indent(out, style);
    print(out, "CONF_RDMA  maxcall_sendsize {}  align {}  maxrdmaread {}\n", found.settled->maxcall_sendsize,
          found.settled->align, found.settled->maxrdmaread);
  }
}

void stop(Buffer& out, const wire::Stop& stop, const TextStyle& style) {
  const char* where = stop.limit == wire::Limit::capture   ? "the frame was cut there by the capture"
                      : stop.limit == wire::Limit::message ? "the message ends there"
                                                           : "a length inside the message ends there";
  indent(out, style);
  paint(out, style.palette, stop.limit == wire::Limit::capture ? style.palette.warn : style.palette.bad,
        fmt::format("stops at {}, byte {}: {} bytes needed, {} left; {}", stop.field, stop.offset,
                    stop.needed, stop.available, where));
  put(out, '\n');
}

// Every field that could be read: "16+4  rdma_reads[0]".
void fields(Buffer& out, const Message& message, const TextStyle& style) {
  std::vector<wire::Node> nodes;
  rpcrdma::outline(message.bytes, message.length, nodes);
  if (message.config) {
    rpcrdma::config::outline(*message.config, message.payload, message.decoded.header_length, nodes);
  }
  for (const wire::Node& node : nodes) {
    if (out.size() > style.most) {
      return;
    }
    hang(out, style, indent_of(style) + 15 + 2 * node.depth);
    indent(out, style);
    paint(out, style.palette, style.palette.dim, fmt::format("{:>5} +{:<5}", node.at.offset, node.at.length));
    print(out, " {:{}}{}\n", "", 2 * node.depth, wire::text(node));
  }
}

}  // namespace

void text_message_heading(Buffer& out, const TextStyle& style) {
  paint(out, style.palette, style.palette.dim,
        fmt::format("{:>8}  {:>12}  {:<4}  {:<2}  {:<10}  {:>6}  {}", "frame", "time", "conn", "", "xid",
                    "credit", "message"));
  put(out, '\n');
}

void text_message(Buffer& out, const Message& message, const TextStyle& style) {
  const TransportHeader& header = *message.header;
  hang(out, style, indent_of(style));
  print(out, "{:>8}  {:>12}  #{:<3}  {}  {:<10}  {:>6}  ", frame_text(message.at, style),
        base::seconds_text(message.at.time_ns - style.origin_ns), message.connection->number, arrow(message),
        message.decoded.has(FixedField::xid) ? fmt::format("{:#010x}", header.xid) : "",
        message.decoded.has(FixedField::credit) ? fmt::format("{}", header.credit) : "");
  what(out, message, style);
  put(out, '\n');
  if (style.verbose) {
    fields(out, message, style);
  } else {
    chunks(out, header.chunks, style);
    error(out, header, message.decoded, style);
    for (const rpcrdma::v2::Optional& body : header.optional) {
      optional(out, body, message.decoded.stop, style);
    }
    if (message.config) {
      conf_rdma(out, *message.config, style);
    }
  }
  if (message.decoded.stop) {
    stop(out, *message.decoded.stop, style);
  }
}

}  // namespace steertag::report
