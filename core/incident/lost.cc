#include "incident/lost.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/saturating.h"
#include "incident/notes.h"

namespace steertag::incident {
namespace {

using attempt::Attempt;
using stats::Remark;
using stats::Standout;

// Connections to one server that are lost this close together are lost together.
constexpr int64_t kTogetherNs = 30'000'000'000;
// A client that connects again after a longer time does so for another reason.
constexpr int64_t kReturnNs = 120'000'000'000;
// A server may close a connection that was not used for longer.
constexpr int64_t kUnusedNs = 60'000'000'000;
// What explains something comes so long before it at most.
constexpr int64_t kJustBeforeNs = 2'000'000'000;

class Search {
 public:
  Search(const Collected& collected, const std::vector<Remark>& remarks) : collected_(collected) {
    result_.attempts.resize(collected.attempts.size());
    result_.violations.resize(collected.violations.all().size());
    for (const auto& [number, fate] : collected.fates.by_number()) {
      by_begin_.emplace(Begin{fate.client, fate.server, fate.first.time_ns, number}, &fate);
    }
    for (const Remark& remark : remarks) {
      if (remark.kind == Standout::outage) {
        outages_.emplace(remark.load->number, &remark);
      } else if (remark.kind == Standout::not_ready) {
        not_ready_.emplace(remark.load->number, remark.load);
      }
    }
    const std::vector<Violation>& violations = collected.violations.all();
    for (size_t i = 0; i < violations.size(); ++i) {
      for (const track::ConnectionNumber number : violations[i].connections) {
        violations_[number].push_back(i);
      }
    }
  }

  LostConnections find() {
    std::vector<const Fate*> lost;
    for (const auto& [number, fate] : collected_.fates.by_number()) {
      if (is_lost(fate)) {
        lost.push_back(&fate);
      }
    }
    std::stable_sort(lost.begin(), lost.end(),
                     [](const Fate* x, const Fate* y) { return x->last.time_ns < y->last.time_ns; });
    for (const Fate* fate : lost) {
      result_.connections.insert(fate->number);
      auto group =
          std::find_if(result_.incidents.rbegin(), result_.incidents.rend(), [&](const Incident& incident) {
            const Lost* const with = std::get_if<Lost>(&incident.what);
            return with != nullptr && with->fates.front().server == fate->server &&
                   (base::saturating_subtract(fate->last.time_ns, with->latest_ns) <= kTogetherNs ||
                    again(with->fates.back(), *fate));
          });
      if (group == result_.incidents.rend()) {
        Incident incident;
        incident.kind = Kind::connection_lost;
        incident.begin_ns = fate->last.time_ns;
        incident.what = Lost();
        result_.incidents.push_back(std::move(incident));
        group = result_.incidents.rbegin();
      }
      add(*group, *fate);
    }
    for (Incident& incident : result_.incidents) {
      finish(incident, std::get<Lost>(incident.what));
    }
    return std::move(result_);
  }

 private:
  // The next connection between the same hosts; null where there is none for long.
  const Fate* next_of(const Fate& fate) const {
    auto next = by_begin_.lower_bound({fate.client, fate.server, fate.last.time_ns, 0});
    while (next != by_begin_.end() && next->second == &fate) {
      ++next;
    }
    const bool found = next != by_begin_.end() && next->second->client == fate.client &&
                       next->second->server == fate.server &&
                       base::saturating_subtract(next->second->first.time_ns, fate.until_ns) <= kReturnNs;
    return found ? next->second : nullptr;
  }

  // The client gave up on the one, connected again, and gave up on that.
  bool again(const Fate& before, const Fate& fate) const {
    return next_of(before) == &fate && gave_up(before) && gave_up(fate);
  }

  bool attempted_later(const Fate& fate) const {
    return std::any_of(collected_.attempts.begin(), collected_.attempts.end(), [&](const Attempt& attempt) {
      return between(attempt, fate.client, fate.server) && attempt.like.first.time_ns >= fate.last.time_ns;
    });
  }
  static bool between(const Attempt& attempt, const base::Address& client, const base::Address& server) {
    const track::Connection& tried = attempt.like.connection;
    return tried.ends[0].address == client && tried.ends[1].address == server;
  }

