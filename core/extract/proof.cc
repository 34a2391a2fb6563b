#include "extract/proof.h"

namespace steertag::extract {

Proof::Proof(const Chosen& chosen, const Options& options, rules::Settings settings)
    : chosen_(chosen), audit_(*this, *this, options, std::move(settings)) {
  for (size_t i = 0; i < chosen.findings.size(); ++i) {
    findings_left_.insert(i);
    places_[place(chosen.findings[i].finding.at)] = {};
  }
  for (size_t i = 0; i < chosen.rpcs.size(); ++i) {
    const ChosenRpc& rpc = chosen.rpcs[i];
    rpcs_left_.insert(i);
    if (rpc.delivered_ns) {
      times_left_.insert(i);
    }
    rpcs_[rpc.xid].push_back(i);
    for (const std::optional<Stamp>& at : {rpc.call, rpc.reply}) {
      if (at) {
        places_[place(*at)] = {};
      }
    }
  }
}

void Proof::feed(const Frame& frame, const Stamp& original) {
  if (const auto found = places_.find(place(original)); found != places_.end()) {
    found->second = frame.at;
  }
  audit_.feed(frame);
}

bool Proof::finish() {
  audit_.finish();
  return findings_left_.empty() && rpcs_left_.empty();
}

void Proof::on(const Event& event) {
  if (const auto* const done = std::get_if<ExchangeDone>(&event)) {
    work_ += done->exchange.segments.size();
    each_like(done->exchange, [&](size_t i) { rpcs_left_.erase(i); });
  } else if (const auto* const timed = std::get_if<ExchangeTimed>(&event)) {
    const flow::Timing& timing = timed->exchange.timing;
    each_like(timed->exchange, [&](size_t i) {
      const ChosenRpc& rpc = chosen_.rpcs[i];
      if (timing.delivered_ns == rpc.delivered_ns && timing.phases_ns == rpc.phases_ns) {
        times_left_.erase(i);
      }
    });
  }
}

// Calls what(number) for each chosen RPC that the Exchange shows.
void Proof::each_like(const flow::Exchange& exchange, const auto& what) {
  const auto found = rpcs_.find(exchange.xid);
  if (found == rpcs_.end()) {
    return;
  }
  work_ += found->second.size();
  for (const size_t i : found->second) {
    if (same(exchange, chosen_.rpcs[i])) {
      what(i);
    }
  }
}

void Proof::on_finding(const rules::Finding& finding) {
  work_ += 1 + findings_left_.size();
  for (auto left = findings_left_.begin(); left != findings_left_.end();) {
    left = same(finding, chosen_.findings[*left]) ? findings_left_.erase(left) : std::next(left);
  }
}

bool Proof::same(const rules::Finding& finding, const ChosenFinding& chosen) const {
  const rules::Finding& other = chosen.finding;
  const bool to_blame = finding.by.has_value() == other.by.has_value() &&
                        (!finding.by || finding.connection->end(*finding.by).address == chosen.by);
  return finding.rule == other.rule && finding.severity == other.severity &&
         finding.certainty == other.certainty && finding.blame == other.blame && to_blame &&
         finding.xid == other.xid && finding.op == other.op && finding.version == other.version &&
         same(finding.at, other.at) && unnumbered(finding.text) == unnumbered(other.text);
}

bool Proof::same(const flow::Exchange& exchange, const ChosenRpc& chosen) const {
  return exchange.status == chosen.status && exchange.complete == chosen.complete &&
         same(exchange.call, chosen.call) && same(exchange.reply, chosen.reply);
}

bool Proof::same(const std::optional<Stamp>& in_extract, const std::optional<Stamp>& in_trace) const {
  if (!in_extract || !in_trace) {
    return in_extract.has_value() == in_trace.has_value();
  }
  const auto found = places_.find(place(*in_trace));
  return found != places_.end() && found->second.number == in_extract->number;
}

// Connections have other numbers where there are fewer of them.
std::string Proof::unnumbered(const std::string& text) {
  constexpr std::string_view kWord = "connection ";
  std::string without = text;
  for (size_t at = without.find(kWord); at != std::string::npos; at = without.find(kWord, at)) {
    at += kWord.size();
    const size_t end = without.find_first_not_of("0123456789", at);
    without.erase(at, end == std::string::npos ? end : end - at);
  }
  return without;
}

}  // namespace steertag::extract
