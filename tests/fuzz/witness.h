// Witness: an Audit with every report behind it, as all commands together would have
// them: decode, flows, connections and audit, as text and as JSON Lines. It holds what is
// reported to what must be true of it whatever the frames are, and keeps the JSON Lines,
// so that two ways of reading the same frames can be compared.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/buffer.h"
#include "report/finding.h"
#include "report/seen.h"
#include "report/text.h"
#include "rules/audit.h"

namespace steertag::fuzz {

class Witness final : private Observer, private rules::Listener {
 public:
  explicit Witness(const Options& options = {}, rules::Settings settings = {});

  void feed(const Frame& frame);
  void feed(std::span<const Frame> frames);  // together
  void finish();

  std::string_view records() const { return report::view(records_); }  // JSON Lines
  // Errors that are definite, a line each: "frame 12: ... [CHK-02]".
  const std::string& accusations() const { return accusations_; }
  const Counters& counters() const { return audit_.counters(); }

 private:
  void on(const Event& event) override;
  void on_finding(const rules::Finding& finding) override;
  void on_judged(const track::Connection&) override { text_done(); }

  void named(const track::Connection& connection);
  void loss(const track::Connection& connection, const flow::Loss& loss);
  void closed(const track::Connection& connection, const history::Ground* ground);
  void negotiation(const flow::Negotiation& negotiation);
  void message(const flow::Message& message);
  void exchange(const flow::Exchange& exchange);
  void record_done();  // the JSON Line at the end of the records is whole
  void text_done();    // what was printed for people is forgotten

  report::Buffer records_, text_;
  size_t checked_ = 0;  // bytes of the records
  report::TextStyle style_;
  report::RpcSummary rpcs_;
  report::FindingCounts found_;
  report::Seen seen_;
  std::string accusations_;
  uint64_t frames_ = 0, messages_ = 0, exchanges_ = 0, timed_ = 0;
  rules::Audit audit_;
};

}  // namespace steertag::fuzz
