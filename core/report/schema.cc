#include "report/schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/embedded.h"
#include "report/record/attempt.h"
#include "report/record/connection.h"
#include "report/record/difference.h"
#include "report/record/disturbances.h"
#include "report/record/finding.h"
#include "report/record/incident.h"
#include "report/record/load.h"
#include "report/record/loss.h"
#include "report/record/message.h"
#include "report/record/negotiation.h"
#include "report/record/nothing.h"
#include "report/record/rpc.h"
#include "report/record/rule.h"
#include "report/record/schema_teller.h"
#include "report/record/sequence.h"
#include "report/record/stat.h"
#include "report/record/stream.h"
#include "report/record/summary.h"
#include "report/stats.h"

namespace steertag::report {
namespace {

constexpr size_t kSchemaIndent = 4;  // columns in front of a definition

constexpr std::string_view kDefinitions = "  \"$defs\": {";
// Definitions of what says where in a run that was shared out a line belongs.
constexpr std::string_view kShareName = "share_name", kMoment = "moment";

// The rest of `text` up to a quote.
std::string quoted(std::string_view text) {
  return std::string(text.substr(0, text.find('"')));
}

// The names that follow `what`, each once.
std::vector<std::string> names_behind(std::string_view text, std::string_view what) {
  std::vector<std::string> names;
  for (size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) {
    std::string name = quoted(text.substr(at + what.size()));
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

struct Definition {
  std::string name, text;  // `text`: `"name": {...}`, in the fifth column, without a comma behind it
  bool record = false;     // of a kind of record, else of what stands in records
};

// Those of schema.json, where each begins in the fifth column, and where it has more than one line ends
// there, too.
std::vector<Definition> written() {
  std::vector<Definition> found;
  std::string_view rest = base::embedded("schema.json");
  rest.remove_prefix(rest.find(kDefinitions));
  constexpr std::string_view kBegin = "\n    \"";
  for (size_t at = rest.find(kBegin); at != std::string_view::npos; at = rest.find(kBegin)) {
    rest.remove_prefix(at + 1);
    const std::string_view line = rest.substr(0, rest.find('\n'));
    const bool whole = line.ends_with("},") || line.ends_with('}');
    std::string_view text = whole ? line : rest.substr(0, rest.find("\n    }") + 6);
    rest.remove_prefix(text.size());
    text.remove_suffix(text.ends_with(',') ? 1 : 0);
    found.push_back({quoted(text.substr(kBegin.size() - 1)), std::string(text)});
  }
  return found;
}

Definition defined(std::string_view name, const std::string& schema) {
  return {std::string(name), fmt::format("    \"{}\": {{\n{}\n    }}", name, schema)};
}

// `share`: what its member "share" is where it is of a share (share.h); empty: it has none.
template <typename Told>
Definition record_of(const Told& told, std::string_view share = {}) {
  record::SchemaTeller to(kSchemaIndent);
  to.type(Told::kType);
  tell(to, told);
  share.empty() ? void() : to.number({"share", share}, std::optional<uint64_t>());
  Definition made = defined(Told::kType, to.schema(Told::kSays));
  made.record = true;
  return made;
}

// An object that stands in records.
Definition object_of(std::string_view name, std::string_view says, const auto& tell) {
  record::SchemaTeller to(kSchemaIndent);
  tell(to);
  return defined(name, to.schema(says));
}

// A list of objects.
Definition list_of(std::string_view name, std::string_view says, const auto& tell) {
  record::SchemaTeller to(kSchemaIndent + 2);
  tell(to);
  const std::string description =
      says.empty() ? std::string() : fmt::format("      \"description\": \"{}\",\n", says);
  return defined(name, fmt::format("{}      \"type\": \"array\",\n      \"items\": {{\n{}\n      }}",
                                   description, to.schema({})));
}

std::vector<Definition> generated() {
  const record::Nothing nothing;
  return {
      record_of(record::Stream{}, kShareName),
      record_of(record::Connection{nothing.connection}, kMoment),
      record_of(record::Attempt{nothing.attempt}),
      record_of(record::Incident{nothing.incident, nothing.text}),
      record_of(record::Loss{nothing.loss}),
      record_of(record::Message{nothing.message}, kMoment),
      record_of(record::Rpc{nothing.exchange}, kMoment),
      record_of(record::Negotiation{nothing.negotiation}, kMoment),
      record_of(record::Stat{nothing.stat}),
      record_of(record::Load{nothing.load}),
      record_of(record::Note{nothing.remark, {}}),
      record_of(record::Finding{nothing.finding}, kMoment),
      record_of(record::Exceeded{nothing.known}),
      record_of(record::Stale{nothing.known}),
      record_of(record::Tally{nothing.rule, nothing.tally}),
      record_of(record::Score{}),
      record_of(record::Difference{nothing.difference, nothing.files, nothing.files}),
      record_of(record::Rule{nothing.rule}),
      record_of(record::File{nothing.file, nothing.seen}),
      record_of(record::Summary{nothing.summary}),
      record_of(record::Disturbances{{}, {}, nothing.interval}),
      record_of(record::Pace{{}, 0, 0, nothing.pace}),
      record_of(record::Sequence{}),
      record_of(record::Extent{}),
      record_of(record::Promise{}, kMoment),
      record_of(record::Share{}),
      object_of("flow", "A segment, and what RDMA moved into or out of it.",
                [&](auto& to) { record::tell_flow(to, flow::SegmentFlow(), record::Rpc{nothing.exchange}); }),
      list_of("chunk", {}, [](auto& to) { record::tell_segment(to, rpcrdma::Segment()); }),
      object_of("characteristic", "A transport characteristic of version two.",
                [](auto& to) { record::tell_characteristic(to, rpcrdma::xchar::Value()); }),
      object_of("private_data", "RFC 8797 private data of one end.",
                [](auto& to) { record::tell_private_data(to, rpcrdma::PrivateData()); }),
      object_of("markings", "How the packets of one end ask the network to treat them.",
                [](auto& to) { record::tell_markings(to, track::TrafficClass()); }),
      object_of("read_depth", "RDMA Reads at a time, as one end says.",
                [](auto& to) { record::tell_read_depth(to, record::ReadDepth()); }),
      object_of("link_change", "The latest change of where in its LAN one end sends from.",
                [](auto& to) { record::tell_link_change(to, track::LinkChanges()); }),
      object_of("retries", "How often the peer of an end may send again, as that end says.",
                [](auto& to) { record::tell_retries(to, track::Retries()); }),
      object_of("credits", "The credits of one Requester, and what it made of them.",
                [](auto& to) { record::tell_credits(to, track::Credits()); }),
      object_of("inline_threshold", "The most bytes that a Send of one end may have.",
                [](auto& to) { record::tell_limit(to, history::Limit()); }),
      object_of("remote_invalidation", "Whether a Requester takes Send With Invalidate.",
                [](auto& to) { record::tell_permission(to, history::InForce::Permission()); }),
      list_of("characteristics_in_force", "The transport characteristics of one end.",
              [](auto& to) { record::tell_in_force(to, history::InForce::Value()); }),
      object_of("findings", "From audit: how many count, of each severity; how many are known.",
                [](auto& to) { record::tell_findings(to, FindingCounts()); }),
      object_of("side", "One of two captures that are compared.",
                [&](auto& to) {
                  record::tell_side(to, DiffSide{{}, nothing.summary.counters, {}, {}});
                }),
  };
}

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = [] {
    std::vector<Definition> both = generated();
    for (Definition& one : written()) {
      both.push_back(std::move(one));
    }
    return both;
  }();
  return all;
}

std::string joined(const std::vector<const Definition*>& all) {
  std::string text;
  for (const Definition* one : all) {
    text += (text.empty() ? "\n" : ",\n") + one->text;
  }
  return text;
}

// That a record is as the definition of its kind says.
std::string by_kind() {
  std::string names, rules;
  for (const std::string& name : schema_records()) {
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name);
    rules += fmt::format(
        R"({}    {{"if": {{"properties": {{"type": {{"const": "{}"}}}}}}, "then": {{"$ref": "#/$defs/{}"}}}})",
        rules.empty() ? "" : ",\n", name, name);
  }
  return fmt::format(
      "  \"properties\": {{\n    \"type\": {{\"enum\": [{}]}}\n  }},\n  \"allOf\": [\n{}\n  ],\n", names,
      rules);
}

}  // namespace

std::string schema() {
  const std::string_view all = base::embedded("schema.json");
  std::vector<const Definition*> each;
  for (const Definition& one : definitions()) {
    each.push_back(&one);
  }
  return fmt::format("{}{}{}{}\n  }}\n}}\n", all.substr(0, all.find(kDefinitions)), by_kind(), kDefinitions,
                     joined(each));
}

std::vector<std::string> schema_records() {
  std::vector<std::string> names;
  for (const Definition& one : definitions()) {
    one.record ? names.push_back(one.name) : void();
  }
  return names;
}

std::string schema_of(std::string_view record) {
  std::vector<std::string> needed = {std::string(record)};
  std::vector<const Definition*> found;
  for (size_t i = 0; i < needed.size(); ++i) {
    const auto one = std::find_if(definitions().begin(), definitions().end(),
                                  [&](const Definition& definition) { return definition.name == needed[i]; });
    found.push_back(&*one);
    for (std::string& name : names_behind(one->text, R"("$ref": "#/$defs/)")) {
      if (std::find(needed.begin(), needed.end(), name) == needed.end()) {
        needed.push_back(std::move(name));
      }
    }
  }
  const std::string_view all = base::embedded("schema.json");
  const std::string_view head = all.substr(0, all.find('\n', 2) + 1);  // which draft it is of
  return fmt::format("{}  \"$ref\": \"#/$defs/{}\",\n  \"$defs\": {{{}\n  }}\n}}\n", head, record,
                     joined(found));
}

}  // namespace steertag::report
