// A request for other transport characteristics, as flows tells of it: a record, and a line.
#include <string>

#include "report/json.h"
#include "report/json_parts.h"
#include "report/names.h"
#include "report/text.h"
#include "report/text_parts.h"
#include "report/text_timing.h"
#include "report/units.h"

namespace steertag::report {
namespace {

using flow::Negotiation;
using flow::Status;
namespace xchar = rpcrdma::xchar;

void places(JsonWriter& json, std::string_view key, const xchar::Subset& elements) {
  json.list(key);
  for (const uint32_t index : elements.indices()) {
    json.number(index);
  }
  json.end_list();
}

std::string error_text(const Negotiation& negotiation) {
  return negotiation.error ? rpcrdma::error_name(2, *negotiation.error) : "RDMA2_ERROR";
}

// "XCHAR_RBSIZ=4096 pending": what became of one of those that were asked for.
std::string fate_text(const Negotiation& negotiation, size_t i) {
  const flow::Term& term = negotiation.want[i];
  const std::string_view known = xchar::text(term.which);
  std::string text = fmt::format(
      "{}={}", known.empty() ? fmt::format("{}", static_cast<uint32_t>(term.which)) : std::string(known),
      term.number ? xchar::value_text(term.which, *term.number) : fmt::format("({} bytes)", term.length));
  if (const auto& response = negotiation.response) {
    text += response->done.has(i)   ? " done"
            : response->rej.has(i)  ? " rejected"
            : response->pend.has(i) ? " pending"
                                    : " not answered";
  }
  return text;
}

}  // namespace

void json_negotiation(Buffer& out, const Negotiation& negotiation, const Files& files) {
  JsonWriter json(out);
  json.object();
  json.text("type", "xchar");
  json.connection("conn", negotiation.connection->number);
  json.hex("xid", negotiation.xid, 8);
  json.text("direction", negotiation.backward ? "backward" : "forward");
  json_legs(json, negotiation.call, negotiation.reply, files);
  json.text("operation", "ROPT_REQXCH");
  if (negotiation.call) {
    json.list("want");
    for (const flow::Term& term : negotiation.want) {
      json.object();
      json_id(json, term.which);
      json_term(json, term);
      json.end_object();
    }
    json.end_list();
  }
  json.text("status", name(negotiation.status));
  if (const auto& response = negotiation.response) {
    json.text("answer", "ROPT_RESPXCH");
    places(json, "done", response->done);
    places(json, "rej", response->rej);
    places(json, "pend", response->pend);
  } else if (negotiation.status == Status::transport_error) {
    json.text("answer", error_text(negotiation));
  }
  json.boolean("complete", negotiation.complete);
  json.end_object();
  json.end_line();
}

void text_negotiation(Buffer& out, const Negotiation& negotiation, const TextStyle& style) {
  const std::string reply = negotiation.reply ? frame_text(*negotiation.reply, style) : "-";
  const std::string time =
      time_text((negotiation.call ? negotiation.call : negotiation.reply)->time_ns, style);
  const bool both = negotiation.call && negotiation.reply;
  text_legs(out, negotiation.connection->number, negotiation.call, reply, time,
            both ? duration_text(negotiation.reply->time_ns - negotiation.call->time_ns) : "-", style);
  print(out, "{:#010x}  ", negotiation.xid);
  if (narrow(style)) {
    print(out, "ROPT_REQXCH\n{:24}reply {}", "", reply);
  } else {
    left_cell(out, "ROPT_REQXCH", 22);
    right_cell(out, "-", 7);
    print(out, "{:>7}", "-");
  }
  for (size_t i = 0; i < negotiation.want.size(); ++i) {
    print(out, "  {}", fate_text(negotiation, i));
  }
  const auto remark = [&](std::string_view colour, std::string_view words) {
    put(out, "  ");
    paint(out, style.palette, colour, words);
  };
  if (negotiation.status == Status::transport_error) {
    remark(style.palette.bad, error_text(negotiation));
  } else if (negotiation.status != Status::complete) {
    remark(style.palette.warn, negotiation.call ? "no reply" : "no call");
  }
  if (negotiation.backward) {
    remark("", "backward");
  }
  if (!negotiation.complete) {
    remark(style.palette.warn, "[incomplete]");
  }
  put(out, '\n');
}

}  // namespace steertag::report
