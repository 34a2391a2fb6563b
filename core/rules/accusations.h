// Accusations: all that audits find in a capture, one in each profile, by frame and rule; to be compared
// with those of the same frames written anew, of which an audit may say less, but neither more nor anything
// more surely.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <deque>
#include <set>
#include <utility>

#include "analyzer.h"
#include "frame.h"
#include "rules/audit.h"

namespace steertag::rules {

class Accusations {
 public:
  // `options`: of each audit.
  explicit Accusations(const Options& options);

  void feed(Frame frame);  // the first one is number 1, whatever its stamp says
  void finish();
  // After both are finished: the number of the first frame of each connection in which something is found
  // that the other does not find there, or with less certainty or severity; or of the first frame on which
  // that rests.
  enum class Which : uint8_t { found, rests_on };
  std::set<uint64_t> beyond(const Accusations& other, Which which) const;

 private:
  class Profiled final : public Listener {
   public:
    Profiled(const Options& options, Profile profile);

    Audit& audit() { return audit_; }
    void add_beyond(const Profiled& other, Which which, std::set<uint64_t>& frames) const;

   private:
    struct Weight {
      Severity severity{};
      Certainty certainty{};
      uint32_t connection = 0;
      uint64_t at = 0, rests_on = 0;  // the first frame, and the earliest that it refers to

      bool above(const Weight& other) const {
        return severity > other.severity || certainty > other.certainty;
      }
    };

    void on_finding(const Finding& finding) override;

    // By frame; a note, which may be told where a connection ends, wherever that is.
    absl::flat_hash_map<std::pair<uint64_t, const Rule*>, Weight> found_;
    Audit audit_;
  };

  std::deque<Profiled> profiles_;
  uint64_t frames_ = 0;
};

}  // namespace steertag::rules
