#include <string>
#include <string_view>

#include "report/csv_line.h"
#include "report/record/flat_teller.h"
#include "report/record/stat.h"
#include "report/stats.h"

namespace steertag::report {
namespace {

// The columns are the members of the record, but for "rest", which stands in those of a group; and what went
// by before the last attempt stands behind the phases of that.
class StatLine {
 public:
  StatLine(Buffer& out, bool heading, bool rest) : line_(out), heading_(heading), rest_(rest) {}

  void put(std::string_view name, uint64_t value) { cell(name, fmt::format("{}", value)); }
  void put(std::string_view name, std::string_view value) { cell(name, value); }
  void put(std::string_view name, track::ConnectionNumber value) { cell(name, fmt::format("{}", value)); }
  // Times of those that are timed are 0 where they are left out.
  void nothing(std::string_view name) { cell(name, {}); }
  void end() { line_.end(); }

 private:
  void cell(std::string_view name, std::string_view value) {
    if (name == "rest") {
      of_group_ = false;
    } else if (name == kEarlier) {
      earlier_ = value;
    } else {
      add(name, value);
    }
    timed_ |= name == "timed" && value != "0";
    if (name == kLastPhase) {
      add(kEarlier, earlier_);
    }
  }
  void add(std::string_view name, std::string_view value) {
    line_.text(heading_                  ? column(name)
               : of_group_ && rest_      ? "(rest)"  // no group has such a name
               : timed_ && value.empty() ? "0"
                                         : std::string(value));
  }
  // "delivered_us_p50" is delivered_p50_us, "phases_call" is call_us.
  static std::string column(std::string_view name) {
    constexpr std::string_view kDelivered = "delivered_us_", kPhases = "phases_";
    return name.starts_with(kDelivered) ? fmt::format("delivered_{}_us", name.substr(kDelivered.size()))
           : name.starts_with(kPhases)  ? fmt::format("{}_us", name.substr(kPhases.size()))
                                        : std::string(name);
  }

  static constexpr std::string_view kEarlier = "phases_earlier", kLastPhase = "phases_reply";
  CsvLine line_;
  bool heading_, rest_;
  bool of_group_ = true, timed_ = false;
  std::string earlier_;
};

void put_stat(Buffer& out, const Stat& stat, bool heading) {
  StatLine sink(out, heading, stat.key == nullptr);
  const Files none;
  record::FlatTeller<StatLine> to(sink, none, true);
  tell(to, record::Stat{stat});
  sink.end();
}

}  // namespace

void csv_heading(Buffer& out, const stats::Grouping& by) {
  put_stat(out, {by, nullptr, std::nullopt, stats::Totals()}, true);
}

void csv_stat(Buffer& out, const Stat& stat) {
  put_stat(out, stat, false);
}

}  // namespace steertag::report