  bool is_lost(const Fate& fate) const {
    const bool local = fate.complaint && fate.complaint->kind == rdma::Fault::Kind::terminate &&
                       fate.complaint->layer == 0 && fate.complaint->etype == 0;
    const bool used = fate.latest_ns == INT64_MIN || idle_ns(fate) <= kUnusedNs;
    const bool by_server = used && fate.ended_by == fate.server && fate.ended != rdma::EndReason::replaced;
    return fate.moved.rpcs != 0 || (fate.ended && fate.open.rpcs != 0) || (fate.complaint && !local) ||
           (fate.ended && by_server && (next_of(fate) != nullptr || attempted_later(fate))) ||
           (fate.ended && goes_on(fate));
  }

  // For how long its client had not called when it ended.
  static int64_t idle_ns(const Fate& fate) {
    return base::saturating_subtract(fate.until_ns, fate.latest_ns);
  }

  // The client goes on where it was, so that this was no unmount: it neither introduces itself again, nor was
  // it idle.
  bool goes_on(const Fate& fate) const {
    constexpr int64_t kIdleNs = 10'000'000'000;
    const Fate* const next = next_of(fate);
    if (next == nullptr || idle_ns(fate) > kIdleNs ||
        base::saturating_subtract(next->first.time_ns, fate.until_ns) > kTogetherNs) {
      return false;
    }
    const std::string& first = next->first_operation;
    return first.starts_with("NFSv4 ") && first != "NFSv4 EXCHANGE_ID" && first != "NFSv4 SETCLIENTID" &&
           first != "NFSv4 CREATE_SESSION";
  }

  void add(Incident& incident, const Fate& fate) {
    Lost& lost = std::get<Lost>(incident.what);
    ++lost.connections;
    lost.latest_ns = fate.last.time_ns;
    if (lost.fates.size() < Incident::kMostConnections) {
      lost.fates.push_back(fate);
    }
    note_connection(incident, fate.number);
    if (fate.damaged) {
      note_frame(incident, fate.damaged->at);
    }
    if (fate.complaint) {
      if (fate.complaint->wrong_crc) {
        note_frame(incident, fate.complaint->wrong_crc->at);
      }
      note_frame(incident, fate.complaint->at);
    } else if (fate.ended) {
      note_frame(incident, fate.last);
    }
    for (const Waited* waited : {&fate.moved, &fate.open}) {
      incident.rpcs += waited->rpcs;
      incident.cost_ns = base::saturating_add(incident.cost_ns, waited->cost_ns);
      if (waited->longest_ns > lost.longest.longest_ns) {
        lost.longest = *waited;
      }
      if (waited->rpcs != 0) {
        incident.begin_ns = std::min(incident.begin_ns, waited->call.time_ns);
      }
    }
    const auto found = outages_.find(fate.number);
    if (found != outages_.end() && !lost.outage) {
      lost.outage = *found->second;
      incident.begin_ns = std::min(incident.begin_ns, lost.outage->evidence.at.time_ns);
      note_first(incident, lost.outage->evidence.at);
    }
  }

