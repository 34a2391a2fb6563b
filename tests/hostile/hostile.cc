// Runs the command on mutants of captures, many a second, and holds every run to what must be true of
// it (judge.h). Each mutant goes through one of the commands, in rotation, and now and then one of
// a small capture through all of them.
//
//   hostile [--seed N] [--runs N] [--from N] CAPTURE...
//
// N runs a capture, from the given one on, 0 at first. Where something is wrong, the mutant is left in the
// current folder, and the command line that shows it is printed, with what repeats just this run here. Exit
// status: 0, or 1 where anything was wrong.
#include <fmt/core.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "judge.h"
#include "trial.h"

namespace {

using namespace steertag::hostile;

constexpr size_t kSmall = 64 * 1024;  // bytes of a capture
constexpr size_t kAllOnceIn = 400;    // of whose mutants one in so many goes through all commands
constexpr size_t kMostKept = 20;      // failures

struct Asked {
  uint64_t seed = 1, runs = 100, from = 0;
  std::vector<std::string> captures;
};

// What became of the runs of one command.
struct Row {
  uint64_t mutants = 0, runs = 0, wrong = 0;
  std::array<uint64_t, 3> status{};
  double seconds = 0, longest = 0;
};

class Test {
 public:
  explicit Test(Asked asked) : asked_(std::move(asked)), rows_(commands().size()) {}

  int run() {
    for (const std::string& path : asked_.captures) {
      if (!std::filesystem::exists(path)) {
        fmt::print(stderr, "{}: there is no such capture\n", path);
        return 2;
      }
      mutate(read_capture(path));
    }
    print();
    return wrong_ == 0 && mutants_ != 0 ? 0 : 1;
  }

 private:
  void mutate(const Capture& capture) {
    const std::string name = std::filesystem::path(capture.path).parent_path().filename().string() + "/" +
                             std::filesystem::path(capture.path).filename().string();
    const size_t first = std::hash<std::string>{}(name);  // other captures beside it change nothing
    for (uint64_t run = asked_.from; run < asked_.from + asked_.runs; ++run) {
      Chance chance(std::hash<std::string>{}(fmt::format("{} {} {}", asked_.seed, run, name)));
      const Octets bytes = mutant(capture, chance);
      runner_.put(kCapture, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      ++mutants_;
      const bool all = capture.bytes.size() <= kSmall && run % kAllOnceIn == 0;
      const size_t chosen = (run + first) % commands().size();
      for (size_t i = 0; i < commands().size(); ++i) {
        if (all || i == chosen) {
          put_other(commands()[i], capture, chance);
          judge(capture, run, i, bytes.size());
        }
      }
    }
  }

  void put_other(const Command& command, const Capture& capture, Chance& chance) {
    if (command.how == How::twice) {
      const Octets other = mutant(capture, chance);
      runner_.put(kOther, {reinterpret_cast<const char*>(other.data()), other.size()});
    }
  }

  void judge(const Capture& capture, uint64_t run, size_t which, size_t size) {
    const Verdict verdict = attempt(runner_, commands()[which], size);
    Row& row = rows_[which];
    ++row.mutants;
    row.runs += static_cast<uint64_t>(verdict.runs);
    row.seconds += verdict.seconds;
    row.longest = std::max(row.longest, verdict.seconds);
    if (verdict.status >= 0 && verdict.status <= 2) {
      ++row.status[static_cast<size_t>(verdict.status)];
    }
    if (!verdict.wrong.empty()) {
      ++row.wrong;
      report(capture, run, which, verdict.wrong);
    }
  }

  void report(const Capture& capture, uint64_t run, size_t which, const std::string& wrong) {
    const Command& command = commands()[which];
    if (++wrong_ > kMostKept) {
      return;
    }
    const std::string kept = fmt::format("hostile-{}.pcap", wrong_);
    std::error_code ignored;
    std::filesystem::copy_file(runner_.path(kCapture), kept,
                               std::filesystem::copy_options::overwrite_existing, ignored);
    fmt::print("{}\n  steertag {} {}{}\n  again: --seed {} --from {} --runs 1 {}\n", wrong, command.line,
               kept, name(command).substr(command.line.size()), asked_.seed, run, capture.path);
    if (command.how == How::twice) {
      std::filesystem::copy_file(runner_.path(kOther), kept + ".other",
                                 std::filesystem::copy_options::overwrite_existing, ignored);
    }
    std::fflush(stdout);
  }

  void print() const {
    Row sum;
    fmt::print("{:<58} {:>8} {:>8} {:>8} {:>8} {:>6} {:>6} {:>9} {:>9}\n", "command", "mutants", "runs", "0",
               "1", "2", "wrong", "CPU s", "longest");
    const auto line = [](const std::string& name, const Row& row) {
      fmt::print("{:<58} {:>8} {:>8} {:>8} {:>8} {:>6} {:>6} {:>9.1f} {:>9.3f}\n", name, row.mutants,
                 row.runs, row.status[0], row.status[1], row.status[2], row.wrong, row.seconds, row.longest);
    };
    for (size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      line(name(commands()[i]), row);
      sum.mutants += row.mutants, sum.runs += row.runs, sum.wrong += row.wrong, sum.seconds += row.seconds;
      sum.longest = std::max(sum.longest, row.longest);
      for (size_t status = 0; status < sum.status.size(); ++status) {
        sum.status[status] += row.status[status];
      }
    }
    line(fmt::format("{} mutants of {} captures", mutants_, asked_.captures.size()), sum);
  }

  Asked asked_;
  Runner runner_;
  std::vector<Row> rows_;
  uint64_t mutants_ = 0, wrong_ = 0;
};

Asked ask(int argc, char** argv) {
  Asked asked;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    uint64_t* const number = word == "--seed"   ? &asked.seed
                             : word == "--runs" ? &asked.runs
                             : word == "--from" ? &asked.from
                                                : nullptr;
    if (number != nullptr && i + 1 < argc) {
      *number = std::strtoull(argv[++i], nullptr, 10);
    } else {
      asked.captures.push_back(word);
    }
  }
  return asked;
}

}  // namespace

int main(int argc, char** argv) {
  Asked asked = ask(argc, argv);
  if (asked.captures.empty()) {
    fmt::print(stderr, "usage: {} [--seed N] [--runs N] [--from N] CAPTURE...\n", argv[0]);
    return 2;
  }
  return Test(std::move(asked)).run();
}
