#include "incident/refused.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/saturating.h"
#include "incident/notes.h"

namespace steertag::incident {
namespace {

// Requests of one client that are put off this close together are put off for one reason.
constexpr int64_t kPutOffTogetherNs = 30'000'000'000;
// A client that connects again to a server that restarted is refused this soon.
constexpr int64_t kAfterLossNs = 30'000'000'000;
// A client that goes on asking would have asked again by then.
constexpr int64_t kAsksAgainNs = 30'000'000'000;

// Rows that are one incident.
struct Group {
  std::vector<const Repetition*> rows;
  int64_t last_ns = 0;

  const Repetition& front() const { return *rows.front(); }
  bool takes(const Repetition& row) const {
    const bool later = row.why == Refusal::later;
    return front().why == row.why && front().server == row.server &&
           (!later || front().client == row.client) &&
           base::saturating_subtract(row.first.time_ns, last_ns) <=
               (later ? kPutOffTogetherNs : Repeated::kApartNs);
  }
  bool worth_a_word() const {
    uint64_t answers = 0;
    for (const Repetition* row : rows) {
      answers += row->answers;
    }
    // A server that restarts takes its clients up again sooner.
    return answers >= Repeated::kLeast &&
           base::saturating_subtract(last_ns, front().first.time_ns) >= Repeated::kLeastNs;
  }
};

std::vector<Group> groups_of(const std::vector<Repetition>& rows) {
  std::vector<Group> groups;
  for (const Repetition& row : rows) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& one) { return one.takes(row); });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), Group());
      group->last_ns = row.last.time_ns;
    }
    group->rows.push_back(&row);
    group->last_ns = std::max(group->last_ns, row.last.time_ns);
  }
  std::erase_if(groups, [](const Group& group) { return !group.worth_a_word(); });
  return groups;
}

class Maker {
 public:
  explicit Maker(const Collected& collected) : recalls_(collected.recalls) {
    for (const auto& [number, fate] : collected.fates.by_number()) {
      end_ns_ = std::max(end_ns_, fate.last.time_ns);
      if (!fate.ended) {
        up_.emplace(fate.client, fate.server);
      }
    }
  }

  // What several clients are put off for is one recall.
  std::vector<Group> together(std::vector<Group>&& groups) const {
    std::vector<Group> joined;
    for (Group& group : groups) {
      const std::optional<WaitedFor> recall = recall_of(group);
      const auto known = std::find_if(joined.begin(), joined.end(), [&](const Group& other) {
        const std::optional<WaitedFor> same = recall ? recall_of(other) : std::nullopt;
        return same && same->same_file && recall->same_file && same->recall.call == recall->recall.call;
      });
      if (known == joined.end()) {
        joined.push_back(std::move(group));
      } else {
        known->rows.insert(known->rows.end(), group.rows.begin(), group.rows.end());
        known->last_ns = std::max(known->last_ns, group.last_ns);
      }
    }
    return joined;
  }

  Incident make(const Group& group) const {
    Incident incident;
    incident.kind = group.front().why == Refusal::session ? Kind::session : Kind::nfs_error;
    incident.weight = Weight::disturbed;
    incident.by = group.front().server;
    incident.where = Where::server;
    incident.certainty = rules::Certainty::likely;
    incident.begin_ns = group.front().call.time_ns;
    incident.end_ns = incident.begin_ns;
    Refused refused;
    refused.longest = longest(group);
    refused.requests = group.rows.size();
    refused.last_ns = group.last_ns;
    std::set<base::Address> clients;
    for (const Repetition* row : group.rows) {
      add(incident, *row);
      clients.insert(row->client);
      for (const std::string& status : row->statuses) {
        if (std::find(refused.statuses.begin(), refused.statuses.end(), status) == refused.statuses.end()) {
          refused.statuses.push_back(status);
        }
      }
    }
    if (incident.weight == Weight::broken) {
      incident.end_ns.reset();
    }
    refused.clients = clients.size();
    refused.recall = recall_of(group);
    note_frames(incident, refused.longest);
    if (refused.recall) {
      note_recall(incident, *refused.recall);
    }
    for (const Repetition* row : group.rows) {
      note_frames(incident, *row);
    }
    refused.answers = incident.rpcs;
    refused.first_ns = incident.begin_ns;
    refused.until_ns = incident.end_ns;
    incident.what = std::move(refused);
    return incident;
  }

 private:
  const Repetition& longest(const Group& group) const {
    return **std::max_element(
        group.rows.begin(), group.rows.end(),
        [this](const Repetition* x, const Repetition* y) { return took_ns(*x) < took_ns(*y); });
  }
  std::optional<WaitedFor> recall_of(const Group& group) const {
    return group.front().why == Refusal::later ? recalls_.behind(longest(group)) : std::nullopt;
  }

  // It is not known to have got through, and is probably asked again.
  bool lasts(const Repetition& row) const {
    return !row.then && base::saturating_subtract(end_ns_, row.last.time_ns) <= kAsksAgainNs &&
           up_.contains({row.client, row.server});
  }
  int64_t until_ns(const Repetition& row) const {
    return row.then ? row.then->at.time_ns : lasts(row) ? end_ns_ : row.last.time_ns;
  }
  int64_t took_ns(const Repetition& row) const {
    return base::saturating_subtract(until_ns(row), row.call.time_ns);
  }

