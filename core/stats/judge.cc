#include "stats/judge.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <map>

#include "stats/offset.h"
#include "stats/troubles.h"

namespace steertag::stats {
namespace {

constexpr std::array kFractions = {0.5, 0.9, 0.99, 0.999, 1.0};

double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Whether so many are counted that at least one lies beyond the fraction: p90 of 7 is the longest.
bool has_beyond(const Durations& times, double fraction) {
  return fraction == 1 || (1 - fraction) * static_cast<double>(times.count()) >= 1;
}

int64_t mean(uint64_t sum_ns, uint64_t count) {
  return count == 0 ? 0 : static_cast<int64_t>(sum_ns / count);
}

class Judge {
 public:
  explicit Judge(const Counted& counted)
      : loads_(counted.loads.in_order()), topics_(counted.topics.in_order()), all_(counted.all) {
    for (const Topic* topic : topics_) {
      total_ns_ += topic->delivered.sum_ns() + topic->credits.sum_ns;
    }
  }

  std::vector<Remark> remarks() {
    judge_offsets();
    for (const Topic* topic : topics_) {
      judge_times(*topic);
      judge_ends(*topic);
    }
    for (const Load* load : loads_) {
      judge_load(*load);
    }
    judge_coverage();
    std::stable_sort(found_.begin(), found_.end(), [](const Remark& x, const Remark& y) {
      return caveat(x) != caveat(y) ? caveat(y) : x.time_ns > y.time_ns;
    });
    return std::move(found_);
  }

 private:
  // A remark about a part of a topic's time.
  static Remark about(Standout kind, const Topic& topic, const Part& part, uint64_t whole_ns) {
    Remark remark;
    remark.kind = kind;
    remark.topic = &topic;
    remark.share = ratio(part.sum_ns, whole_ns);
    remark.rpcs = part.rpcs;
    remark.of = topic.rpcs;
    remark.time_ns = part.sum_ns;
    remark.evidence = part.longest;
    remark.when = part.slow;
    const bool time = kind == Standout::server || kind == Standout::client || kind == Standout::data;
    remark.hit = part.slow.sum();
    if (!time) {
      remark.hit.rpcs = part.rpcs;
      remark.hit.ns = part.sum_ns;
    }
    return remark;
  }

  void judge_times(const Topic& topic) {
    const uint64_t delivered = topic.delivered.sum_ns();
    const Remark credits = about(Standout::credits, topic, topic.credits, delivered + topic.credits.sum_ns);
    if (credits.share >= kCreditShare && notable(credits) && !topic.callback) {
      note(credits);
    }
    judge_loss(about(Standout::loss, topic, topic.network, delivered));
    judge_server(about(Standout::server, topic, topic.responder, delivered));
    const Remark client = about(Standout::client, topic, topic.requester, delivered);
    if (client.share >= kClientShare && notable(client) && slow(client, kSlowClientNs) &&
        !is_paused(client.evidence)) {
      note(client);
    }
    const Remark data = about(Standout::data, topic, topic.data, delivered);
    if (data.share >= kDataShare && notable(data) && slow(data, kSlowDataNs) && !is_paused(data.evidence)) {
      note(data);
    }
  }

  void judge_loss(Remark loss) {
    const Topic& topic = *loss.topic;
    const bool much = loss.share >= kLossShare && notable(loss);
    if (loss.rpcs == 0 || (!much && loss.evidence.weight < kLostOnceNs)) {
      return;
    }
    for (const Dearest::Entry& entry : topic.lossiest.entries()) {
      loss.dearest.push_back({entry.evidence, &topic});
    }
    for (const double fraction : kFractions) {
      if (topic.retried.rpcs + topic.repeated.rpcs != 0) {
        break;  // these are longest
      }
      if (!has_beyond(topic.delivered, fraction)) {
        continue;
      }
      const int64_t with = topic.delivered.percentile(fraction);
      const int64_t without = topic.undisturbed.count() == 0 ? 0 : topic.undisturbed.percentile(fraction);
      if (static_cast<double>(with) >= kLossFactor * static_cast<double>(without)) {
        loss.percentile = fraction;
        loss.with_ns = with;
        loss.without_ns = without;
        break;
      }
    }
    note(loss);
  }

