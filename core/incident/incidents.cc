#include "incident/incidents.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/saturating.h"
#include "incident/apart.h"
#include "incident/behind.h"
#include "incident/lost.h"
#include "incident/notes.h"
#include "incident/refused.h"
#include "incident/standouts.h"
#include "incident/unconnected.h"

namespace steertag::incident {
namespace {

using stats::Remark;
using stats::Standout;

// Replies, one after another, that say that a session is in trouble.
constexpr uint64_t kLeastTroubled = 3;

class Teller {
 public:
  explicit Teller(const Collected& collected)
      : collected_(collected),
        remarks_(stats::judge(collected.counted)),
        loads_(collected.counted.loads.in_order()),
        lost_(lost_connections(collected, remarks_)),
        found_(std::move(lost_.incidents)) {
    for (const Remark& remark : remarks_) {
      if (remark.kind == Standout::not_ready) {
        not_ready_.emplace(remark.load->number, remark.load);
      }
    }
  }

  std::vector<Incident> tell() {
    for (Incident& incident : unconnected_incidents(collected_.attempts, lost_.attempts)) {
      found_.push_back(std::move(incident));
    }
    tell_refused();
    tell_hangs();
    tell_sessions();
    for (const bool held_up : {false, true}) {  // these are told with the recall that they waited for
      for (const Remark& remark : remarks_) {
        if (may_be_held_up(remark) == held_up) {
          tell_remark(remark);
        }
      }
    }
    tell_apart(found_, loads_);
    tell_violations();
    for (Incident& incident : found_) {
      count_lost(incident);
    }
    std::stable_sort(found_.begin(), found_.end(), [](const Incident& x, const Incident& y) {
      return std::tuple(x.weight, x.cost_ns) > std::tuple(y.weight, y.cost_ns);
    });
    return std::move(found_);
  }

 private:
  // --- Calls that hang

  // Callbacks first: Calls may wait for their answers.
  void tell_hangs() {
    for (const bool callback : {true, false}) {
      for (const auto& [number, fate] : collected_.fates.by_number()) {
        const Waited& waited = callback ? fate.callbacks : fate.open;
        if (waited.rpcs == 0 || waited.longest_ns < collected_.answer_within_ns || fate.ended ||
            lost_.connections.contains(number) || (callback && is_told(waited))) {
          continue;
        }
        if (Incident* const recall = callback ? nullptr : awaited_recall(fate)) {
          add_behind(*recall, fate);
        } else {
          tell_hang(fate, callback);
        }
      }
    }
  }

  // That a server waits for, while it answers none of the Calls of this connection; all of them name files.
  Incident* awaited_recall(const Fate& fate) {
    const Waited& open = fate.open;
    if (open.for_files != open.rpcs || !open.accepted || open.obstacle != flow::Obstacle::none) {
      return nullptr;
    }
    for (const auto& [number, other] : collected_.fates.by_number()) {
      const Waited& recall = other.callbacks;
      if (recall.rpcs == 0 || !asks_back(recall.operation) || other.server != fate.server || other.ended ||
          lost_.connections.contains(number) || is_told(recall)) {
        continue;
      }
      // One that has not waited for so long yet is only told with what it holds up.
      if (recall.longest_ns < collected_.answer_within_ns) {
        if (!at_once(recall.call, open.call)) {
          continue;
        }
        if (early_.insert(number).second) {
          tell_hang(other, true);
        }
      }
      if (Incident* const told = known_hang(other, true)) {
        return told;
      }
    }
    return nullptr;
  }

  // The callback that waits is what the requests of another client wait for.
  bool is_told(const Waited& callback) const {
    return callback.rpcs == 1 && std::any_of(refused_.begin(), refused_.end(), [&](const Incident& incident) {
             const std::optional<WaitedFor>& recall = std::get<Refused>(incident.what).recall;
             return recall && recall->same_file && recall->recall.call == callback.call;
           });
  }

  // Of the same Responder, for the same reason.
  Incident* known_hang(const Fate& fate, bool callback) {
    Incident* known = nullptr;
    const Waited& waited = callback ? fate.callbacks : fate.open;
    const bool not_ready = refusals(fate, callback) != 0;
    for (Incident& incident : found_) {
      const Hang* const hang = std::get_if<Hang>(&incident.what);
      if (hang != nullptr && hang->callback == callback &&
          (callback ? hang->fate.client == fate.client : hang->fate.server == fate.server) &&
          hang->waited().accepted == waited.accepted && hang->waited().obstacle == waited.obstacle &&
          (hang->not_ready != 0) == not_ready &&
          (waited.obstacle != flow::Obstacle::no_room || incident.by == requester_of(fate, callback))) {
        known = &incident;
      }
    }
    return known;
  }
  static const base::Address& requester_of(const Fate& fate, bool callback) {
    return callback ? fate.server : fate.client;
  }

