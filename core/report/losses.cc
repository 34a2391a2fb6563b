#include "report/losses.h"

#include "report/json.h"
#include "report/record/flat_teller.h"
#include "report/record/json_teller.h"
#include "report/record/loss.h"
#include "report/stats.h"

namespace steertag::report {
namespace {

// One line of CSV: the names, or the values.
struct LossLine {
  Buffer& out;
  bool heading = false;
  bool first = true;

  void put(std::string_view name, const auto& value) {
    cell(heading ? std::string(name) : fmt::format("{}", value));
  }
  void nothing(std::string_view name) { cell(heading ? std::string(name) : std::string()); }
  void cell(const std::string& text) {
    first ? void() : report::put(out, ',');
    first = false;
    csv_value(out, text);
  }
};

void put_line(Buffer& out, const loss::Entry& entry, const Files& files, bool heading) {
  LossLine line{out, heading};
  record::FlatTeller<LossLine> to(line, files, true);
  tell(to, record::Loss{entry});
  put(out, '\n');
}

}  // namespace

void json_loss(Buffer& out, const loss::Entry& entry, const Files& files) {
  record::print(out, record::Loss{entry}, files);
}

void csv_loss_heading(Buffer& out, const Files& files) {
  put_line(out, {}, files, true);
}

void csv_loss(Buffer& out, const loss::Entry& entry, const Files& files) {
  put_line(out, entry, files, false);
}

}  // namespace steertag::report
