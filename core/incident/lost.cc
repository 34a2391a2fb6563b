#include "incident/lost.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/saturating.h"
#include "incident/causes.h"
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

class Search {
 public:
  Search(const Collected& collected, const std::vector<Remark>& remarks)
      : collected_(collected), causes_(collected) {
    result_.attempts.resize(collected.attempts.size());
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
      auto group = std::find_if(groups_.rbegin(), groups_.rend(),
                                [&](const Group& one) { return belongs(one, *fate); });
      if (group == groups_.rend()) {
        groups_.emplace_back();
        group = groups_.rbegin();
      }
      group->push_back(fate);
      result_.connections.emplace(fate->number, static_cast<size_t>(groups_.rend() - group) - 1);
    }
    for (const Group& group : groups_) {
      result_.incidents.push_back(told(group));
    }
    result_.violations = causes_.told();
    return std::move(result_);
  }

 private:
  // Connections to one server that were lost together, in order of their ends.
  using Group = std::vector<const Fate*>;

  bool belongs(const Group& group, const Fate& fate) const {
    const Fate& before = *group.back();
    if (before.server != fate.server) {
      return false;
    }
    const int64_t later_ns = base::saturating_subtract(fate.last.time_ns, before.last.time_ns);
    const bool may_be_one =
        later_ns <= Causes::kJustBeforeNs || before.client == fate.client || alike(before, fate);
    return (later_ns <= kTogetherNs && may_be_one) || again(before, fate);
  }

  // Neither ended with a complaint, or both with the same.
  static bool alike(const Fate& x, const Fate& y) {
    const auto what = [](const Fate& fate) {
      const rdma::Fault& fault = *fate.complaint;
      return std::tuple(fault.kind, fault.layer, fault.etype, fault.code, fate.complains == fate.server);
    };
    return x.complaint && y.complaint ? what(x) == what(y) : !x.complaint && !y.complaint;
  }

  Incident told(const Group& group) {
    Incident incident;
    incident.kind = Kind::connection_lost;
    incident.begin_ns = group.front()->last.time_ns;
    Lost lost;
    for (const Fate* fate : group) {
      add(incident, lost, *fate);
    }
    finish(incident, lost, group);
    incident.what = std::move(lost);
    return incident;
  }

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
    return fate.moved.rpcs != 0 || fate.left || (fate.ended && fate.open.rpcs != 0) ||
           (fate.complaint && !local) ||
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

  void add(Incident& incident, Lost& lost, const Fate& fate) {
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
    if (fate.left) {
      incident.begin_ns = std::min(incident.begin_ns, fate.left->time_ns);
    }
    const auto found = outages_.find(fate.number);
    if (found != outages_.end() && !lost.outage) {
      lost.outage = *found->second;
      incident.begin_ns = std::min(incident.begin_ns, lost.outage->evidence.at.time_ns);
      note_first(incident, lost.outage->evidence.at);
    }
  }

  void finish(Incident& incident, Lost& lost, const Group& group) {
    incident.weight = Weight::broken;
    lost.rpcs = incident.rpcs;
    find_return(incident, lost, group);
    causes_.find(incident, lost, result_.connections);
    for (size_t i = 0; i < collected_.attempts.size(); ++i) {
      const Attempt& attempt = collected_.attempts[i];
      const bool meanwhile = attempt.like.first.time_ns >= incident.begin_ns &&
                             (!incident.end_ns || attempt.like.first.time_ns <= *incident.end_ns);
      const bool theirs = std::any_of(group.begin(), group.end(), [&](const Fate* fate) {
        return between(attempt, fate->client, fate->server);
      });
      if (meanwhile && theirs && !result_.attempts[i]) {
        result_.attempts[i] = true;
        lost.attempts.push_back(attempt);
        note_frame(incident, attempt.like.frames.front());
      }
    }
    const Fate& told = lost.fates[lost.told];
    if (lost.cause) {
      incident.by = lost.cause->by;
    } else if (lost.outage) {
      incident.where = Where::network;
    } else if (told.complaint && told.complaint->wrong_crc && !told.damaged) {  // of what its peer sent
      incident.by = told.complains == told.server ? told.client : told.server;
      if (!told.complaint->crcs_seen) {
        incident.certainty = rules::Certainty::possible;
      }
    } else if (!told.complaint && told.ended_by) {
      incident.certainty = rules::Certainty::likely;
      note_reason(incident, lost);
    }
    if (incident.by.kind != base::Address::Kind::none) {
      incident.where = incident.by == told.server ? Where::server : Where::client;
    }
  }

  // When each client was back: the incident is over when all are.
  void find_return(Incident& incident, Lost& lost, const Group& group) const {
    std::map<base::Address, const Fate*> latest;  // by client
    for (const Fate* fate : group) {
      latest[fate->client] = fate;
    }
    for (const auto& [client, fate] : latest) {
      const Fate* const next = next_of(*fate);
      if (next == nullptr) {
        ++lost.gone;
        continue;
      }
      note_frame(incident, next->first);
      const int64_t up_ns = next->up_ns.value_or(next->first.time_ns);
      if (lost.next == 0 || up_ns > lost.up_ns) {
        lost.next = next->number;
        lost.up_ns = up_ns;
        lost.asked = next->asked ? next->asked_again + 1 : 0;
        lost.asked_by = client;
        lost.asked_since = next->asked;
      }
    }
    if (lost.gone == 0) {
      incident.end_ns = lost.up_ns;
      incident.weight = Weight::disturbed;
    }
  }

  // No complaint was seen, and one end disconnected: because of what the other did, or did not do?
  void note_reason(Incident& incident, Lost& lost) {
    const Fate& told = lost.fates[lost.told];
    incident.by = *told.ended_by;
    const bool by_client = incident.by == told.client;
    const base::Address& other = by_client ? told.server : told.client;
    const auto refused = not_ready_.find(told.number);
    const uint64_t naks = refused == not_ready_.end() ? 0
                          : by_client                 ? refused->second->server.rnr_naks
                                                      : refused->second->client.rnr_naks;
    if (naks >= stats::kNotReadyLeast) {
      lost.not_ready = naks;
      lost.not_ready_of = other;
      result_.not_ready.insert(told.number);
      incident.by = other;
    } else if (by_client && gave_up(told)) {
      lost.gave_up = true;
      incident.by = other;
    } else if (by_client && lost.icmp) {
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

  using Begin = std::tuple<base::Address, base::Address, int64_t, uint32_t>;

  const Collected& collected_;
  std::map<Begin, const Fate*> by_begin_;      // by hosts, then by time
  std::map<uint32_t, const Remark*> outages_;  // by connection; so the next
  std::map<uint32_t, const stats::Load*> not_ready_;
  Causes causes_;
  std::vector<Group> groups_;
  LostConnections result_;
};

}  // namespace

LostConnections lost_connections(const Collected& collected, const std::vector<Remark>& remarks) {
  return Search(collected, remarks).find();
}

}  // namespace steertag::incident
