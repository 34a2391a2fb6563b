#include "report/verdict.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "report/names.h"
#include "rules/fingerprint.h"

namespace steertag::report {
namespace {

std::string ends_of(const track::Connection& connection) {
  const rdma::Side client = connection.client.value_or(rdma::Side::a);
  return fmt::format("{} {} {} {}", name(connection.transport), connection.end(client).address.text(),
                     connection.client ? "->" : "<->", connection.end(rdma::other(client)).address.text());
}

// Whether it is about a call from server to client; unset where nobody is to blame, or the roles are not
// known.
std::optional<bool> is_backward(const rules::Finding& finding) {
  const std::optional<rdma::Side>& client = finding.connection->client;
  if (!client || !finding.by || finding.blame == rules::Blame::undecided) {
    return std::nullopt;
  }
  return (finding.blame == rules::Blame::requester) != (*finding.by == *client);
}

}  // namespace

KeptFinding::KeptFinding(const rules::Finding& finding)
    : rules::Finding(finding),
      number(finding.connection->number),
      ends(ends_of(*finding.connection)),
      blamed(report::blamed(finding)),
      fingerprint(rules::fingerprint(finding)) {
  connection = nullptr;
}

void Verdict::add(const rules::Finding& finding, const Moment& now, const Known* known) {
  counts_.add(finding.severity);
  const Place place{.capture = 0, .moment = now, .nth = ++heard_};
  OfRule& of_rule = of_rules_[{finding.rule->id, known != nullptr}];
  ++(known != nullptr ? known_[known] : of_rule.kinds).of(finding.severity, finding.certainty);
  if (++of_rule.seen <= kMostOfRule) {
    of_rule.kept.emplace_back(finding);
    of_rule.kept.back().place = place;
    of_rule.kept.back().known = known;
  }
  const std::optional<bool> backward = is_backward(finding);
  count({{rules::fingerprint(finding), finding.rule, finding.severity, finding.certainty, finding.blame,
          finding.version, finding.op, rules::shape(finding.text), finding.count, finding.at},
         finding.source,
         times(finding),
         backward && !*backward,
         backward && *backward,
         place});
}

// Where there are too many, the last in their order give way: those that are left have counted from the
// first, in whatever order and in however many shares they came.
void Verdict::count(Alike&& alike) {
  const auto found = alike_.find(alike.fingerprint);
  if (found == alike_.end()) {
    const uint64_t fingerprint = alike.fingerprint;
    alike_.emplace(fingerprint, std::move(alike));
    if (alike_.size() > kMostAlike) {
      const auto last = std::prev(alike_.end());
      beyond_ += last->second.count;
      alike_.erase(last);
    }
    return;
  }
  Alike& all = found->second;
  all.count += alike.count;
  all.times += alike.times;
  all.severity = std::max(all.severity, alike.severity);
  all.certainty = std::max(all.certainty, alike.certainty);
  all.forward |= alike.forward;
  all.backward |= alike.backward;
  if (alike.first < all.first) {
    all.first = alike.first;
    all.at = alike.at;
    all.source = alike.source;
    all.version = alike.version;  // of those that are neither 1 nor 2: a fingerprint does not tell them apart
    all.shape = std::move(alike.shape);  // "N byte", "N bytes": the first one's
  }
}

void Verdict::add_counts(const Verdict& other) {
  counts_.add(other.counts_);
  traffic_.add(other.traffic_);
  beyond_ += other.beyond_;
  for (const auto& [known, kinds] : other.known_) {
    known_[known].add(kinds);
  }
}

void FindingKinds::add(const FindingKinds& other) {
  for (size_t severity = 0; severity < counts.size(); ++severity) {
    for (size_t certainty = 0; certainty < counts[severity].size(); ++certainty) {
      counts[severity][certainty] += other.counts[severity][certainty];
    }
  }
}

uint64_t FindingKinds::all() const {
  uint64_t sum = 0;
  for (const auto& of_severity : counts) {
    sum = std::accumulate(of_severity.begin(), of_severity.end(), sum);
  }
  return sum;
}

void Verdict::OfRule::add_counts(const OfRule& other) {
  seen += other.seen;
  kinds.add(other.kinds);
}

void Verdict::OfRule::keep_first() {
  std::stable_sort(kept.begin(), kept.end(),
                   [](const KeptFinding& a, const KeptFinding& b) { return a.place < b.place; });
  kept.erase(kept.begin() + static_cast<ptrdiff_t>(std::min(kept.size(), kMostOfRule)), kept.end());
}

void Verdict::take_over(Verdict& share, size_t place, const Merger& merger) {
  add_counts(share);
  for (auto& [fingerprint, alike] : share.alike_) {
    count(std::move(alike));
  }
  Buffer scratch;
  const auto fill_in = [&](std::string& text) {
    scratch.clear();
    merger.fill_in(place, text, scratch);
    text = view(scratch);
  };
  for (auto& [id, theirs] : share.of_rules_) {
    OfRule& ours = of_rules_[id];
    ours.add_counts(theirs);
    for (KeptFinding& finding : theirs.kept) {
      finding.number = merger.number(place, finding.number);
      fill_in(finding.text);
      fill_in(finding.excerpt.header);
      fill_in(finding.excerpt.context);
      ours.kept.push_back(std::move(finding));
    }
    ours.keep_first();
  }
}

void Verdict::append(Verdict& other, uint32_t first_file) {
  add_counts(other);
  const uint32_t capture = ++appended_;
  for (auto& [fingerprint, alike] : other.alike_) {
    alike.first.capture = capture;
    alike.at.file += first_file;
    count(std::move(alike));
  }
  for (auto& [id, theirs] : other.of_rules_) {
    OfRule& ours = of_rules_[id];
    ours.add_counts(theirs);
    for (KeptFinding& finding : theirs.kept) {
      finding.place.capture = capture;
      finding.at.file += first_file;
      for (Stamp& related : finding.related) {
        related.file += first_file;
      }
      ours.kept.push_back(std::move(finding));
    }
    ours.keep_first();
  }
}

void Verdict::exceeded(const Known& known) {
  const auto counted = known_.find(&known);
  const auto accepted = of_rules_.find({known.rule, true});
  if (counted == known_.end() || accepted == of_rules_.end()) {
    return;
  }
  const std::string_view rule = accepted->first.first;  // it outlives `known`
  of_rules_[{rule, false}].kinds.add(counted->second);
  known_.erase(counted);
  for (auto& [id, of_rule] : of_rules_) {
    for (KeptFinding& finding : of_rule.kept) {
      finding.known = finding.known == &known ? nullptr : finding.known;
    }
  }
}

std::vector<const KeptFinding*> Verdict::findings() const {
  std::vector<const KeptFinding*> all;
  for (const auto& [id, of_rule] : of_rules_) {
    for (const KeptFinding& finding : of_rule.kept) {
      all.push_back(&finding);
    }
  }
  std::sort(all.begin(), all.end(),
            [](const KeptFinding* a, const KeptFinding* b) { return a->place < b->place; });
  return all;
}

uint64_t Verdict::count(const rules::Rule& rule, rules::Severity severity, rules::Certainty certainty) const {
  const auto found = of_rules_.find({rule.id, false});
  return found == of_rules_.end()
             ? 0
             : found->second.kinds.counts[static_cast<size_t>(severity)][static_cast<size_t>(certainty)];
}

uint64_t Verdict::count(const rules::Rule& rule) const {
  const auto found = of_rules_.find({rule.id, false});
  return found == of_rules_.end() ? 0 : found->second.kinds.all();
}

std::vector<Verdict::Accepted> Verdict::accepted() const {
  std::vector<Accepted> all;
  for (const auto& [known, kinds] : known_) {
    all.push_back({known, kinds.all()});
  }
  return all;
}

uint64_t Verdict::left_out(const rules::Rule& rule) const {
  uint64_t left = 0;
  for (const bool known : {false, true}) {
    const auto found = of_rules_.find({rule.id, known});
    left += found == of_rules_.end() ? 0 : found->second.seen - found->second.kept.size();
  }
  return left;
}

}  // namespace steertag::report
