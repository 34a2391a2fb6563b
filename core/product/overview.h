// Overview: hears of a capture what a summary says of it: what it is of, what its connections bore, and what
// incidents are made of. Whoever has it asks the rules, and hands on events and findings. The command has one
// in its SummaryProduct, the Wireshark plugin another. Several can each hear of a share of the connections;
// one takes over what they have heard. Bounded, as its parts are.
#pragma once

#include <cstdint>
#include <vector>

#include "event.h"
#include "incident/collection.h"
#include "product/product.h"
#include "report/finding.h"
#include "report/text.h"
#include "rules/finding.h"
#include "stats/sums.h"

namespace steertag::product {

class Overview {
 public:
  // Any event, of an Audit that is asked for what reports need, too.
  void observe(const Event& event);

  // The same, one by one.
  void named(const track::Connection& connection) { collection_.name(connection); }
  void passed(const track::Connection& connection, const timing::Transit& transit) {
    sums_.loads.note(connection, transit);
  }
  void closed(const track::Connection& connection);  // after passed()
  void message(const flow::Message& message) { sums_.loads.note(message); }
  void timed(const flow::Exchange& exchange);
  void congested(const track::Connection& connection, const track::Congestion& congestion) {
    sums_.loads.note(connection, congestion);
  }
  void troubled(const flow::Incident& incident) { collection_.note(incident); }
  void lost(const track::Connection& connection, const flow::Loss& loss) {
    collection_.note(connection, loss);
  }
  void attempted(const attempt::Attempt& attempt) { collection_.note(attempt); }
  void found(const rules::Finding& finding);

  // What the Overview of a share heard, with its connections numbered as they are here.
  void take_over(Overview& theirs, const Product::Share& share);

  // Nothing more comes. `answer_within_ns`: from so long on a Call that waits hangs. The gravest first.
  const std::vector<incident::Incident>& finish(int64_t answer_within_ns);
  const report::FindingCounts& findings() const { return found_; }
  std::vector<attempt::Attempt> attempts() const { return collection_.attempts(); }
  // On one screen (report/text_summary.h); once it is finished.
  void print(report::Buffer& out, const Counters& counters, const report::TextStyle& style) const;

 private:
  incident::Collection collection_;
  stats::Sums sums_{{}, [this](const stats::Rpc& rpc) { collection_.note(rpc); }};
  report::FindingCounts found_;
  std::vector<incident::Incident> incidents_;
};

}  // namespace steertag::product