  void finish(Incident& incident, Lost& lost) {
    const Fate& last = lost.fates.back();
    incident.weight = Weight::broken;
    lost.rpcs = incident.rpcs;
    if (const Fate* const next = next_of(last)) {
      incident.end_ns = next->up_ns.value_or(next->first.time_ns);
      lost.next = next->number;
      lost.up_ns = *incident.end_ns;
      lost.asked = next->asked ? next->asked_again + 1 : 0;
      lost.asked_since = next->asked;
      note_frame(incident, next->first);
      incident.weight = Weight::disturbed;
    }
    find_cause(incident, lost);
    find_icmp(incident, lost);
    for (size_t i = 0; i < collected_.attempts.size(); ++i) {
      const Attempt& attempt = collected_.attempts[i];
      const bool meanwhile = attempt.like.first.time_ns >= incident.begin_ns &&
                             (!incident.end_ns || attempt.like.first.time_ns <= *incident.end_ns);
      if (meanwhile && attempt.like.connection.ends[1].address == last.server && !result_.attempts[i]) {
        result_.attempts[i] = true;
        lost.attempts.push_back(attempt);
        note_frame(incident, attempt.like.frames.front());
      }
    }
    if (lost.cause) {
      incident.by = lost.cause->by;
    } else if (lost.outage) {
      incident.where = Where::network;
    } else if (last.complaint && last.complaint->wrong_crc && !last.damaged) {  // of what its peer sent
      incident.by = last.complains == last.server ? last.client : last.server;
      if (!last.complaint->crcs_seen) {
        incident.certainty = rules::Certainty::possible;
      }
    } else if (!last.complaint && last.ended_by) {
      incident.certainty = rules::Certainty::likely;
      note_reason(incident, lost);
    }
    if (incident.by.kind != base::Address::Kind::none) {
      incident.where = incident.by == last.server ? Where::server : Where::client;
    }
  }

  // Nobody complained, and one end disconnected: because of what the other did, or did not do?
  void note_reason(Incident& incident, Lost& lost) {
    const Fate& last = lost.fates.back();
    incident.by = *last.ended_by;
    if (incident.by != last.client) {
      return;
    }
    const auto refused = not_ready_.find(last.number);
    if (refused != not_ready_.end() && refused->second->server.rnr_naks >= stats::kNotReadyLeast) {
      lost.not_ready = refused->second->server.rnr_naks;
      result_.not_ready.insert(last.number);
      incident.by = last.server;
    } else if (gave_up(last)) {
      lost.gave_up = true;
      incident.by = last.server;
    } else if (lost.icmp) {
      incident.by = {};
      incident.where = Where::network;
      incident.certainty = rules::Certainty::possible;
    }
  }

  // Its client disconnected after it had waited for long for the answer to a Call that the server has.
  bool gave_up(const Fate& fate) const {
    const auto hung = [&](const Waited& waited) {
      return waited.rpcs != 0 && fate.server_has_ns >= waited.call.time_ns &&
             waited.obstacle == flow::Obstacle::none &&
             base::saturating_subtract(fate.until_ns, waited.call.time_ns) >= collected_.answer_within_ns;
    };
    return fate.ended && fate.ended_by == fate.client && !fate.complaint &&
           (hung(fate.open) || hung(fate.moved));
  }

  // What rules found on its connections. An error right before a complaint is its cause.
  void find_cause(Incident& incident, Lost& lost) {
    for (const Fate& fate : lost.fates) {
      const auto found = violations_.find(fate.number);
      if (fate.damaged && found != violations_.end()) {
        note_damage(incident, found->second);
      }
      if (!fate.complaint || found == violations_.end()) {
        continue;
      }
      note_wrong_crc(incident, fate, found->second);
      for (const size_t place : found->second) {
        const Violation& one = collected_.violations.all()[place];
        if (tells_of_events(*one.rule) && one.severity != rules::Severity::note) {
          note_rule(incident, one.rule->id);
        } else if (explains(one, fate.complaint->at)) {
          note_cause(incident, lost, place);
        }
      }
    }
    if (lost.cause) {
      const int64_t cause_ns = lost.cause->frames.front().time_ns;
      const auto told = std::find_if(lost.fates.begin(), lost.fates.end(), [&](const Fate& fate) {
        return fate.complaint && fate.complaint->at.time_ns >= cause_ns;
      });
      lost.told = told == lost.fates.end() ? 0 : static_cast<size_t>(told - lost.fates.begin());
    }
  }

  // Where an end complained, it says why itself.
  static void find_icmp(Incident& incident, Lost& lost) {
    for (const Fate& fate : lost.fates) {
      const bool then = base::saturating_subtract(incident.begin_ns, fate.icmp.at.time_ns) <= kJustBeforeNs;
      if (fate.icmp.count != 0 && then && !fate.complaint && !lost.cause && !lost.icmp) {
        lost.icmp = fate.icmp;
        note_frame(incident, fate.icmp.at);
      }
    }
  }

