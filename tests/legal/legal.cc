// Sessions of random traffic that keeps the rules, through an Audit: nothing above a note may be found. Then
// with one fault planted: that is found, at least likely, and no other error.
//
//   legal [--seed N] [--sessions N] [--faults N]   so many faults in each session
//   legal --show NUMBER [--fault NAME]             the session as a scenario, for steertag synth
//
// Prints what the sessions had, which notes they drew, how many rules they put to the test, and how often
// each fault was planted and found. Exits with 1 where anybody was accused wrongly, a fault was missed, or,
// of a thousand sessions and more, something that the test is to try never occurred.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dice.h"
#include "faults.h"
#include "judge.h"
#include "rules/catalog.h"
#include "session.h"

namespace {

using namespace steertag;
using legal::Fault;
using legal::Session;
using rules::Profile;

constexpr size_t kMostShown = 40;
constexpr uint64_t kEnough = 1000;  // sessions, for everything to occur

std::string_view name(Profile profile) {
  return profile == Profile::deployed ? "deployed" : profile == Profile::strict ? "strict" : "rfc5666";
}

// The same fault is planted at the same place of the same session, whatever else is.
legal::Dice dice_for(uint64_t seed, uint64_t number, const Fault& fault) {
  uint64_t hash = seed * 0x9E3779B97F4A7C15 + number;
  for (const char letter : fault.name) {
    hash = hash * 0x100000001B3 + static_cast<uint8_t>(letter);
  }
  return legal::Dice(hash);
}

struct Score {
  const Fault* fault = nullptr;
  uint64_t planted = 0, found = 0, alone = 0;
  std::map<std::string_view, uint64_t> beside;  // warnings by other rules
};

class Trial {
 public:
  Trial(uint64_t seed, size_t faults) : seed_(seed), faults_(faults) {
    for (const auto list :
         {legal::faults_in_messages(), legal::added_faults(), legal::added_faults_version_two()}) {
      for (const Fault& fault : list) {
        scores_.push_back({&fault, 0, 0, 0, {}});
      }
    }
    tallies_.resize(rules::catalog().size());
  }

  void take(uint64_t number) {
    const Session session = legal::tell(seed_, number);
    ++sessions_;
    for (const std::string& feature : session.features) {
      ++features_[feature];
    }
    const std::string text = session.text();
    for (const Profile profile : session.profiles) {
      whole(number, text, profile);
    }
    if (!session.features.contains("setup not captured")) {
      plant(number, session);
    }
  }

  bool report() const;

 private:
  void say(const std::string& what) {
    if (said_++ < kMostShown) {
      fmt::print("{}\n", what);
    }
  }

  void whole(uint64_t number, const std::string& text, Profile profile) {
    const legal::Verdict verdict = legal::judge(text, profile);
    ++judged_;
    if (!verdict.error.empty()) {
      ++wrong_;
      return say(fmt::format("session {}: no scenario: {}", number, verdict.error));
    }
    for (const legal::Seen& seen : verdict.found) {
      if (seen.severity == rules::Severity::note) {
        ++notes_[seen.rule];
      } else {
        ++wrong_;
        say(fmt::format("session {} ({}): {}", number, name(profile), seen.text));
      }
    }
    for (size_t i = 0; i < tallies_.size(); ++i) {
      tallies_[i].add(verdict.tallies[i]);
    }
  }

  // Those that were planted least so far.
  void plant(uint64_t number, const Session& session) {
    std::vector<Score*> order;
    for (Score& score : scores_) {
      order.push_back(&score);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const Score* a, const Score* b) { return a->planted < b->planted; });
    size_t left = faults_;
    for (Score* score : order) {
      left -= left != 0 && plant(number, session, *score) ? 1 : 0;
    }
  }

