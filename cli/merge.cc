// steertag merge: the records of all shares of a capture, as one run would have printed them.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "commands.h"
#include "host/conflicts.h"
#include "host/descriptors.h"
#include "host/failure.h"
#include "host/output.h"
#include "host/sandbox.h"
#include "host/stream.h"
#include "options.h"
#include "product/policy.h"
#include "report/merger.h"
#include "report/share.h"
#include "report/stream.h"
#include "rules/catalog.h"

namespace steertag::cli {
namespace {

constexpr uint64_t worst_status = 2;                 // of a run: it could not do the work
constexpr size_t longest_record = 16 * 1024 * 1024;  // bytes; those that runs write are far shorter

struct MergeOptions {
  std::vector<std::string> records;
  std::string output;
  bool sandbox = true;
};

// The records of one share, from its first line to its last.
class ShareFile final : public report::Pieces {
 public:
  explicit ShareFile(const std::string& path) : path_(path), stream_(path) {}

  // Its first line, before anything else.
  void begin() {
    if (!read_line() || !report::read_share_stream(line_, STEERTAG_VERSION, name_)) {
      fail("does not begin as the records of a share do, which this version of steertag has written");
    }
  }

  void rest() { stream_.rest(); }
  const std::string& path() const { return path_; }
  const report::ShareName& name() const { return name_; }
  const report::ShareTotals& totals() const { return totals_; }  // once there are no more pieces

  bool next(report::Piece& piece) override {
    if (!read_line()) {
      fail("ends too early: the run that wrote it did not come to its end");
    }
    if (report::read_totals(line_, totals_)) {
      if (totals_.rules && totals_.tallies.size() != rules::catalog().size()) {
        fail_here("other rules");
      }
      if (totals_.status > worst_status) {
        fail_here("a status that no run ends with");
      }
      end();
      return false;
    }
    if (!report::read_piece(line_, piece, text_)) {
      fail_here("not a record of a share");
    }
    if (piece.at < before_ || piece.number > promises_ + 1) {
      fail_here("not the record that comes next");
    }
    before_ = piece.at;
    promises_ = std::max(promises_, piece.number);
    return true;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw host::Failure(host::shown(path_) + ": " + why);
  }
  [[noreturn]] void fail_here(const std::string& what) const {
    fail(fmt::format("line {}: {}", lines_, what));
  }

  // False at the end.
  bool read_more() {
    constexpr size_t piece = 64 * 1024;
    const size_t size = data_.size();
    data_.resize(size + piece);
    const int64_t got = stream_.read(reinterpret_cast<uint8_t*>(data_.data()) + size, piece);
    data_.resize(size + static_cast<size_t>(std::max<int64_t>(got, 0)));
    if (got < 0 || !stream_.trouble().empty()) {
      fail(got < 0 ? host::reason(stream_.read_error()) : stream_.trouble());
    }
    return got > 0;
  }

  bool read_line() {
    size_t end = 0;
    for (size_t searched = begin_; (end = data_.find('\n', searched)) == std::string::npos;) {
      data_.erase(0, std::exchange(begin_, 0));
      searched = data_.size();
      if (searched > longest_record) {
        fail(fmt::format("line {}: is too long for a record", lines_ + 1));
      }
      if (!read_more()) {
        return false;
      }
    }
    line_ = std::string_view(data_).substr(begin_, end - begin_);
    begin_ = end + 1;
    ++lines_;
    return true;
  }

  // Nothing follows; of what is compressed, the checksum comes last.
  void end() {
    if (begin_ != data_.size() || read_more()) {
      fail(fmt::format("goes on behind line {}, the last of a share", lines_));
    }
  }

