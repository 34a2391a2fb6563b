#include "incident/causes.h"

#include <algorithm>
#include <cstdlib>

#include "base/saturating.h"
#include "incident/notes.h"

namespace steertag::incident {
namespace {

bool came_before(const Violation& one, const Stamp& at) {
  const auto just_before = [&](const Stamp& frame) {
    return frame.time_ns <= at.time_ns && at.time_ns - frame.time_ns <= Causes::kJustBeforeNs;
  };
  return just_before(one.last) || std::any_of(one.frames.begin(), one.frames.end(), just_before);
}

bool explains(const Violation& one, const rdma::Fault& complaint) {
  // A Terminate of MPA is about FPDUs alone: one that cannot be one is its cause (RFC 5044 §8), and no fault
  // of the message in it. More Reads than agreed on are refused as an invalid request.
  constexpr uint8_t kMpa = 2;
  const bool by_mpa = complaint.kind == rdma::Fault::Kind::terminate && complaint.layer == kMpa;
  const bool of_reads = one.rule->id == "NET-14" && complaint.kind == rdma::Fault::Kind::nak_invalid_request;
  const bool fits = by_mpa ? one.rule->id == "NET-07" : one.severity == rules::Severity::error || of_reads;
  return !tells_of_events(*one.rule) && fits && one.certainty != rules::Certainty::possible &&
         came_before(one, complaint.at);
}

// Where an end complained, it says why itself.
void find_icmp(Incident& incident, Lost& lost) {
  for (const Fate& fate : lost.fates) {
    const bool then =
        base::saturating_subtract(incident.begin_ns, fate.icmp.at.time_ns) <= Causes::kJustBeforeNs;
    if (fate.icmp.count != 0 && then && !fate.complaint && !lost.cause && !lost.icmp) {
      lost.icmp = fate.icmp;
      note_frame(incident, fate.icmp.at);
    }
  }
}

// The fate whose end the cause explains.
size_t explained(const Lost& lost) {
  const int64_t cause_ns = lost.cause->frames.front().time_ns;
  const auto told = std::find_if(lost.fates.begin(), lost.fates.end(), [&](const Fate& fate) {
    return fate.complaint && fate.complaint->at.time_ns >= cause_ns;
  });
  return told == lost.fates.end() ? 0 : static_cast<size_t>(told - lost.fates.begin());
}

}  // namespace

Causes::Causes(const Collected& collected) : collected_(collected) {
  const std::vector<Violation>& violations = collected.violations.all();
  told_.resize(violations.size());
  for (size_t i = 0; i < violations.size(); ++i) {
    for (const track::ConnectionNumber number : violations[i].connections) {
      violations_[number].push_back(i);
    }
  }
}

void Causes::find(Incident& incident, Lost& lost, const std::map<uint32_t, size_t>& all) {
  lost_ = &all;
  for (const Fate& fate : lost.fates) {
    const auto found = violations_.find(fate.number);
    if (found == violations_.end()) {
      continue;
    }
    if (fate.damaged) {
      note_damage(incident, found->second);
    }
    if (fate.complaint) {
      note_complaint(incident, lost, fate, found->second);
    } else if (lost.outage) {
      note_too_large(incident, lost, fate, found->second);
    }
  }
  if (lost.cause) {
    lost.told = explained(lost);
  }
  find_icmp(incident, lost);
}

// An error right before a complaint is its cause.
void Causes::note_complaint(Incident& incident, Lost& lost, const Fate& fate, const Places& places) {
  note_wrong_crc(incident, fate, places);
  for (const size_t place : places) {
    const Violation& one = collected_.violations.all()[place];
    if (tells_of_events(*one.rule) && one.severity != rules::Severity::note) {
      note_rule(incident, one.rule->id);
    } else if (explains(one, *fate.complaint)) {
      note_cause(incident, lost, place);
    }
  }
}

// What is found of the packet that was never accepted is told with it.
void Causes::note_damage(Incident& incident, const Places& places) {
  for (const size_t place : places) {
    const Violation& one = collected_.violations.all()[place];
    if (one.rule->id == "NET-08" && one.count == 1) {
      note_rule(incident, one.rule->id);
      told_[place] = true;
    }
  }
}

// The FPDU with a wrong CRC that the Terminate complains of is told with it.
void Causes::note_wrong_crc(Incident& incident, const Fate& fate, const Places& places) {
  const std::optional<rdma::Fault::WrongCrc>& wrong = fate.complaint->wrong_crc;
  for (const size_t place : places) {
    const Violation& one = collected_.violations.all()[place];
    if (wrong && one.rule->id == "NET-06" &&
        std::find(one.frames.begin(), one.frames.end(), wrong->at) != one.frames.end()) {
      note_rule(incident, one.rule->id);
      told_[place] = told_[place] || only_refused(one);
    }
  }
}

// Whether each of its connections was ended for a wrong CRC, and no other finding came long before.
bool Causes::only_refused(const Violation& one) const {
  const auto& fates = collected_.fates.by_number();
  const auto refused = [&](const Stamp& at) {
    return std::any_of(one.connections.begin(), one.connections.end(), [&](track::ConnectionNumber number) {
      const auto fate = fates.find(number);
      return fate != fates.end() && fate->second.complaint && fate->second.complaint->wrong_crc &&
             std::abs(fate->second.complaint->wrong_crc->at.time_ns - at.time_ns) <= kJustBeforeNs;
    });
  };
  return refused(one.last) && std::all_of(one.frames.begin(), one.frames.end(), refused);
}

// Packets above the path MTU get through to nobody, and none complains (IBTA vol. 1 §9.7.4.1).
void Causes::note_too_large(Incident& incident, Lost& lost, const Fate& fate, const Places& places) {
  const stats::EndLoad* const cut_off = lost.outage->load->cut_off();
  for (const size_t place : places) {
    const Violation& one = collected_.violations.all()[place];
    if (one.rule->id == "NET-16" && one.severity == rules::Severity::error &&
        lost.outage->load->number == fate.number && cut_off != nullptr && one.by == cut_off->address &&
        came_before(one, lost.outage->evidence.at)) {
      note_cause(incident, lost, place);
    }
  }
}

void Causes::note_cause(Incident& incident, Lost& lost, size_t place) {
  const Violation& one = collected_.violations.all()[place];
  if (!lost.cause || one.frames.front().time_ns < lost.cause->frames.front().time_ns) {
    lost.cause = one;
    note_first(incident, one.frames.front());
  }
  note_rule(incident, one.rule->id);
  told_[place] = told_[place] || std::all_of(one.connections.begin(), one.connections.end(),
                                             [&](uint32_t number) { return lost_->contains(number); });
}

}  // namespace steertag::incident
