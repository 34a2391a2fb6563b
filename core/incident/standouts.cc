#include "incident/standouts.h"

#include <algorithm>
#include <utility>

#include "base/saturating.h"
#include "incident/notes.h"

namespace steertag::incident {
namespace {

using stats::Remark;
using stats::Standout;
using Loads = std::vector<const stats::Load*>;

Kind kind_of(const Remark& remark) {
  const bool callback = remark.topic != nullptr && remark.topic->callback;  // which the client answers
  switch (remark.kind) {
    case Standout::credits:
      return Kind::credits;
    case Standout::server:
    case Standout::offset:
      return callback ? Kind::slow_client : Kind::slow_server;
    case Standout::client:
      return callback ? Kind::slow_server : Kind::slow_client;
    case Standout::data:
    case Standout::distance:
      return Kind::slow_network;
    case Standout::failures:
      return remark.failure.starts_with("ERR_") ? Kind::transport_error : Kind::nfs_error;
    case Standout::not_ready:
      return Kind::receiver_not_ready;
    case Standout::congestion:
      return Kind::congestion;
    default:
      return Kind::loss;
  }
}

const stats::Load* load_of(const Loads& loads, uint32_t number) {
  const auto found =
      std::lower_bound(loads.begin(), loads.end(), number,
                       [](const stats::Load* load, uint32_t value) { return load->number < value; });
  return found != loads.end() && (*found)->number == number ? *found : nullptr;
}

void set_times(Incident& incident, const Remark& remark, const Loads& loads) {
  const stats::Load* const load =
      remark.load != nullptr ? remark.load : load_of(loads, remark.evidence.connection);
  if (remark.when.any() && incident.kind != Kind::loss) {  // its times are those of what was sent again
    incident.begin_ns = remark.when.begin_ns;
    incident.end_ns = remark.when.end_ns;
    return;
  }
  if (load == nullptr || (remark.rpcs == 1 && remark.evidence.weight > 0)) {
    incident.begin_ns = remark.evidence.at.time_ns;
    incident.end_ns = base::saturating_add(incident.begin_ns, std::max<int64_t>(remark.evidence.weight, 0));
    return;
  }
  incident.begin_ns = load->first.time_ns;
  incident.end_ns = load->last.time_ns;
  if (incident.kind == Kind::loss) {
    std::optional<int64_t> begin, end;
    for (const stats::EndLoad* one : {&load->client, &load->server}) {
      if (one->retransmitted != 0) {
        begin = std::min(begin.value_or(INT64_MAX), one->first_again.time_ns);
        end = std::max(end.value_or(INT64_MIN), one->last_again.time_ns);
      }
    }
    incident.begin_ns = begin.value_or(incident.begin_ns);
    incident.end_ns = end.value_or(*incident.end_ns);
  }
}

void set_party(Incident& incident, const Remark& remark) {
  const bool callback = remark.topic != nullptr && remark.topic->callback;
  const auto blame = [&](const base::Address& whom, bool client) {
    incident.by = whom;
    incident.where = client ? Where::client : Where::server;
  };
  incident.where = where_by_name(incident.kind);
  switch (incident.kind) {
    case Kind::slow_server:
    case Kind::slow_client:
      if (remark.kind != Standout::client) {
        incident.by = remark.topic->server;
      } else if (remark.load != nullptr) {
        incident.by = (callback ? remark.load->server : remark.load->client).address;
      }
      return;
    case Kind::credits:
      if (remark.load != nullptr) {
        blame((callback ? remark.load->client : remark.load->server).address, callback);
      }
      return;
    case Kind::receiver_not_ready: {
      const stats::EndLoad &client = remark.load->client, &server = remark.load->server;
      const bool of_client = client.rnr_naks + client.zero_windows > server.rnr_naks + server.zero_windows;
      return blame((of_client ? client : server).address, of_client);
    }
    case Kind::nfs_error:
    case Kind::transport_error:
      incident.where = callback ? Where::client : Where::server;
      return;
    default:
      incident.where = Where::network;
  }
}

const base::Address* server_of(const Remark& remark) {
  return remark.load != nullptr                               ? &remark.load->server.address
         : remark.topic != nullptr && !remark.topic->callback ? &remark.topic->server
                                                              : nullptr;
}

// `ways`: they are the same, seen in two ways; otherwise they add up.
void merge(Incident& known, Incident&& more, bool ways) {
  known.begin_ns = std::min(known.begin_ns, more.begin_ns);
  known.end_ns = std::max(known.end_ns, more.end_ns);
  if (!ways) {
    known.rpcs += more.rpcs;
    known.cost_ns = base::saturating_add(known.cost_ns, more.cost_ns);
  } else if (more.certainty >= known.certainty) {
    known.rpcs = std::max(known.rpcs, more.rpcs);
    known.cost_ns = std::max(known.cost_ns, more.cost_ns);
  }
  known.certainty = std::max(known.certainty, more.certainty);
  for (const track::ConnectionNumber number : more.connections) {
    note_connection(known, number);
  }
  // What nothing got through explains best.
  const bool better = std::get<Remark>(more.what).kind == Standout::outage ||
                      std::get<Remark>(known.what).kind == Standout::outlier;
  if (ways && better) {
    std::swap(known.what, more.what);
    std::swap(known.frames, more.frames);
  }
  for (const Stamp& at : more.frames) {
    note_frame(known, at);
  }
}

}  // namespace

bool is_grave(const Remark& remark) {
  constexpr int64_t kLongNs = 100'000'000;
  switch (remark.kind) {
    case Standout::outlier:
      return remark.evidence.weight >= kLongNs;
    case Standout::server:
    case Standout::offset:
    case Standout::client:
    case Standout::data:
    case Standout::distance:
      return remark.evidence.weight >= stats::kSlowOnceNs ||
             remark.time_ns / std::max<uint64_t>(remark.rpcs, 1) >= uint64_t{kLongNs};
    default:
      return true;
  }
}

Incident incident_of(const Remark& remark, const Loads& loads) {
  Incident incident;
  incident.kind = kind_of(remark);
  const bool disturbs = incident.kind == Kind::loss || incident.kind == Kind::receiver_not_ready ||
                        incident.kind == Kind::nfs_error || incident.kind == Kind::transport_error;
  incident.weight = disturbs ? Weight::disturbed : Weight::slow;
  incident.rpcs = remark.rpcs;
  incident.cost_ns = static_cast<int64_t>(remark.time_ns);
  incident.certainty =
      remark.kind == Standout::outlier ? rules::Certainty::possible : rules::Certainty::likely;
  set_times(incident, remark, loads);
  set_party(incident, remark);
  if (remark.evidence.any()) {
    note_frame(incident, remark.evidence.at);
  }
  for (const Remark::Dear& dear : remark.dearest) {
    note_frame(incident, dear.evidence.at);
  }
  note_connection(incident, remark.load != nullptr ? remark.load->number : remark.evidence.connection);
  incident.what = remark;
  return incident;
}

void join(std::vector<Incident>& found, Incident&& incident) {
  const Remark& remark = std::get<Remark>(incident.what);
  const base::Address* const server = server_of(remark);
  for (Incident& known : found) {
    const Remark* const other = std::get_if<Remark>(&known.what);
    if (other == nullptr || known.kind != incident.kind || server == nullptr ||
        server_of(*other) == nullptr || *server_of(*other) != *server) {
      continue;
    }
    if (incident.kind != Kind::loss && (other->kind != remark.kind || known.by != incident.by)) {
      continue;
    }
    merge(known, std::move(incident), other->kind != remark.kind);
    return;
  }
  found.push_back(std::move(incident));
}

}  // namespace steertag::incident
