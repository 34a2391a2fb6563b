// Proof: whether an extract still shows what it was made for. It is fed the frames of the extract as its
// readers will see them, audits them, and compares what it hears with what was chosen: the same findings, to
// the word, of the same certainty, and the same RPCs, at the same frames. Whether these took as long is a
// question of its own. Other findings do no harm: what is missing accuses nobody.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer.h"
#include "extract/chosen.h"
#include "rules/audit.h"

namespace steertag::extract {

class Proof final : private Observer, private rules::Listener {
 public:
  Proof(const Chosen& chosen, const Options& options, rules::Settings settings);

  // `original`: where the frame stands in the trace that the extract is made of.
  void feed(const Frame& frame, const Stamp& original);
  // Whether all of it was shown, but for times.
  bool finish();
  // After finish(): whether each RPC took as long as in the trace, phase by phase, where that is known.
  bool same_times() const { return times_left_.empty(); }
  // What it has taken beside the frames: segments, findings, and comparisons with what was chosen.
  uint64_t work() const { return work_; }

 private:
  using Place = std::pair<uint32_t, uint64_t>;  // file and number
  static Place place(const Stamp& at) { return {at.file, at.number}; }
  static std::string unnumbered(const std::string& text);

  void on(const Event& event) override;
  void on_finding(const rules::Finding& finding) override;
  void each_like(const flow::Exchange& exchange, const auto& what);
  bool same(const rules::Finding& finding, const ChosenFinding& chosen) const;
  bool same(const flow::Exchange& exchange, const ChosenRpc& chosen) const;
  // Whether one is in the extract where the other is in the trace.
  bool same(const std::optional<Stamp>& in_extract, const std::optional<Stamp>& in_trace) const;

  const Chosen& chosen_;
  rules::Audit audit_;
  absl::flat_hash_map<Place, Stamp> places_;  // of the frames that chosen things name, in the extract
  absl::flat_hash_map<uint32_t, std::vector<size_t>> rpcs_;  // chosen ones, by XID
  std::set<size_t> findings_left_, rpcs_left_, times_left_;  // that were not shown yet
  uint64_t work_ = 0;
};

}  // namespace steertag::extract
