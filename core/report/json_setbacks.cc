// What went wrong on the way of one RPC, frame by frame: which copies of its Call and Reply arrived, and what
// was sent again or refused meanwhile. For reports.
#include <array>
#include <cstddef>
#include <string_view>

#include "report/facts.h"
#include "report/json_parts.h"

namespace steertag::report {
namespace {

constexpr std::array<std::string_view, 4> kKinds = {"sent_again", "nak", "rnr_nak", "zero_window"};

void copy(JsonWriter& json, std::string_view key, std::string_view file_key,
          const std::optional<Stamp>& first, const std::optional<Stamp>& accepted, const Files& files) {
  if (first && accepted && *accepted != *first) {
    json_frame(json, key, file_key, *accepted, files);
  }
}

uint64_t since_us(const Stamp& at, int64_t begin_ns) {
  return static_cast<uint64_t>(std::max<int64_t>(at.time_ns - begin_ns, 0)) / 1000;
}

void acknowledged(JsonWriter& json, std::string_view key, const std::optional<Stamp>& at, int64_t begin_ns,
                  const Files& files) {
  if (at) {
    json.object(key);
    json_frame(json, "frame", "file", *at, files);
    json.number("us", since_us(*at, begin_ns));
    json.end_object();
  }
}

}  // namespace

void json_accepted(JsonWriter& json, const flow::Exchange& exchange, const Files& files) {
  const flow::Timeline& t = exchange.timeline;
  copy(json, "call_accepted_frame", "call_accepted_file", exchange.call, t.call_accepted, files);
  copy(json, "reply_accepted_frame", "reply_accepted_file", exchange.reply, t.reply_accepted, files);
}

void json_setbacks(JsonWriter& json, const flow::Exchange& exchange, const stats::Setbacks::Some& setbacks,
                   const Files& files) {
  if (setbacks.all == 0) {
    return;
  }
  const int64_t begin_ns = times_of(exchange).begin_ns;
  acknowledged(json, "call_acknowledged", exchange.timeline.call_acknowledged, begin_ns, files);
  acknowledged(json, "reply_acknowledged", exchange.timeline.reply_acknowledged, begin_ns, files);
  json.list("setbacks");
  for (const flow::Disturbance& one : setbacks.told) {
    json.object();
    json_frame(json, "frame", "file", one.at, files);
    json.number("us", since_us(one.at, begin_ns));
    json.text("what", kKinds[static_cast<size_t>(one.kind)]);
    json.text("by", one.from == exchange.requester ? "requester" : "responder");
    json.end_object();
  }
  json.end_list();
  if (setbacks.all > setbacks.told.size()) {
    json.number("setbacks_in_all", setbacks.all);
  }
}

}  // namespace steertag::report
