#include "report/verdict.h"

#include <algorithm>

#include "report/names.h"
#include "rules/fingerprint.h"

namespace steertag::report {

namespace {

// Whole lines, as many as there is room for.
void cut(std::string& text) {
  if (text.size() > Verdict::kMostExcerpt) {
    text.erase(text.rfind('\n', Verdict::kMostExcerpt - 1) + 1);
    text += "...\n";
  }
}

std::string ends_of(const track::Connection& connection) {
  const rdma::Side client = connection.client.value_or(rdma::Side::a);
  return fmt::format("{} {} {} {}", name(connection.transport), connection.end(client).address.text(),
                     connection.client ? "->" : "<->", connection.end(rdma::other(client)).address.text());
}

KeptFinding kept(const rules::Finding& finding, uint64_t fingerprint) {
  KeptFinding made{.place = {},
                   .rule = finding.rule,
                   .severity = finding.severity,
                   .source = finding.source,
                   .certainty = finding.certainty,
                   .at = finding.at,
                   .connection = finding.connection->number,
                   .ends = ends_of(*finding.connection),
                   .xid = finding.xid,
                   .blame = finding.blame,
                   .by = {},
                   .op = finding.op,
                   .text = finding.text,
                   .where = finding.where,
                   .related = finding.related,
                   .excerpt = finding.excerpt,
                   .fingerprint = fingerprint};
  if (finding.by && finding.blame != rules::Blame::undecided) {
    made.by = finding.connection->end(*finding.by).address.text();
  }
  cut(made.excerpt.header);
  cut(made.excerpt.context);
  return made;
}

}  // namespace

void Verdict::add(const rules::Finding& finding, const Moment& now, const Known* known) {
  counts_.add(finding.severity);
  const std::pair place(now, ++heard_);
  const uint64_t fingerprint = rules::fingerprint(finding);
  OfRule& of_rule = of_rules_[{finding.rule->id, known != nullptr}];
  if (++of_rule.seen <= kMostOfRule) {
    of_rule.kept.push_back(kept(finding, fingerprint));
    of_rule.kept.back().place = place;
    of_rule.kept.back().known = known;
  }
  count(fingerprint, {.rule = finding.rule,
                      .severity = finding.severity,
                      .certainty = finding.certainty,
                      .blame = finding.blame,
                      .version = finding.version,
                      .op = finding.op,
                      .shape = rules::shape(finding.text),
                      .count = finding.count,
                      .times = times(finding),
                      .first = place,
                      .at = finding.at});
}

void Verdict::count(uint64_t fingerprint, Alike alike) {
  const auto found = alike_.find(fingerprint);
  if (found == alike_.end()) {
    if (alike_.size() == kMostAlike) {
      beyond_ += alike.count;
    } else {
      alike_.emplace(fingerprint, std::move(alike));
    }
    return;
  }
  Alike& all = found->second;
  all.count += alike.count;
  all.times += alike.times;
  all.severity = std::max(all.severity, alike.severity);
  all.certainty = std::max(all.certainty, alike.certainty);
  if (alike.first < all.first) {
    all.first = alike.first;
    all.at = alike.at;
    all.shape = std::move(alike.shape);  // "N byte", "N bytes": the first one's
  }
}

void Verdict::take_over(Verdict& share, size_t place, const Merger& merger) {
  counts_.add(share.counts_);
  beyond_ += share.beyond_;
  for (auto& [fingerprint, alike] : share.alike_) {
    count(fingerprint, std::move(alike));
  }
  Buffer scratch;
  const auto fill_in = [&](std::string& text) {
    scratch.clear();
    merger.fill_in(place, text, scratch);
    text = view(scratch);
  };
  for (auto& [id, theirs] : share.of_rules_) {
    OfRule& ours = of_rules_[id];
    ours.seen += theirs.seen;
    for (KeptFinding& finding : theirs.kept) {
      finding.connection = merger.number(place, finding.connection);
      fill_in(finding.text);
      fill_in(finding.excerpt.header);
      fill_in(finding.excerpt.context);
      ours.kept.push_back(std::move(finding));
    }
    std::stable_sort(ours.kept.begin(), ours.kept.end(),
                     [](const KeptFinding& a, const KeptFinding& b) { return a.place < b.place; });
    ours.kept.resize(std::min(ours.kept.size(), kMostOfRule));
  }
}

void Verdict::exceeded(const Known& known) {
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

uint64_t Verdict::left_out(const rules::Rule& rule) const {
  uint64_t left = 0;
  for (const bool known : {false, true}) {
    const auto found = of_rules_.find({rule.id, known});
    left += found == of_rules_.end() ? 0 : found->second.seen - found->second.kept.size();
  }
  return left;
}

}  // namespace steertag::report