  std::string path_;
  host::Stream stream_;
  std::string data_, text_;
  size_t begin_ = 0;  // of data_ that was not yet used
  std::string_view line_;
  uint64_t lines_ = 0;
  report::ShareName name_;
  report::ShareTotals totals_;
  Moment before_;
  uint32_t promises_ = 0;
};

using Files = std::vector<std::unique_ptr<ShareFile>>;

Files open_all(const std::vector<std::string>& paths, bool may_stay_open) {
  Files files;
  for (const std::string& path : paths) {
    files.push_back(std::make_unique<ShareFile>(path));
    if (!may_stay_open) {
      files.back()->rest();
    }
  }
  return files;
}

// Reads which shares they are, and puts them in this order.
void begin_all(Files& files) {
  for (const auto& file : files) {
    file->begin();
    if (file->name().run != files[0]->name().run || file->name().of != files[0]->name().of ||
        file->name().head != files[0]->name().head) {
      throw host::Failure(fmt::format("{} and {}: are not shares of one run", host::shown(files[0]->path()),
                                      host::shown(file->path())));
    }
  }
  std::sort(files.begin(), files.end(),
            [](const auto& x, const auto& y) { return x->name().place < y->name().place; });
  const uint64_t of = files[0]->name().of;
  for (uint64_t place = 1; place <= of; ++place) {
    const auto times = std::count_if(files.begin(), files.end(),
                                     [&](const auto& file) { return file->name().place == place; });
    if (times != 1) {
      throw host::Failure(
          fmt::format("share {} of {} {}", place, of, times == 0 ? "is missing" : "is there more than once"));
    }
  }
}

report::ShareTotals sum(const Files& files) {
  report::ShareTotals all = files[0]->totals();
  for (const auto& file : files) {
    const report::ShareTotals& one = file->totals();
    if (one.counters.frames != all.counters.frames || one.files != all.files) {
      throw host::Failure(fmt::format("share {} is of {}, share 1 of {}: not of the same captures",
                                      file->name().place, base::counted(one.counters.frames, "frame"),
                                      base::counted(all.counters.frames, "frame")));
    }
    if (file == files[0]) {
      continue;
    }
    all.counters.add_share(one.counters);
    all.findings.add(one.findings);
    all.seen.add(one.seen);
    all.status = std::max(all.status, one.status);
    for (size_t i = 0; i < std::min(all.tallies.size(), one.tallies.size()); ++i) {
      all.tallies[i].add(one.tallies[i]);
    }
  }
  return all;
}

void put_end(report::Buffer& out, const report::ShareTotals& all) {
  for (size_t i = 0; all.show_tallies && i < all.tallies.size(); ++i) {
    report::json_tally(out, *rules::catalog()[i], all.tallies[i]);
  }
  report::json_summary(out, {.files = all.files,
                             .counters = all.counters,
                             .findings = all.rules ? &all.findings : nullptr,
                             .cut = all.cut,
                             .damaged = all.damaged,
                             .seen = &all.seen});
}

// The runs that wrote the shares have said it of each capture, but who merges may not have seen that.
std::string why_failed(const report::ShareTotals& all) {
  const std::string_view what = all.damaged              ? "a capture is damaged"
                                : all.cut == "truncated" ? "a capture is cut short"
                                : all.cut.empty()        ? "a capture could not be read to its end"
                                                         : "a run was interrupted";
  return fmt::format("{}; the shares are of what was read up to there, {}", what,
                     base::counted(all.counters.frames, "frame"));
}

int merge(const MergeOptions& options) {
  host::refuse_conflicts(options.records, {options.output});
  const bool may_stay_open = host::may_open(options.records.size());
  Files files = open_all(options.records, may_stay_open);
  host::Output output;
  output.open(options.output);
  if (options.sandbox) {
    host::enter_sandbox({.read_again = may_stay_open ? std::vector<std::string>() : options.records,
                         .folders = output.folders()});
  }
  begin_all(files);
  report::put(output.buffer(), files[0]->name().head + "}\n");
  std::vector<report::Pieces*> pieces;
  for (const auto& file : files) {
    pieces.push_back(file.get());
  }
  report::Merger merger(files.size());
  merger.merge(pieces, output.buffer(), [&] {
    output.record_done();
    output.check();
  });
  const report::ShareTotals all = sum(files);
  put_end(output.buffer(), all);
  output.close();
  const std::vector<std::string> unjudged = product::unjudged(product::split(all.required), all.tallies);
  for (const std::string& line : unjudged) {
    host::complain(line);
  }
  if (all.status == worst_status) {
    host::complain(why_failed(all));
  }
  return static_cast<int>(std::max<uint64_t>(all.status, unjudged.empty() ? 0 : 1));
}

}  // namespace

void add_merge(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* command =
      app.add_subcommand("merge", "the records of parts that were run apart (--shard), as those of one run");
  command
      ->add_option("RECORDS", options->records,
                   "what each share's run has written, in any order; plain,\ngzip or zstd")
      ->required()
      ->type_name("")
      ->option_text("...");
  add_output_option(*command, options->output);
  add_sandbox_option(*command, options->sandbox);
  command->callback([options, &chosen] { chosen = [options] { return merge(*options); }; });
}

}  // namespace steertag::cli
