// A request for other transport characteristics, as flows tells of it: a record, and a line.
#include "report/record/negotiation.h"

#include <string>

#include "base/units.h"
#include "report/json.h"
#include "report/names.h"
#include "report/record/json_teller.h"
#include "report/text.h"
#include "report/text_parts.h"
#include "report/text_timing.h"

namespace steertag::report {
namespace {

using flow::Negotiation;
using flow::Status;
namespace xchar = rpcrdma::xchar;

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
  record::print(out, record::Negotiation{negotiation}, files);
}

void text_negotiation(Buffer& out, const Negotiation& negotiation, const TextStyle& style) {
  const std::string reply = negotiation.reply ? frame_text(*negotiation.reply, style) : "-";
  const std::string time =
      time_text((negotiation.call ? negotiation.call : negotiation.reply)->time_ns, style);
  const bool both = negotiation.call && negotiation.reply;
  text_legs(out, negotiation.connection->number, negotiation.call, reply, time,
            both ? base::duration_text(negotiation.reply->time_ns - negotiation.call->time_ns) : "-", style);
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
    remark(style.palette.bad, error_name(negotiation));
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
