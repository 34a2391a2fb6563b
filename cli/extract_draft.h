// Draft: the frames of an extract before it is written. They are taken from the trace up to a level, and
// audited as they will stand in the extract, so that what was chosen shows there; then what can be spared is
// left out again. A small one is held in memory; of a larger one only the audit remains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analyzer.h"
#include "extract/chosen.h"
#include "extract/surroundings.h"
#include "frame.h"
#include "host/again.h"
#include "rules/audit.h"

namespace steertag::cli {

class Draft {
 public:
  struct Held {
    Frame frame;  // its bytes are `bytes`
    std::vector<uint8_t> bytes;
    uint32_t snaplen = 0;
    extract::Level level = extract::kItself;
  };
  // What has to show, to whom.
  struct Asked {
    const extract::Chosen& chosen;
    Options analyzer;
    rules::Settings rules;
  };
  // The first two outlive it.
  Draft(host::Again& trace, const extract::Surroundings& surroundings, Asked asked)
      : again_(trace), surroundings_(surroundings), asked_(std::move(asked)) {}

  // All frames up to that level. Whether what was chosen shows.
  bool take(extract::Level level);
  // Those that are there for what they show of the rest, and are not needed. Nothing unless whole().
  void leave_out();

  bool whole() const { return !held_.empty(); }  // it is small enough that frames() has all
  const std::vector<Held>& frames() const { return held_; }

 private:
  class Trial;
  bool shows(const std::vector<size_t>& places, const std::vector<bool>& kept) const;

  host::Again& again_;
  const extract::Surroundings& surroundings_;
  const Asked asked_;
  std::vector<Held> held_;
  bool timed_ = false;  // they show how long each RPC took, so that what is left out must not change it
  size_t work_ = 0;     // of auditing all of them; frames, or what takes as long
};

}  // namespace steertag::cli
