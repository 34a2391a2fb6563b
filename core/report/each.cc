#include "report/each.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/counted.h"
#include "report/table.h"

namespace steertag::report {
namespace {

// Bytes of the path of the folder that all of several files are in, with the slash behind it.
size_t common_folder(std::span<const AuditedFile> files) {
  std::string_view common = files.size() > 1 ? std::string_view(files[0].path) : std::string_view();
  for (const AuditedFile& file : files) {
    const auto [end, other] = std::mismatch(common.begin(), common.end(), file.path.begin(), file.path.end());
    common = common.substr(0, static_cast<size_t>(end - common.begin()));
  }
  return common.rfind('/') + 1;  // npos + 1 is 0
}

std::vector<std::string> row_of(const std::string& name, int status, const FindingCounts& found,
                                const Counters& counters, uint64_t judged, const std::string& remark) {
  return {name,
          std::to_string(status),
          std::to_string(found.error),
          std::to_string(found.warning),
          std::to_string(found.note),
          std::to_string(found.known.value_or(0)),
          std::to_string(counters.exchanges),
          std::to_string(counters.connections),
          std::to_string(judged),
          remark};
}

std::vector<std::string> row_of(const AuditedFile& file, size_t folder) {
  const std::string name = base::printable(std::string_view(file.path).substr(folder));
  const std::string remark = base::printable(file.remark);
  if (file.unread) {
    return {name, std::to_string(file.status), "-", "-", "-", "-", "-", "-", "-", remark};
  }
  return row_of(name, file.status, file.found, file.counters, file.judged, remark);
}

}  // namespace

FileCounts counts_of(std::span<const AuditedFile> files) {
  FileCounts counts;
  for (const AuditedFile& file : files) {
    ++(file.status == 0 ? counts.passed : file.status == 1 ? counts.failed : counts.unread);
  }
  return counts;
}

Counters sum_of(std::span<const AuditedFile> files) {
  Counters sum;
  for (const AuditedFile& file : files) {
    sum.add_capture(file.counters);
  }
  return sum;
}

FindingCounts found_in(std::span<const AuditedFile> files) {
  FindingCounts sum;
  for (const AuditedFile& file : files) {
    sum.add(file.found);
  }
  return sum;
}

void text_each(Buffer& out, const AuditedFiles& all, const TextStyle& style) {
  using Align = Table::Align;
  const size_t folder = common_folder(all.files);
  if (folder != 0) {
    print(out, "in {}\n", base::printable(std::string_view(all.files[0].path).substr(0, folder)));
  }
  // Where there is no room, what says least leaves first.
  const std::vector<Table::Column> columns = {{"file", Align::left},
                                              {"status"},
                                              {"errors"},
                                              {"warnings", Align::right, 2},
                                              {"notes", Align::right, 4},
                                              {"known", Align::right, 7},
                                              {"RPCs", Align::right, 3},
                                              {"conns", Align::right, 5},
                                              {"rules", Align::right, 6},
                                              {"", Align::left, 1}};
  constexpr size_t kKnown = 5;  // is of interest only where something is known
  const auto drop_known = [&](auto cells) {
    if (!all.found.known) {
      cells.erase(cells.begin() + kKnown);
    }
    return cells;
  };
  Table table(drop_known(columns));
  for (const AuditedFile& file : all.files) {
    table.add(drop_known(row_of(file, folder)));
  }
  if (all.files.size() > 1) {
    table.add(drop_known(row_of("all", all.status, all.found, sum_of(all.files), all.judged, {})));
  }
  table.print(out, style.width != 0 ? style.width : SIZE_MAX, style.palette);
  const FileCounts counts = counts_of(all.files);
  print(out, "{}: {} without findings that count, {} with some, {} not read, or not to the end\n",
        base::counted(all.files.size(), "file"), counts.passed, counts.failed, counts.unread);
}

}  // namespace steertag::report