  void add(Incident& incident, const Repetition& row) const {
    incident.begin_ns = std::min(incident.begin_ns, row.call.time_ns);
    incident.end_ns = std::max(*incident.end_ns, until_ns(row));
    incident.rpcs += row.answers;
    incident.cost_ns = base::saturating_add(incident.cost_ns, took_ns(row));
    note_connection(incident, row.connection);
    if (lasts(row)) {
      incident.weight = Weight::broken;
    }
  }

  // Whoever does not answer, or keeps the delegation, is to blame, where it is the same file.
  static void note_recall(Incident& incident, const WaitedFor& waited) {
    note_frame(incident, waited.recall.call);
    if (waited.recall.returned) {
      note_frame(incident, *waited.recall.returned);
    }
    note_connection(incident, waited.recall.connection);
    if (waited.same_file) {
      note_first(incident, waited.recall.call);
      incident.by = waited.recall.client;
      incident.where = Where::client;
    }
  }

  static void note_frames(Incident& incident, const Repetition& row) {
    note_frame(incident, row.first);
    note_frame(incident, row.last);
    if (row.then) {
      note_frame(incident, row.then->at);
    }
  }

  const Recalls& recalls_;
  std::set<std::pair<base::Address, base::Address>> up_;  // client and server with a connection that is up
  int64_t end_ns_ = INT64_MIN;                            // of the capture
};

}  // namespace

std::vector<Incident> refused_incidents(const Collected& collected) {
  const std::vector<Repetition> rows = collected.repeated.all();
  std::vector<Incident> found;
  if (!rows.empty()) {
    const Maker maker(collected);
    for (const Group& group : maker.together(groups_of(rows))) {
      found.push_back(maker.make(group));
    }
  }
  return found;
}

bool is_told(const std::vector<Incident>& refused, const stats::Remark& remark) {
  const auto told = [&](const std::string& failure) {
    uint64_t answers = 0;
    for (const Incident& incident : refused) {
      const auto* const what = std::get_if<Refused>(&incident.what);
      if (what != nullptr && what->longest.server == remark.topic->server &&
          std::find(what->statuses.begin(), what->statuses.end(), failure) != what->statuses.end()) {
        answers += incident.rpcs;
      }
    }
    return answers;
  };
  uint64_t beside = 0;
  for (const stats::Topic::Failure& failure : remark.topic->failures) {
    if (!stats::ordinary_failure(failure.name)) {
      beside += failure.rpcs - std::min(failure.rpcs, told(failure.name));
    }
  }
  // What fails beside that is no more than is usual.
  return told(remark.failure) != 0 && beside < stats::kFailedLeast;
}

bool is_told_recall(const std::vector<Incident>& refused, const stats::Remark& remark) {
  return remark.topic != nullptr && remark.topic->callback &&
         std::any_of(refused.begin(), refused.end(), [&](const Incident& incident) {
           const auto* const what = std::get_if<Refused>(&incident.what);
           return what != nullptr && what->recall && what->recall->recall.client == remark.topic->server &&
                  what->recall->recall.operation == remark.topic->operation;
         });
}

bool explains_refused(const Incident& incident, const Incident& refused) {
  const auto* const lost = std::get_if<Lost>(&incident.what);
  const auto* const why = std::get_if<Refused>(&refused.what);
  if (lost == nullptr || why == nullptr || why->longest.why == Refusal::later ||
      why->longest.server != lost->fates.front().server) {
    return false;
  }
  const bool grace = why->longest.why == Refusal::grace;
  // Others have lost their sessions for another reason.
  const bool of_client = std::any_of(lost->fates.begin(), lost->fates.end(),
                                     [&](const Fate& fate) { return fate.client == why->longest.client; });
  return !(grace ? lost->grace : lost->unknown) && (grace || of_client) &&
         refused.begin_ns >= incident.begin_ns &&
         base::saturating_subtract(refused.begin_ns, lost->next == 0 ? lost->latest_ns : lost->up_ns) <=
             kAfterLossNs;
}

void add_refused(Incident& incident, Incident&& refused) {
  incident.end_ns =
      refused.end_ns && incident.end_ns ? std::max(incident.end_ns, refused.end_ns) : std::nullopt;
  incident.weight = std::max(incident.weight, refused.weight);
  incident.rpcs += refused.rpcs;
  incident.cost_ns = base::saturating_add(incident.cost_ns, refused.cost_ns);
  for (const track::ConnectionNumber number : refused.connections) {
    note_connection(incident, number);
  }
  for (const Stamp& frame : refused.frames) {
    note_frame(incident, frame);
  }
  Lost& lost = std::get<Lost>(incident.what);
  Refused& what = std::get<Refused>(refused.what);
  (what.longest.why == Refusal::grace ? lost.grace : lost.unknown) = std::move(what);
}

}  // namespace steertag::incident
