#include "report/json.h"

#include <map>
#include <string_view>
#include <tuple>

#include "report/diff.h"
#include "report/finding.h"
#include "report/record/connection.h"
#include "report/record/difference.h"
#include "report/record/disturbances.h"
#include "report/record/finding.h"
#include "report/record/json_teller.h"
#include "report/record/load.h"
#include "report/record/message.h"
#include "report/record/rpc.h"
#include "report/record/rule.h"
#include "report/record/stat.h"
#include "report/record/stream.h"
#include "report/record/summary.h"
#include "report/stats.h"
#include "report/stream.h"
#include "report/text_stats.h"

namespace steertag::report {

void json_rpc(Buffer& out, const flow::Exchange& exchange, const Files& files) {
  record::print(out, record::Rpc{exchange}, files);
}

void json_rpc(Buffer& out, const flow::Exchange& exchange, const Files& files,
              const stats::Setbacks::Some& setbacks) {
  record::print(out, record::Rpc{exchange, &setbacks}, files);
}

void json_connection(Buffer& out, const track::Connection& connection, uint32_t number, Stage stage,
                     const Files& files, const history::InForce* in_force) {
  record::print(out, record::Connection{connection, number, stage, in_force}, files);
}

void json_message(Buffer& out, const flow::Message& message, const Files& files) {
  record::print(out, record::Message{message}, files);
}

void json_stat(Buffer& out, const Stat& stat) {
  record::print(out, record::Stat{stat});
}

void json_note(Buffer& out, const stats::Remark& remark, const TextStyle& style) {
  record::print(out, record::Note{remark, sentence(remark, style)}, style.files);
}

void json_disturbances(Buffer& out, track::ConnectionNumber number, std::optional<int64_t> start_ns,
                       const stats::Disturbances::Interval& interval) {
  record::print(out, record::Disturbances{number, start_ns, interval});
}

void json_pace(Buffer& out, track::ConnectionNumber number, const stats::Pace& pace) {
  const auto length_ns = static_cast<uint64_t>(pace.length_ns());
  for (const auto& [place, interval] : pace.intervals()) {
    record::print(out, record::Pace{number, pace.start_ns(place), length_ns, interval});
  }
}

void json_load(Buffer& out, const stats::Load& load) {
  record::print(out, record::Load{load});
}

void json_finding(Buffer& out, const rules::Finding& finding, const Files& files, const Known* known,
                  FindingDetail detail) {
  record::print(out, record::Finding{finding, known, detail}, files);
}

void json_tally(Buffer& out, const rules::Rule& rule, const rules::Tally& tally) {
  record::print(out, record::Tally{rule, tally});
}

void json_rule(Buffer& out, const rules::Rule& rule, bool whole) {
  record::print(out, record::Rule{rule, whole});
}

void json_difference(Buffer& out, const diff::Difference& difference, const DiffReport& report) {
  record::print(out, record::Difference{difference, report.before.files, report.after.files});
}

void json_diff_summary(Buffer& out, const DiffReport& report, std::string_view interrupted) {
  const Counters &before = report.before.counters, &after = report.after.counters;
  Summary both;
  both.files = report.before.files.names.size() + report.after.files.names.size();
  both.counters.frames = before.frames + after.frames;
  both.counters.messages = before.messages + after.messages;
  both.counters.exchanges = before.exchanges + after.exchanges;
  both.counters.connections = before.connections + after.connections;
  both.counters.lost = before.lost + after.lost;
  both.cut = !interrupted.empty()         ? interrupted
             : !report.before.cut.empty() ? report.before.cut
                                          : report.after.cut;
  both.damaged = report.before.damaged || report.after.damaged;
  record::print(out, record::Summary{both, &report, interrupted.empty()});
}

void json_score(Buffer& out, const Score& score) {
  // Documents in the order of the ledger; in each, what no traffic shows, which has no family, comes last.
  using Key = std::tuple<size_t, bool, std::string_view, rules::Addressee, rules::Level>;
  struct Group {
    std::string_view document;
    Figures figures;
  };
  std::map<std::string_view, size_t> places;  // of documents
  std::map<Key, Group> groups;
  for (const Scored& scored : score.requirements()) {
    const rules::Requirement& of = scored.requirement;
    const size_t place = places.emplace(of.document, places.size()).first->second;
    Group& group = groups[{place, !of.checkable(), of.family(), of.addressee, of.level}];
    group.document = of.document;
    group.figures.add(scored);
  }
  for (const auto& [key, group] : groups) {
    const auto& [place, hidden, family, addressee, level] = key;
    const std::string_view shown = hidden ? std::string_view() : family;
    record::print(out, record::Score{group.document, shown, addressee, level, group.figures});
  }
}

void json_stream(Buffer& out, std::string_view version, std::span<const PolicyFile> policies) {
  record::print(out, record::Stream{version, policies});
}

void json_summary(Buffer& out, const Summary& summary) {
  record::print(out, record::Summary{summary});
}

void json_file(Buffer& out, const AuditedFile& file, const Seen& seen) {
  record::print(out, record::File{file, seen});
}

}  // namespace steertag::report