  // Servers that take the same time for everything; those that are far away do so, too.
  void judge_offsets() {
    std::map<base::Address, std::vector<const Topic*>> of_server;
    for (const Topic* topic : topics_) {
      of_server[topic->server].push_back(topic);
    }
    for (const Topic* topic : topics_) {
      const std::vector<const Topic*>& all = of_server[topic->server];
      const auto offset = all.front() == topic ? common_offset(all, topic->server) : std::nullopt;
      if (!offset || offset->ns < kSlowServerNs) {
        continue;
      }
      const Load* const load = load_of(offset->shown->responder.longest.connection);
      const int64_t way = load == nullptr ? 0 : load->server.rtt_ns.value_or(0);
      if (static_cast<double>(way) >= kWayShare * static_cast<double>(offset->ns)) {
        continue;
      }
      offsets_[topic->server] = offset->ns;
      Remark remark = about(Standout::offset, *offset->shown, offset->shown->responder, 0);
      remark.hit = {};
      remark.rpcs = offset->rpcs;
      remark.of = offset->operations;
      remark.time_ns = offset->sum_ns;
      remark.without_ns = offset->ns;
      remark.share = offset->without_file ? 1 : 0;
      note(remark);
    }
  }

  // Whether what all of its operations take explains the time of this one.
  bool explained(const Remark& server) const {
    const auto offset = offsets_.find(server.topic->server);
    if (server.topic->callback || offset == offsets_.end()) {
      return false;
    }
    const int64_t own = mean(server.time_ns, server.rpcs) - offset->second;
    return own < offset->second && server.evidence.weight - offset->second < kSlowOnceNs;
  }

  bool is_paused(const Evidence& evidence) const {
    const Load* const load = load_of(evidence.connection);
    return load != nullptr && load->is_paused(evidence);
  }

  void judge_server(Remark server) {
    if (explained(server) || is_paused(server.evidence)) {
      return;
    }
    const int64_t typical = mean(server.time_ns, server.rpcs);
    if (server.share < kServerShare || !notable(server) || !slow(server, kSlowServerNs)) {
      return;
    }
    const Load* const load = load_of(server.evidence.connection);
    const int64_t half = server.topic->delivered.percentile(0.5);
    const bool lossy = load != nullptr && load->client.retransmitted + load->server.retransmitted != 0;
    if (lossy && server.evidence.weight / kOutlier >= half) {
      server.kind = Standout::outlier;
      server.without_ns = half;
      return note(server);
    }
    const int64_t way =
        load == nullptr ? 0 : (server.topic->callback ? load->client : load->server).rtt_ns.value_or(0);
    if (way >= kLongWayNs && static_cast<double>(way) >= kWayShare * static_cast<double>(typical)) {
      server.kind = Standout::distance;
    }
    judge_few(server);
    note(server);
  }

  // Where the mean says little, since it is made by few.
  static void judge_few(Remark& server) {
    const Durations& all = server.topic->undisturbed;
    if (server.kind != Standout::server || all.count() == 0 ||
        mean(server.time_ns, server.rpcs) < kMadeByFew * all.percentile(0.5)) {
      return;
    }
    const auto fraction = std::find_if(kFractions.begin(), kFractions.end(), [&](double one) {
      return has_beyond(all, one) && all.percentile(one) >= kSlowServerNs;
    });
    if (fraction != kFractions.begin() && fraction != kFractions.end()) {
      server.percentile = *fraction;
      server.with_ns = all.percentile(*fraction);
      server.without_ns = all.percentile(0.5);
    }
  }

  // How its RPCs ended.
  void judge_ends(const Topic& topic) {
    if (topic.unanswered.longest.weight >= kUnansweredNs) {
      note(about(Standout::unanswered, topic, topic.unanswered, 0));
    }
    if (topic.retried.rpcs != 0) {
      note(about(Standout::retries, topic, topic.retried, 0));
    }
    if (topic.repeated.rpcs != 0) {
      Remark repeated = about(Standout::retries, topic, topic.repeated, 0);
      repeated.ignored = true;
      note(repeated);
    }
    Remark failures = about(Standout::failures, topic, {}, 0);
    uint64_t most = 0;
    for (const Topic::Failure& failure : topic.failures) {
      if (ordinary_failure(failure.name)) {
        continue;
      }
      failures.rpcs += failure.rpcs;
      failures.when.note(failure.when);
      if (failure.rpcs > most) {
        most = failure.rpcs;
        failures.failure = failure.name;
        failures.evidence = failure.first;
      }
    }
    if (failures.rpcs >= kFailedLeast && ratio(failures.rpcs, failures.of) >= kFailedShare) {
      failures.share = ratio(failures.rpcs, failures.of);
      note(failures);
    }
  }

