// Causes: why connections were lost, as far as rules found it on them: the error right before a complaint,
// the packet or FPDU that was damaged, packets above the path MTU, an ICMP error about them. A violation that
// an incident tells in this way is no incident of its own.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "incident/collected.h"
#include "incident/incident.h"

namespace steertag::incident {

class Causes {
 public:
  // What explains something comes so long before it at most.
  static constexpr int64_t kJustBeforeNs = 2'000'000'000;

  explicit Causes(const Collected& collected);

  // Notes in `incident`, and in `lost`, which it is about, what explains it. `all`: connections that were
  // lost.
  void find(Incident& incident, Lost& lost, const std::map<uint32_t, size_t>& all);

  // Which of the violations are part of an incident.
  const std::vector<bool>& told() const { return told_; }

 private:
  using Places = std::vector<size_t>;  // in Violations::all()

  void note_damage(Incident& incident, const Places& places);
  void note_wrong_crc(Incident& incident, const Fate& fate, const Places& places);
  bool only_refused(const Violation& one) const;
  void note_too_large(Incident& incident, Lost& lost, const Fate& fate, const Places& places);
  void note_complaint(Incident& incident, Lost& lost, const Fate& fate, const Places& places);
  void note_cause(Incident& incident, Lost& lost, size_t place);

  const Collected& collected_;
  const std::map<uint32_t, size_t>* lost_ = nullptr;  // during find()
  std::map<uint32_t, Places> violations_;             // by connection
  std::vector<bool> told_;
};

}  // namespace steertag::incident
