#include <string>
#include <string_view>
#include <utility>

#include "report/json.h"
#include "report/losses.h"
#include "report/record/flat_teller.h"
#include "report/record/loss.h"
#include "report/record/rpc.h"
#include "report/record/stat.h"
#include "report/stats.h"

namespace steertag::report {
namespace {

// A line of comma-separated values (RFC 4180), one value after the other. The caller ends each line, and sees
// to it that all have as many values.
class CsvLine {
 public:
  explicit CsvLine(Buffer& out) : out_(out) {}
  void text(std::string_view value) {
    if (!std::exchange(first_, false)) {
      put(out_, ',');
    }
    csv_value(out_, value);
  }
  void end() { put(out_, '\n'); }

 private:
  Buffer& out_;
  bool first_ = true;
};

// The columns are the members of the record, but for "rest", which stands in those of a group; and what went
// by before the last attempt stands behind the phases of that.
class StatLine {
 public:
  StatLine(Buffer& out, bool heading, bool rest) : line_(out), heading_(heading), rest_(rest) {}

  void put(std::string_view name, const auto& value) { cell(name, fmt::format("{}", value)); }
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

// The names of all that could be there.
struct Heading {
  void put(std::string_view name, const auto& /*value*/) { line.text(name); }
  void nothing(std::string_view name) { line.text(name); }
  CsvLine line;
};

struct Row {
  // Of a connection: a number, or what stands for one that is not known yet.
  void put(std::string_view /*name*/, const auto& value) { line.text(fmt::format("{}", value)); }
  void nothing(std::string_view /*name*/) { line.text({}); }
  CsvLine line;
};

template <typename Sink>
void put_line(Buffer& out, const auto& record, const Files& files) {
  Sink sink{CsvLine(out)};
  record::FlatTeller<Sink> to(sink, files, true);
  tell(to, record);
  sink.line.end();
}

}  // namespace

void csv_heading(Buffer& out, const stats::Grouping& by) {
  put_stat(out, {by, nullptr, std::nullopt, stats::Totals()}, true);
}

void csv_stat(Buffer& out, const Stat& stat) {
  put_stat(out, stat, false);
}

void csv_value(Buffer& out, std::string_view value) {
  if (value.find_first_of(",\"\r\n") == std::string_view::npos) {
    return put(out, value);
  }
  put(out, '"');
  for (const char c : value) {
    put(out, c);
    if (c == '"') {
      put(out, c);
    }
  }
  put(out, '"');
}

void csv_rpc_heading(Buffer& out, const Files& files) {
  const track::Connection connection;
  flow::Exchange nothing;
  nothing.connection = &connection;
  put_line<Heading>(out, record::Rpc{nothing}, files);
}

void csv_rpc(Buffer& out, const flow::Exchange& exchange, const Files& files) {
  put_line<Row>(out, record::Rpc{exchange}, files);
}

void csv_loss_heading(Buffer& out, const Files& files) {
  const loss::Entry nothing;
  put_line<Heading>(out, record::Loss{nothing}, files);
}

void csv_loss(Buffer& out, const loss::Entry& entry, const Files& files) {
  put_line<Row>(out, record::Loss{entry}, files);
}

}  // namespace steertag::report