  bool plant(uint64_t number, const Session& session, Score& score) {
    legal::Dice dice = dice_for(seed_, number, *score.fault);
    std::vector<Profile> under;
    for (const Profile profile : session.profiles) {
      if (legal::is_under(score.fault->under, profile)) {
        under.push_back(profile);
      }
    }
    Session broken = session;
    if (under.empty() || !score.fault->plant(broken, dice, *score.fault)) {
      return false;
    }
    ++score.planted;
    const Profile profile = dice.one_of(under);
    const legal::Verdict verdict = legal::judge(broken.text(), profile);
    bool found = false;
    std::string others;
    for (const legal::Seen& seen : verdict.found) {
      const bool sure =
          seen.severity != rules::Severity::note && seen.certainty != rules::Certainty::possible;
      found |= seen.rule == score.fault->rule && sure;
      if (seen.rule != score.fault->rule && seen.severity == rules::Severity::error) {
        others += "\n    " + seen.text;
      } else if (seen.rule != score.fault->rule && seen.severity == rules::Severity::warning) {
        ++score.beside[seen.rule];
      }
    }
    score.found += found ? 1 : 0;
    score.alone += others.empty() ? 1 : 0;
    if (!found || !others.empty() || !verdict.error.empty()) {
      ++wrong_;
      say(fmt::format("session {} ({}): \"{}\": {} {}{}{}", number, name(profile), score.fault->name,
                      score.fault->rule, found ? "found, and more" : "not found", others, verdict.error));
    }
    return true;
  }

  uint64_t seed_, sessions_ = 0, judged_ = 0, wrong_ = 0;
  size_t faults_, said_ = 0;
  std::map<std::string, uint64_t> features_;
  std::map<std::string_view, uint64_t> notes_;
  std::vector<rules::Tally> tallies_;
  std::vector<Score> scores_;
};

bool Trial::report() const {
  bool complete = true;
  fmt::print("\n{:>8}  sessions with\n", sessions_);
  for (const auto& [feature, times] : features_) {
    fmt::print("{:>8}  {}\n", times, feature);
  }
  for (const std::string& feature : legal::expected_features()) {
    if (!features_.contains(feature)) {
      fmt::print("   never  {}\n", feature);
      complete = false;
    }
  }
  fmt::print("\nnotes:");
  for (const auto& [rule, times] : notes_) {
    fmt::print(" {} {}", rule, times);
  }
  fmt::print("\n\n{:<46}{:<8}{:>8}{:>8}{:>8}  warnings by others\n", "fault", "rule", "planted", "found",
             "alone");
  uint64_t planted = 0;
  for (const Score& score : scores_) {
    std::string beside;
    for (const auto& [rule, times] : score.beside) {
      beside += fmt::format(" {} {}", rule, times);
    }
    fmt::print("{:<46}{:<8}{:>8}{:>8}{:>8} {}\n", score.fault->name, score.fault->rule, score.planted,
               score.found, score.alone, beside);
    planted += score.planted;
    complete &= score.planted != 0 || faults_ == 0;
  }
  const auto exercised =
      std::count_if(tallies_.begin(), tallies_.end(), [](const auto& t) { return t.checked() != 0; });
  fmt::print(
      "\n{} of {} rules were put to the test by the sessions; {} sessions, judged {} times; {} faults of {} "
      "kinds "
      "planted; {} wrong\n",
      exercised, tallies_.size(), sessions_, judged_, planted, scores_.size(), wrong_);
  return wrong_ == 0 && (complete || sessions_ < kEnough);
}

void show(uint64_t seed, uint64_t number, const std::string& fault) {
  Session session = legal::tell(seed, number);
  for (const auto list :
       {legal::faults_in_messages(), legal::added_faults(), legal::added_faults_version_two()}) {
    for (const Fault& one : list) {
      if (one.name == fault) {
        legal::Dice dice = dice_for(seed, number, one);
        one.plant(session, dice, one);
      }
    }
  }
  fmt::print("{}", session.text());
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t seed = 1;
  uint64_t sessions = 2000;
  size_t faults = 4;
  std::optional<uint64_t> shown;
  std::string fault;
  for (int i = 1; i < argc; i += 2) {
    const std::string word = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--fault") {
      fault = value;
      continue;
    }
    const uint64_t number = std::strtoull(value, nullptr, 10);
    if (word == "--seed") {
      seed = number;
    } else if (word == "--sessions") {
      sessions = number;
    } else if (word == "--faults") {
      faults = number;
    } else if (word == "--show") {
      shown = number;
    } else {
      fmt::print("usage: legal [--seed N] [--sessions N] [--faults N] [--show NUMBER [--fault NAME]]\n");
      return 2;
    }
  }
  if (shown) {
    show(seed, *shown, fault);
    return 0;
  }
  Trial trial(seed, faults);
  for (uint64_t number = 0; number < sessions; ++number) {
    trial.take(number);
  }
  return trial.report() ? 0 : 1;
}
