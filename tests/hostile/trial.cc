#include "trial.h"

#include <fmt/core.h>

#include "judge.h"

namespace steertag::hostile {
namespace {

constexpr const char* kResult = "result";
constexpr const char* kOld = "what it held\n";
constexpr int kShares = 3;

class Trial {
 public:
  Trial(const Runner& runner, const Command& command, size_t size)
      : runner_(runner), command_(command), size_(size) {}

  Verdict verdict() {
    switch (command_.how) {
      case How::once:
        judged(run({"--threads", "1", runner_.path(kCapture)}));
        break;
      case How::input:
        judged(run({"-"}, kCapture));
        break;
      case How::twice:
        judged(run({runner_.path(kCapture), runner_.path(kOther)}));
        break;
      case How::threads:
        threads();
        break;
      case How::replacing:
        replacing();
        break;
      case How::shares:
        shares();
        break;
      case How::capture:
        capture();
        break;
    }
    return verdict_;
  }

 private:
  Outcome run(const std::vector<std::string>& more, const std::string& input = {}) {
    std::vector<std::string> arguments = words(command_.line);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return measured(runner_.run(arguments, input));
  }
  Outcome measured(Outcome outcome) {
    verdict_.seconds += outcome.seconds;
    ++verdict_.runs;
    return outcome;
  }
  Outcome judged(Outcome outcome) {
    verdict_.status = outcome.status;
    require(judge(command_, outcome, size_));
    return outcome;
  }
  void require(const std::string& wrong) { verdict_.wrong = verdict_.wrong.empty() ? wrong : verdict_.wrong; }
  void require(bool holds, const char* otherwise) { require(holds ? "" : otherwise); }

  void threads() {
    const Outcome one = judged(run({"--threads", "1", runner_.path(kCapture)}));
    const Outcome three = judged(run({"--threads", "3", runner_.path(kCapture)}));
    // Each thread has a part of --memory.
    const bool enough = (one.err + three.err).find(" of memory were not enough ") == std::string::npos;
    require(!enough || (one.out == three.out && one.err == three.err && one.status == three.status),
            "three threads say something else than one");
  }

  void replacing() {
    const std::string file = runner_.put(kResult, kOld);
    const size_t files = runner_.files();
    const Outcome outcome = run({"-o", file, runner_.path(kCapture)});
    const Outcome direct = judged(run({runner_.path(kCapture)}));
    const std::string result = runner_.read(kResult);
    require(outcome.status == direct.status && outcome.out.empty(),
            "-o changes more than where it is written");
    require(result == direct.out || (outcome.status == 2 && result == kOld),
            "a part of the result was written");
    require(runner_.files() == files, "a temporary file stays");
    runner_.remove(kResult);
  }

  void shares() {
    const Outcome whole = judged(run({runner_.path(kCapture)}));
    std::vector<std::string> merge{"merge"};
    bool all = whole.out.find(R"({"type":"summary")") != std::string::npos;
    for (int share = 1; all && share <= kShares; ++share) {
      const Outcome part = run({"--shard", fmt::format("{}/{}", share, kShares), runner_.path(kCapture)});
      require(part.status == whole.status || part.status == 0 || part.status == 1,
              "a share ends otherwise than the whole");
      merge.push_back(runner_.put(fmt::format("share-{}", share), part.out));
    }
    if (all) {
      const Outcome merged = measured(runner_.run(merge));
      require(judge_merged(merged, size_ + whole.out.size()));
      require(merged.out == whole.out && merged.status == whole.status, "shares do not make up the whole");
      std::string damaged = runner_.read("share-1");
      damaged[size_ * 31 % damaged.size()] ^= static_cast<char>(1 << size_ % 7);  // anywhere
      runner_.put("share-1", damaged);
      require(judge_damaged(measured(runner_.run(merge)), size_ + whole.out.size()));
    }
  }

  void capture() {
    const Outcome outcome = judged(run({"-o", "-", runner_.path(kCapture)}));
    if (outcome.out.empty()) {
      return require(outcome.status == 2, "no capture was written");
    }
    const std::string file = runner_.put(kResult, outcome.out);
    const Outcome read = measured(runner_.run({"audit", "--fail-on", "never", file}));
    // Frames of a link type that nobody here reads are copied as they are.
    const auto foreign = [](const Outcome& of) {
      return of.status == 2 && of.err.find(" is not one that steertag reads") != std::string::npos;
    };
    require(read.status == 0 || (foreign(outcome) && foreign(read)),
            "the capture that was written cannot be read");
    runner_.remove(kResult);
  }

  const Runner& runner_;
  const Command& command_;
  size_t size_;
  Verdict verdict_;
};

}  // namespace

Verdict attempt(const Runner& runner, const Command& command, size_t size) {
  return Trial(runner, command, size).verdict();
}

}  // namespace steertag::hostile
