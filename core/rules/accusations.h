// Accusations: what four audits find in a capture, by frame and rule: one in each profile, and one that
// verifies checksums. A second one audits the same frames written anew, and keeps what goes beyond the first:
// more violations, graver ones, surer ones, or an end to blame that was not. This holds for any
// Settings::answer_within_ns: each audit asks about every Call that waits, however briefly.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analyzer.h"
#include "frame.h"
#include "rules/audit.h"

namespace steertag::rules {

class Accusations {
 public:
  static constexpr size_t kAudits = 4;

  // `options`: of each audit; its budget is the one of what is kept of findings, too. `before`: those of the
  // frames as they were, finished; it must outlive this.
  explicit Accusations(const Options& options, const Accusations* before = nullptr);

  void feed(Frame frame);              // the first one is number 1, whatever its stamp says
  void finish();                       // frees what the audits hold
  bool full() const { return full_; }  // there are more findings than the budget has room for
  // Where findings go beyond those of before: of each connection the first such frame, or the first frame on
  // which such a finding rests.
  enum class Which : uint8_t { found, rests_on };
  std::set<uint64_t> beyond(Which which) const;

 private:
  // A frame, and whether it is a note: then the frame is the first one of its connection.
  using Where = std::tuple<uint64_t, const Rule*, bool>;
  // What one audit has found there.
  struct Found {
    // By certainty, how many violations are as sure, or surer, as Finding::count; 65535: so many, or more.
    std::array<uint16_t, 3> violations{};
    uint8_t severity = 0;  // the highest
    uint8_t blamed = 0;    // of the ends that are to blame, a bit for each: their Blame

    void add(const Finding& finding);
    bool exceeds(const Found& other) const;
  };

  class One final : public Listener {
   public:
    One(Accusations& all, size_t number, const Options& options);
    Audit& audit() { return audit_; }

   private:
    void on_finding(const Finding& finding) override { all_.take(number_, finding); }

    Accusations& all_;
    const size_t number_;
    Audit audit_;
  };
  void take(size_t audit, const Finding& finding);
  bool exceeds(const Where& where, size_t audit, const Finding& finding);
  bool waits_longer(size_t audit, const Finding& finding);

  const Accusations* const before_;
  const size_t most_;  // bytes of found_ and waits_
  bool full_ = false;
  std::deque<One> audits_;
  uint64_t frames_ = 0;
  absl::flat_hash_map<Where, std::array<Found, kAudits>> found_;  // with `before_`: where that has any
  absl::flat_hash_map<std::pair<uint64_t, uint32_t>, std::array<Patience, kAudits>>
      waits_;  // by frame and XID
  // What is beyond, by audit and connection: the first frame, and the first on which it rests.
  std::map<std::pair<size_t, uint32_t>, std::array<uint64_t, 2>> beyond_;
};

// The frames from which on their hosts have to be withheld, so that audits find nothing beyond `before`. Each
// call of write(cuts, after) writes all frames anew and feeds them to `after`. It may add frames to the cuts
// of the next call, where there is one. It returns false to end the search. Unset: no such frames were found.
using Write = std::function<bool(std::set<uint64_t>& cuts, Accusations& after)>;
std::optional<std::set<uint64_t>> find_cuts(const Accusations& before, const Options& options,
                                            const Write& write);

}  // namespace steertag::rules