  void tell_hang(const Fate& fate, bool callback) {
    const Waited& waited = callback ? fate.callbacks : fate.open;
    const uint64_t not_ready = refusals(fate, callback);
    Incident* known = known_hang(fate, callback);
    if (known == nullptr) {
      Incident incident;
      incident.kind = Kind::hang;
      incident.weight = Weight::broken;
      incident.begin_ns = waited.call.time_ns;
      incident.certainty = rules::Certainty::likely;
      Hang hang{.fate = fate, .callback = callback, .requesters = {}, .not_ready = 0};
      const Where requester = callback ? Where::server : Where::client;
      const Where responder = callback ? Where::client : Where::server;
      if (not_ready != 0 || (waited.accepted && waited.obstacle == flow::Obstacle::none)) {
        incident.where = responder;
        incident.by = callback ? fate.client : fate.server;
      } else if (waited.obstacle == flow::Obstacle::no_room) {
        incident.where = requester;
        incident.by = requester_of(fate, callback);
      } else if (waited.obstacle != flow::Obstacle::read_unanswered) {  // whose answer may be under way
        incident.where = Where::network;
      }
      incident.what = std::move(hang);
      found_.push_back(std::move(incident));
      known = &found_.back();
    } else if (waited.call.time_ns < known->begin_ns) {
      known->begin_ns = waited.call.time_ns;
      std::get<Hang>(known->what).fate = fate;
    }
    if (not_ready != 0) {
      told_not_ready_.insert(fate.number);
    } else if (known->where == Where::network) {
      cut_off_.insert(fate.number);
    }
    // The rule counts on it only as long as the connection is known to be up.
    if (!waited.accepted || waited.obstacle != flow::Obstacle::none ||
        base::saturating_subtract(fate.last.time_ns, waited.call.time_ns) >= collected_.answer_within_ns) {
      note_rule(*known, "XID-05");
    }
    std::get<Hang>(known->what).not_ready += not_ready;
    note_requester(std::get<Hang>(known->what), requester_of(fate, callback));
    known->rpcs += waited.rpcs;
    known->cost_ns = base::saturating_add(known->cost_ns, waited.cost_ns);
    note_connection(*known, fate.number);
    note_frame(*known, waited.call);
  }

  // RNR NAKs of the Responder, where it had no receive buffer for its oldest open Call to the end.
  uint64_t refusals(const Fate& fate, bool callback) const {
    const Waited& waited = callback ? fate.callbacks : fate.open;
    const auto of = not_ready_.find(fate.number);
    if (waited.accepted || of == not_ready_.end()) {
      return 0;
    }
    const stats::EndLoad& end = callback ? of->second->client : of->second->server;
    const bool refused = end.rnr_naks >= stats::kNotReadyLeast && end.not_ready.end_ns > waited.call.time_ns;
    return refused ? end.rnr_naks : 0;
  }

  static void note_requester(Hang& hang, const base::Address& requester) {
    std::vector<base::Address>& known = hang.requesters;
    if (known.size() < Incident::kMostConnections &&
        std::find(known.begin(), known.end(), requester) == known.end()) {
      known.push_back(requester);
    }
  }

  // --- sessions in trouble

  void tell_sessions() {
    for (const auto& [number, fate] : collected_.fates.by_number()) {
      // Right after a connection was lost a server says so until it is bound again.
      if (fate.trouble.replies < kLeastTroubled) {
        continue;
      }
      const bool only_path = only_path_is_down(fate.trouble.flags);
      const std::optional<BackChannel> agreed = only_path ? agreed_on(fate) : std::nullopt;
      if (agreed && !agreed->asked) {  // which the client is free to do without
        continue;
      }
      Incident incident;
      incident.kind = Kind::session;
      incident.weight = Weight::broken;
      incident.begin_ns = fate.trouble.since.time_ns;
      note_connection(incident, number);
      note_frame(incident, fate.trouble.since);
      Session session{.fate = fate, .callback = {}, .back_channel = {}};
      for (const auto& [other, before] : collected_.fates.by_number()) {
        if (before.client == fate.client && before.server == fate.server && before.callbacks.rpcs != 0 &&
            before.callbacks.call.time_ns <= incident.begin_ns) {
          session.callback = before.callbacks;
        }
      }
      if (session.callback.rpcs != 0) {
        note_frame(incident, session.callback.call);
        incident.rpcs = session.callback.rpcs;
        incident.cost_ns = session.callback.cost_ns;
      }
      incident.where = Where::client;
      if (agreed && !agreed->granted) {
        session.back_channel = agreed;
        incident.where = Where::server;
        incident.by = fate.server;
        note_frame(incident, agreed->at);
      }
      incident.what = std::move(session);
      found_.push_back(std::move(incident));
    }
  }

  // What its client and its server agreed on last, on whichever of their connections.
  std::optional<BackChannel> agreed_on(const Fate& fate) const {
    std::optional<BackChannel> latest;
    for (const auto& [number, one] : collected_.fates.by_number()) {
      if (one.back_channel && one.client == fate.client && one.server == fate.server &&
          (!latest || latest->at.time_ns < one.back_channel->at.time_ns)) {
        latest = one.back_channel;
      }
    }
    return latest;
  }

  // --- what is refused again and again

