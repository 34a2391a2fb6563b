#include "incident/violations.h"

#include <algorithm>
#include <utility>

namespace steertag::incident {
namespace {

// How sure each is depends on what came behind it: only what may be none is told apart.
auto key(const Violation& one) {
  return std::tuple(one.rule->id, one.severity, one.certainty == rules::Certainty::possible, one.by);
}

}  // namespace

void Violations::note(const rules::Finding& finding) {
  Violation one{.rule = finding.rule,
                .by = {},
                .severity = finding.severity,
                .certainty = finding.certainty,
                .source = finding.source,
                .count = finding.count,
                .text = finding.text,
                .frames = {finding.at},
                .last = finding.at,
                .connections = {finding.connection->number}};
  if (finding.by) {
    one.by = finding.connection->end(*finding.by).address;
  }
  add(std::move(one));
}

void Violations::add(Violation&& more) {
  const auto place = std::lower_bound(all_.begin(), all_.end(), more,
                                      [](const Violation& x, const Violation& y) { return key(x) < key(y); });
  if (place == all_.end() || key(*place) != key(more)) {
    if (all_.size() < kMost) {
      all_.insert(place, std::move(more));
    }
    return;
  }
  place->count += more.count;
  place->certainty = std::max(place->certainty, more.certainty);
  if (captured_before(more.frames.front(), place->frames.front())) {
    place->text = std::move(more.text);
  }
  if (captured_before(place->last, more.last)) {
    place->last = more.last;
  }
  const auto merge = [](auto& into, const auto& from, size_t most, const auto& before) {
    for (const auto& one : from) {
      const auto at = std::lower_bound(into.begin(), into.end(), one, before);
      if (at == into.end() || before(one, *at)) {
        into.insert(at, one);
      }
    }
    into.resize(std::min(into.size(), most));
  };
  merge(place->frames, more.frames, Violation::kMostFrames, captured_before);
  merge(place->connections, more.connections, kMostConnections, [](uint32_t x, uint32_t y) { return x < y; });
}

void Violations::take_over(const Violations& share, const Renumber& number,
                           const std::function<void(std::string&)>& fill_in) {
  for (Violation one : share.all_) {
    fill_in(one.text);
    for (track::ConnectionNumber& connection : one.connections) {
      connection = number(connection);
    }
    std::sort(one.connections.begin(), one.connections.end(), [](uint32_t x, uint32_t y) { return x < y; });
    add(std::move(one));
  }
}

}  // namespace steertag::incident
