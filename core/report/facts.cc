#include "report/facts.h"

#include <utility>

#include "report/record/finding.h"
#include "report/record/flat_teller.h"
#include "report/record/rpc.h"

namespace steertag::report {
namespace {

struct Sink {
  void put(std::string key, uint64_t value) { facts.push_back({std::move(key), value}); }
  void put(std::string key, std::string_view value) { facts.push_back({std::move(key), std::string(value)}); }
  void put(std::string key, track::ConnectionNumber value) { put(std::move(key), uint64_t{value}); }
  void nothing(const std::string& /*key*/) {}
  Facts facts;
};

Facts facts_of(const Files& files, const auto& tell) {
  Sink sink;
  record::FlatTeller<Sink> to(sink, files, false);
  tell(to);
  return std::move(sink.facts);
}

}  // namespace

Facts rpc_facts(const flow::Exchange& exchange, const Files& files) {
  Facts facts = facts_of(files, [&](auto& to) { record::tell(to, record::Rpc{exchange}); });
  uint64_t moved = 0;
  for (const flow::SegmentFlow& segment : exchange.segments) {
    moved += segment.moved().total();
  }
  if (moved != 0) {
    facts.push_back({"moved", moved});
  }
  return facts;
}

Facts segment_facts(const flow::Exchange& exchange, const flow::SegmentFlow& segment, const Files& files) {
  return facts_of(files, [&](auto& to) {
    to.hex({"xid", "xid"}, exchange.xid, 8);
    to.choice({"chunk", ""}, segment.kind);
    record::tell_flow(to, segment, record::Rpc{exchange});
  });
}

Facts finding_facts(const rules::Finding& finding, const Files& files) {
  return facts_of(files, [&](auto& to) { record::tell(to, record::Finding{finding}); });
}

}  // namespace steertag::report
