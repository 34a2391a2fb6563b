// A product made of the frames of a Trace: whole(), by one Inspector; in_shares(), by several that have a
// share of the hosts each, whose products are merged into one more. What is printed is the same either way.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "allotment.h"
#include "flow/numbering.h"
#include "intake.h"
#include "product/inspector.h"
#include "product/records.h"
#include "report/merger.h"
#include "report/part.h"
#include "scenario/scenario.h"
#include "support/compiled.h"
#include "support/trace.h"

namespace steertag::product {

class Sheet final : public Records {
 public:
  report::Buffer& buffer() override { return text_; }
  void record_done() override {}
  std::string text() const { return std::string(report::view(text_)); }

 private:
  report::Buffer text_;
};

inline Frame frame_of(const support::Trace& trace, const support::TraceFrame& frame) {
  return {frame.at, trace.link_type, frame.bytes, frame.original_length};
}

inline report::TextStyle style_of(int64_t origin_ns) {
  report::TextStyle style;
  style.origin_ns = origin_ns;
  return style;
}

// A conversation, and the same between other hosts, frame by frame.
inline support::Trace two_pairs(const std::string& text, scenario::Fabric fabric = scenario::Fabric::roce2) {
  const support::Trace trace = support::compiled(text, fabric);
  support::Trace both;
  both.link_type = trace.link_type;
  for (const support::TraceFrame& frame : trace.frames) {
    both.frames.push_back(frame);
    both.frames.push_back(frame);
    both.frames.back().bytes[14 + 14] ^= 0x40;  // of the source, and of the destination
    both.frames.back().bytes[14 + 18] ^= 0x40;
  }
  for (size_t i = 0; i < both.frames.size(); ++i) {
    both.frames[i].at.number = i + 1;
  }
  return both;
}

struct Outcome {
  std::string text;
  int status = 0;
  std::vector<std::string> complaints;
  std::string failure;

  bool operator==(const Outcome&) const = default;
};

inline Outcome finished(Product& product, const Counters& counters, const Sheet& sheet) {
  product.finish({.counters = counters, .cut = {}});
  return {sheet.text(), product.status(), product.complaints(), product.failure()};
}

inline Outcome whole(const support::Trace& trace, const Settings& settings, const MakeProduct& make) {
  Sheet sheet;
  Inspector inspector({.settings = settings, .records = sheet, .style = {}}, make);
  inspector.product().begin();
  for (const support::TraceFrame& frame : trace.frames) {
    const Frame one = frame_of(trace, frame);
    inspector.feed({&one, 1});
  }
  inspector.finish();
  return finished(inspector.product(), inspector.counters(), sheet);
}

// What hears of one share of the hosts.
class Sharer final : Records, flow::NumberingLog {
 public:
  Sharer(const Settings& settings, const MakeProduct& make, int64_t origin_ns, size_t shares)
      : inspector_({.settings = settings,
                    .records = *this,
                    .style = style_of(origin_ns),
                    .course = {.now = {}, .numbering = this},
                    .shares = shares},
                   make) {}
  Inspector& inspector() { return inspector_; }
  report::Part& part() { return part_; }

 private:
  report::Buffer& buffer() override { return part_.buffer(); }
  void record_done() override { part_.done(inspector_.now(), report::Piece::Kind::record); }
  void heading_done() override { part_.done(inspector_.now(), report::Piece::Kind::heading); }
  void aside_done() override { part_.done(inspector_.now(), report::Piece::Kind::aside); }
  void on_promise(flow::Promise promise, track::ConnectionNumber number, uint64_t order) override {
    part_.note(inspector_.now(), promise, number, order);
  }

  report::Part part_;
  Inspector inspector_;
};

inline Outcome in_shares(const support::Trace& trace, uint32_t count, const Settings& settings,
                         const MakeProduct& make) {
  const int64_t origin_ns = trace.frames.front().at.time_ns;
  std::deque<Sharer> shares;
  for (uint32_t i = 0; i < count; ++i) {
    shares.emplace_back(settings, make, origin_ns, count);
  }
  Intake::Options options = settings.analyzer().intake();
  options.digested_ports = settings.analyzer().rpcrdma_ports;
  Intake intake(options);
  Allotment allotment(count);
  track::Arrival arrival;
  Sheet sheet;
  Inspector main({.settings = settings, .records = sheet, .style = style_of(origin_ns)}, make);
  main.product().begin();
  for (const support::TraceFrame& frame : trace.frames) {
    const bool followed = intake.take(frame_of(trace, frame), arrival);
    const uint32_t whose = followed ? allotment.of(arrival) : count;
    for (uint32_t i = 0; i < count; ++i) {
      const TakenFrame taken{.at = frame.at, .arrival = followed ? &arrival : nullptr, .ours = i == whose};
      shares[i].inspector().analyzer().feed({&taken, 1});
    }
  }
  std::vector<report::Pieces*> pieces;
  for (Sharer& share : shares) {
    share.inspector().finish();
    pieces.push_back(&share.part());
  }
  report::Merger merger(count);
  merger.merge(pieces, sheet.buffer(), [] {});
  Counters counters;
  counters.set(intake);
  for (uint32_t i = 0; i < count; ++i) {
    counters.add_share(shares[i].inspector().counters());
    main.product().merge({shares[i].inspector().product(), i, merger});
  }
  return finished(main.product(), counters, sheet);
}

}  // namespace steertag::product
