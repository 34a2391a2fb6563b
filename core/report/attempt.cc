#include "report/attempt.h"

#include "attempt/words.h"
#include "base/units.h"
#include "report/names.h"
#include "report/record/attempt.h"
#include "report/record/json_teller.h"
#include "report/text_parts.h"

namespace steertag::report {
namespace {

std::string outcome_text(const attempt::Attempt& attempt) {
  const attempt::Try& like = attempt.like;
  std::string text(name(like.outcome));
  if (like.outcome == attempt::Outcome::unanswered) {
    text += fmt::format(": {}", attempt::request(attempt));
  }
  if (const std::string reason = attempt::words(like.reason); !reason.empty()) {
    text += fmt::format(": {}", reason);
  }
  if (like.by.kind == base::Address::Kind::none) {
    return text;
  }
  std::string by = attempt::by(attempt);
  by.erase(by.find_last_not_of(',') + 1);
  return fmt::format("{}, by {}", text, by);
}

std::string then_text(const attempt::Attempt& attempt) {
  switch (attempt.then) {
    case attempt::Then::connection:
      return fmt::format("connection #{} came up", attempt.conn);
    case attempt::Then::tcp:
      return "the client went on with NFS over TCP";
    case attempt::Then::none:
      break;
  }
  return "nothing came up in this capture";
}

}  // namespace

void json_attempt(Buffer& out, const attempt::Attempt& attempt, const Files& files) {
  record::print(out, record::Attempt{attempt}, files);
}

void text_attempt(Buffer& out, const attempt::Attempt& attempt, size_t number, const TextStyle& style) {
  const attempt::Try& like = attempt.like;
  const auto row = [&](std::string_view what, const std::string& text) {
    hang(out, style, 26);
    print(out, "   {:<22} {}\n", what, text);
  };
  paint(out, style.palette, style.palette.bad, "not connected");
  print(out, " #a{} {} {} -> {}\n", number, name(like.connection.transport),
        attempt::client_of(attempt).address.text(), attempt::place(attempt::server_of(attempt)));
  row("outcome", outcome_text(attempt));
  row("attempts",
      fmt::format("{}, frames {} to {}, {}", attempt.tries, frame_text(like.first, style),
                  frame_text(like.last, style), base::duration_text(like.last.time_ns - like.first.time_ns)));
  std::string frames;
  for (const Stamp& at : like.frames) {
    frames += fmt::format("{}{}", frames.empty() ? "" : ", ", frame_text(at, style));
  }
  row(like.by.kind == base::Address::Kind::none ? "requests in frames" : "answers in frames", frames);
  row("then", then_text(attempt));
}

}  // namespace steertag::report
