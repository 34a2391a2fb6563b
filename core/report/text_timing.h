// The times of an RPC, as the text of `flows` has them: when it began, how long it was waited
// for, where that time went. For the text_*.cc of this folder alone.
// But for text_legs() and text_phases(), each function returns a few words, without a newline.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "flow/exchange.h"
#include "report/buffer.h"
#include "report/text.h"
#include "track/connection_number.h"

namespace steertag::report {

// Whether the table has to do with fewer columns than it would take.
constexpr bool narrow(const TextStyle& style) {
  constexpr unsigned kWide = 120;
  return style.width != 0 && style.width < kWide;
}

size_t time_width(const TextStyle& style);  // of time_text(), at most
// The first cells of a line of flows: the connection, the frames of a Call and of its answer, when, how long.
void text_legs(Buffer& out, const track::ConnectionNumber& number, const std::optional<Stamp>& call,
               std::string_view reply, std::string_view time, std::string_view waited,
               const TextStyle& style);
// When its Call was captured, else its Reply.
std::string time_text(const flow::Exchange& exchange, const TextStyle& style);
std::string time_text(int64_t begin_ns, const TextStyle& style);
// For how long it was waited for; ">62.6 s" where it was not answered; "-" where that is not known, or the
// answer did not arrive.
std::string waited_text(const flow::Exchange& exchange);
// "repeats the Call of frame 293 on #1 (attempt 2), 62.6 s in all".
std::string attempt_text(const flow::Exchange& exchange, const TextStyle& style);

// A line with a bar of its phases, and how long each took:
//   [...RRRRRRRRWW.......r]  serve 2.77 ms  write 2.48 ms  reply 4.60 s  mostly waited for lost packets
void text_phases(Buffer& out, const flow::Exchange& exchange, const TextStyle& style);

}  // namespace steertag::report
