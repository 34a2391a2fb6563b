// The structs of include/steertag and library/members.h, as the records of core/report/record say that they
// are: whether they lie there like that, or with --update, written there.
//
// usage: library_records [--update]
#include <fmt/core.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "library/struct_teller.h"
#include "library/summary_record.h"
#include "report/record/connection.h"
#include "report/record/finding.h"
#include "report/record/message.h"
#include "report/record/nothing.h"
#include "report/record/rpc.h"
#include "report/record/rule.h"
#include "report/record/stat.h"

namespace steertag::library {
namespace {

namespace record = report::record;

// The files that are made, one after the other, by their paths.
struct Made {
  std::vector<std::pair<std::string, std::string>> headers;
  std::string structs, each;  // of all so far

  // A header with one struct, or with one more.
  template <typename Told>
  void add(const std::string& path, const std::string& name, const Told& told,
           std::vector<std::string_view> left_out = {}) {
    StructTeller to(name, std::move(left_out));
    tell(to, told);
    const std::string text = to.shared(structs) + to.text(Told::kSays);
    structs += text;
    each += to.each();
    if (!headers.empty() && headers.back().first == path) {
      headers.back().second += '\n' + text;
    } else {
      headers.emplace_back(path, text);
    }
  }
};

Made made() {
  const record::Nothing nothing;
  const stats::Grouping by{.op = true,
                           .connection = true,
                           .client = true,
                           .server = true,
                           .file = true,
                           .user = true,
                           .interval_ns = 0};
  const stats::Key key;
  const report::Stat stat{by, &key, std::nullopt, nothing.totals};
  Made all;
  all.add("rule", "Rule", record::Rule{nothing.rule, true});
  all.add("rule", "Tally", record::Tally{nothing.rule, nothing.tally});
  all.add("finding", "Finding", record::Finding{nothing.finding}, {"excerpt", "known", "known_reason"});
  all.add("connection", "Connection", record::Connection{nothing.connection, 0, report::Stage::ended},
          {"rpcrdma"});
  all.add("message", "Message", record::Message{nothing.message});
  all.add("rpc", "Rpc", record::Rpc{nothing.exchange});
  all.add("stat", "Stat", record::Stat{stat});
  all.add("summary", "Summary", SummaryRecord{nothing.summary.counters, nullptr, nothing.seen});
  return all;
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Whether the file is like that, or is now.
bool check(const std::string& path, const std::string& text, bool update) {
  if (update) {
    std::ofstream(path, std::ios::binary) << text;
  }
  const bool same = read(path) == text;
  if (!same) {
    fmt::print("{} is not what the records say: scripts/update-expected writes it\n", path);
  }
  return same;
}

int run(bool update) {
  constexpr std::string_view kMade =
      "// Made of the records in core/report/record, which say each member once, by "
      "scripts/update-expected.\n";
  const Made all = made();
  bool same = true;
  std::string includes;
  for (const auto& [name, text] : all.headers) {
    includes += fmt::format("#include <steertag/{}.h>\n", name);
    same &=
        check(fmt::format(STEERTAG_ROOT "/include/steertag/{}.h", name),
              fmt::format(
                  "// What `steertag schema` describes, as structs of your own. A member that does not apply "
                  "is unset, empty, 0\n// or false.\n{}// clang-format off\n#pragma once\n\n"
                  "#include <array>\n#include <cstddef>\n#include <cstdint>\n#include <optional>\n"
                  "#include <string>\n#include <string_view>\n#include <vector>\n\n{}"
                  "#include <steertag/version.h>\n\nnamespace steertag::v0 {{\n\n{}\n}}  // namespace "
                  "steertag::v0\n",
                  kMade, name == "finding" ? "#include <steertag/rule.h>\n" : "", text),
              update);
  }
  return check(
             STEERTAG_ROOT "/library/members.h",
             fmt::format(
                 "// each(): the members of a struct of include/steertag, by the names that they have in its "
                 "record.\n// visit(name, member) is called for each of them, in their order.\n{}"
                 "// clang-format off\n#pragma once\n\n{}\nnamespace steertag::library {{\n\n{}\n}}  // "
                 "namespace steertag::library\n",
                 kMade, includes, all.each),
             update) &&
                 same
             ? 0
             : 1;
}

}  // namespace
}  // namespace steertag::library

int main(int argc, char** argv) {
  return steertag::library::run(argc == 2 && std::string_view(argv[1]) == "--update");
}