  void tell_refused() {
    refused_ = refused_incidents(collected_);
    for (const Incident& refused : refused_) {
      const auto restart = std::find_if(found_.begin(), found_.end(), [&](const Incident& incident) {
        return explains_refused(incident, refused);
      });
      restart == found_.end() ? found_.push_back(refused) : add_refused(*restart, Incident(refused));
    }
  }

  // --- what stands out in the statistics

  // Another incident tells it already.
  bool is_told(const Remark& remark) const {
    const uint32_t number = remark.load != nullptr  ? uint32_t{remark.load->number}
                            : remark.evidence.any() ? uint32_t{remark.evidence.connection}
                                                    : 0;
    switch (remark.kind) {
      case Standout::at_least:
      case Standout::untimed:
        return true;
      case Standout::unanswered:
        return true;  // by those that hang, and those that were lost; the others may be under way
      case Standout::reconnect:
      case Standout::retries:
        return remark.ignored ? lost_.connections.contains(number) : !lost_.connections.empty();
      case Standout::outage:
      case Standout::loss:
        return goes_with_lost(number, remark) || not_ready_.contains(number) || cut_off_.contains(number);
      case Standout::client:
        return not_ready_.contains(number);
      case Standout::not_ready:
        return told_not_ready_.contains(number) || lost_.not_ready.contains(number);
      case Standout::failures:
        return incident::is_told(refused_, remark);
      case Standout::outlier:
      case Standout::server:
        return goes_with_lost(number, remark) || is_told_recall(refused_, remark);
      default:
        return false;
    }
  }

  // Its connection was lost, and this was not over long before.
  bool goes_with_lost(uint32_t number, const Remark& remark) const {
    constexpr int64_t kBeforeNs = 2'000'000'000;
    const auto lost = lost_.connections.find(number);
    const int64_t over_ns =
        base::saturating_add(remark.evidence.at.time_ns, std::max<int64_t>(remark.evidence.weight, 0));
    return lost != lost_.connections.end() &&
           base::saturating_subtract(found_[lost->second].begin_ns, over_ns) <= kBeforeNs;
  }

  void tell_remark(const Remark& remark) {
    if (!is_told(remark) && is_grave(remark) && !add_held_up(found_, remark, collected_.recalls)) {
      Incident incident = incident_of(remark, loads_);
      note_rules(incident, collected_.violations);
      join(found_, std::move(incident));
    }
  }

  // --- what the documents forbid

  void tell_violations() {
    const std::vector<Violation>& all = collected_.violations.all();
    for (size_t i = 0; i < all.size(); ++i) {
      const Violation& one = all[i];
      if (lost_.violations[i] || tells_of_events(*one.rule) || one.severity == rules::Severity::note ||
          one.certainty == rules::Certainty::possible) {
        continue;
      }
      Incident incident;
      incident.weight = one.severity == rules::Severity::error ? Weight::broken : Weight::slow;
      incident.certainty = one.certainty;
      incident.begin_ns = one.frames.front().time_ns;
      incident.end_ns = one.last.time_ns;
      incident.by = one.by;
      if (const Fate* const fate = fate_of(one.connections.front());
          fate != nullptr && one.by.kind != base::Address::Kind::none) {
        incident.where = one.by == fate->server ? Where::server : Where::client;
      }
      incident.frames = one.frames;
      for (const track::ConnectionNumber number : one.connections) {
        note_connection(incident, number);
      }
      incident.rpcs = one.count;
      incident.rules = {one.rule->id};
      incident.what = one;
      found_.push_back(std::move(incident));
    }
  }

  void count_lost(Incident& incident) const {
    const Fate* const first = incident.connections.empty() ? nullptr : fate_of(incident.connections.front());
    if (incident.kind != Kind::loss || first == nullptr) {
      return;
    }
    for (const auto& [number, fate] : collected_.fates.by_number()) {
      if (fate.server == first->server) {
        incident.lost.add(lost_then(fate.lost, incident));
      }
    }
    if (incident.lost.first_ns <= incident.end_ns.value_or(INT64_MAX - 1)) {  // nothing was lost before
      incident.begin_ns = std::max(incident.begin_ns, incident.lost.first_ns);
    }
  }

  const Fate* fate_of(track::ConnectionNumber number) const {
    const auto found = collected_.fates.by_number().find(number);
    return found != collected_.fates.by_number().end() ? &found->second : nullptr;
  }

  const Collected& collected_;
  const std::vector<Remark> remarks_;
  const std::vector<const stats::Load*> loads_;
  LostConnections lost_;
  std::map<uint32_t, const stats::Load*> not_ready_;  // by connection
  std::set<uint32_t> told_not_ready_;                 // the same, of which another incident tells it
  std::set<uint32_t> early_;    // those whose recall is told before it hangs for so long itself
  std::set<uint32_t> cut_off_;  // those whose Calls hang, since something does not get through
  std::vector<Incident> refused_;
  std::vector<Incident> found_;
};

}  // namespace

std::vector<Incident> put_together(const Collected& collected) {
  return Teller(collected).tell();
}

}  // namespace steertag::incident