  void judge_load(const Load& load) {
    const int64_t limit = load.credits.at_limit_ns.value_or(0);
    Remark remark;
    remark.kind = Standout::credits;
    remark.load = &load;
    const bool known = std::any_of(found_.begin(), found_.end(), [&](const Remark& other) {
      return other.kind == Standout::credits && other.load == &load;
    });
    const uint32_t granted =
        load.reduced ? load.reduced->now : load.credits.granted_max.value_or(load.requested_max);
    const bool wanted = load.requested_max > granted;
    const bool much =
        static_cast<double>(limit) >= kLimitShare * static_cast<double>(load.busy_ns) ||
        (wanted && static_cast<double>(limit) >= kLimitShareOfRpcs * static_cast<double>(total_ns_));
    if (!known && limit > 0 && much) {
      found_.push_back(remark);
    }
    judge_troubles(load, topics_, found_);
    judge_at_least(load);
  }

  // Said once, whatever the number of connections.
  void judge_at_least(const Load& load) {
    const timing::Passage& client = load.client.passage;
    if (client.unseen != 0 && at_least_ != 0) {
      ++found_[at_least_ - 1].alike;
    } else if (client.unseen != 0) {
      Remark remark;
      remark.kind = Standout::at_least;
      remark.load = &load;
      remark.evidence = {0, client.first_unseen, load.number, 0};
      found_.push_back(remark);
      at_least_ = found_.size();
    }
  }

  void judge_coverage() {
    const uint64_t timed = all_.delivered.count();
    const uint64_t answered = all_.count - std::min(all_.count, all_.unanswered);
    if (answered > timed && ratio(answered - timed, answered) >= kUntimedShare) {
      Remark remark;
      remark.kind = Standout::untimed;
      remark.rpcs = answered - timed;
      remark.of = answered;
      found_.push_back(remark);
    }
  }

  static bool slow(const Remark& remark, int64_t least_ns) {
    return (mean(remark.time_ns, remark.rpcs) >= least_ns && remark.rpcs >= kSlowLeast) ||
           remark.evidence.weight >= kSlowOnceNs;
  }
  bool notable(const Remark& remark) const { return ratio(remark.time_ns, total_ns_) >= kNotableShareOfAll; }

  // Of the operations of one server of which the same is true, the dearest stands for all.
  void note(Remark remark) {
    remark.load = load_of(remark.evidence.connection);
    for (Remark& known : found_) {
      if (known.kind == remark.kind && known.topic->server == remark.topic->server &&
          known.topic->callback == remark.topic->callback && known.ignored == remark.ignored) {
        remark.when.note(known.when);
        remark.hit.add(known.hit);
        known.when = remark.when;
        known.hit = remark.hit;
        if (remark.time_ns > known.time_ns || (remark.time_ns == known.time_ns && remark.rpcs > known.rpcs)) {
          remark.alike = known.alike;
          known = remark;
        }
        ++known.alike;
        return;
      }
    }
    found_.push_back(std::move(remark));
  }

  const Load* load_of(uint32_t number) const {
    const auto found =
        std::lower_bound(loads_.begin(), loads_.end(), number,
                         [](const Load* load, uint32_t value) { return uint32_t{load->number} < value; });
    return found != loads_.end() && (*found)->number == number ? *found : nullptr;
  }

  const std::vector<const Load*> loads_;
  const std::vector<const Topic*> topics_;
  const Totals& all_;
  absl::flat_hash_map<base::Address, int64_t> offsets_;  // by server
  uint64_t total_ns_ = 0;
  std::vector<Remark> found_;
  size_t at_least_ = 0;  // where that is among them, from 1; 0: nowhere yet
};

}  // namespace

std::vector<Remark> judge(const Counted& counted) {
  return Judge(counted).remarks();
}

bool ordinary_failure(const std::string& name) {
  constexpr std::array<std::string_view, 7> kOrdinary = {"NOENT",   "EXIST",   "NOTEMPTY", "NXIO",
                                                         "NOXATTR", "NOTSUPP", "DENIED"};
  constexpr std::array<std::string_view, 4> kLocked = {"NLM4_DENIED", "NLM4_BLOCKED", "LCK_DENIED",
                                                       "LCK_BLOCKED"};
  if (std::find(kLocked.begin(), kLocked.end(), name) != kLocked.end()) {
    return true;
  }
  const size_t end = name.find("ERR_");
  return end != std::string::npos && std::find(kOrdinary.begin(), kOrdinary.end(),
                                               std::string_view(name).substr(end + 4)) != kOrdinary.end();
}

}  // namespace steertag::stats