  // What is found of the packet that was never accepted is told with it.
  void note_damage(Incident& incident, const std::vector<size_t>& places) {
    for (const size_t place : places) {
      const Violation& one = collected_.violations.all()[place];
      if (one.rule->id == "NET-08" && one.count == 1) {
        note_rule(incident, one.rule->id);
        result_.violations[place] = true;
      }
    }
  }

  // The FPDU with a wrong CRC that the Terminate complains of is told with it.
  void note_wrong_crc(Incident& incident, const Fate& fate, const std::vector<size_t>& places) {
    const std::optional<rdma::Fault::WrongCrc>& wrong = fate.complaint->wrong_crc;
    for (const size_t place : places) {
      const Violation& one = collected_.violations.all()[place];
      if (wrong && one.rule->id == "NET-06" &&
          std::find(one.frames.begin(), one.frames.end(), wrong->at) != one.frames.end()) {
        note_rule(incident, one.rule->id);
        result_.violations[place] = result_.violations[place] || only_refused(one);
      }
    }
  }

  // Whether each of its connections was ended for a wrong CRC, and no other finding came long before.
  bool only_refused(const Violation& one) const {
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

  static bool explains(const Violation& one, const Stamp& complaint) {
    return !tells_of_events(*one.rule) && one.severity == rules::Severity::error &&
           one.certainty != rules::Certainty::possible &&
           std::any_of(one.frames.begin(), one.frames.end(), [&](const Stamp& at) {
             return at.time_ns <= complaint.time_ns && complaint.time_ns - at.time_ns <= kJustBeforeNs;
           });
  }

  void note_cause(Incident& incident, Lost& lost, size_t place) {
    const Violation& one = collected_.violations.all()[place];
    if (!lost.cause || one.frames.front().time_ns < lost.cause->frames.front().time_ns) {
      lost.cause = one;
      note_first(incident, one.frames.front());
    }
    note_rule(incident, one.rule->id);
    result_.violations[place] =
        result_.violations[place] ||
        std::all_of(one.connections.begin(), one.connections.end(),
                    [&](uint32_t number) { return result_.connections.contains(number); });
  }

  using Begin = std::tuple<base::Address, base::Address, int64_t, uint32_t>;

  const Collected& collected_;
  std::map<Begin, const Fate*> by_begin_;      // by hosts, then by time
  std::map<uint32_t, const Remark*> outages_;  // by connection; so the next
  std::map<uint32_t, const stats::Load*> not_ready_;
  std::map<uint32_t, std::vector<size_t>> violations_;  // places in Violations::all()
  LostConnections result_;
};

}  // namespace

bool explains_grace(const Incident& incident, const Incident& grace) {
  const auto* const lost = std::get_if<Lost>(&incident.what);
  const auto* const refused = std::get_if<Refused>(&grace.what);
  return lost != nullptr && !lost->grace && refused != nullptr && refused->longest.why == Refusal::grace &&
         refused->longest.server == lost->fates.front().server && grace.begin_ns >= incident.begin_ns &&
         base::saturating_subtract(grace.begin_ns, lost->next == 0 ? lost->latest_ns : lost->up_ns) <=
             kTogetherNs;
}

void add_grace(Incident& incident, Incident&& grace) {
  incident.end_ns = grace.end_ns && incident.end_ns ? std::max(incident.end_ns, grace.end_ns) : std::nullopt;
  incident.weight = std::max(incident.weight, grace.weight);
  incident.rpcs += grace.rpcs;
  incident.cost_ns = base::saturating_add(incident.cost_ns, grace.cost_ns);
  for (const track::ConnectionNumber number : grace.connections) {
    note_connection(incident, number);
  }
  for (const Stamp& frame : grace.frames) {
    note_frame(incident, frame);
  }
  std::get<Lost>(incident.what).grace = std::get<Refused>(std::move(grace.what));
}

LostConnections lost_connections(const Collected& collected, const std::vector<Remark>& remarks) {
  return Search(collected, remarks).find();
}

}  // namespace steertag::incident
