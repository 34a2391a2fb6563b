// Draft: the frames of an extract before it is written. They are taken from the captures up to a level, and
// audited as they will stand in the extract, so that what was chosen shows there; then what can be spared is
// left out again. A small one is held in memory; of a larger one only the audit remains. Who has the captures
// hands out their frames, from the first on, as often as they are asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "analyzer.h"
#include "extract/chosen.h"
#include "extract/surroundings.h"
#include "frame.h"
#include "rules/audit.h"

namespace steertag::product {

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
  // Where the frames come from.
  struct Source {
    using What = std::function<void(const Frame& frame, uint32_t snaplen)>;
    std::function<void(const What&)> each_frame;  // of all captures, in order
    std::function<bool()> stopped;                // the rest is not wanted any more
  };
  // The Surroundings outlive it.
  Draft(Source source, const extract::Surroundings& surroundings, Asked asked)
      : source_(std::move(source)), surroundings_(surroundings), asked_(std::move(asked)) {}

  // All frames up to that level. Whether what was chosen shows.
  bool take(extract::Level level);
  // Those that are there for what they show of the rest, and are not needed. Nothing unless whole().
  void leave_out();

  bool whole() const { return !held_.empty(); }  // it is small enough that frames() has all
  const std::vector<Held>& frames() const { return held_; }

 private:
  class Trial;
  bool shows(const std::vector<size_t>& places, const std::vector<bool>& kept) const;

  const Source source_;
  const extract::Surroundings& surroundings_;
  const Asked asked_;
  std::vector<Held> held_;
  bool timed_ = false;  // they show how long each RPC took, so that what is left out must not change it
  size_t work_ = 0;     // of auditing all of them; frames, or what takes as long
};

}  // namespace steertag::product
