#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "report/finding.h"
#include "report/json_parts.h"
#include "report/known.h"
#include "report/names.h"
#include "rules/catalog.h"
#include "rules/fingerprint.h"

namespace steertag::report {

void json_finding(Buffer& out, const rules::Finding& finding, const Files& files, const Known* known,
                  FindingDetail detail) {
  JsonWriter json(out);
  json.object();
  json.text("type", "finding");
  json.text("rule", finding.rule->id);
  json.text("severity", name(finding.severity));
  json.text("certainty", name(finding.certainty));
  json.number("frame", finding.at.number);
  json.text("file", files.name(finding.at.file));
  json.seconds("time", finding.at.time_ns);
  json.connection("conn", finding.connection->number);
  if (finding.xid) {
    json.hex("xid", *finding.xid, 8);
  }
  json.prose("message", finding.text);
  if (finding.rule->habit || finding.count > 1) {
    json.number("count", finding.count);
  }
  json.text("blame", name(finding.blame));
  if (finding.by && finding.blame != rules::Blame::undecided) {
    json.text("by", finding.connection->end(*finding.by).address.text());
  }
  if (!finding.op.empty()) {
    json.text("op", finding.op);
  }
  json.text("fingerprint", fmt::format("{:016x}", rules::fingerprint(finding)));
  if (known != nullptr) {
    json.boolean("known", true);
    json.text("known_reason", known->reason);
  }
  if (finding.where) {
    json.number("offset", finding.where->offset);
    json.number("length", finding.where->length);
  }
  json.object("source");
  json.text("document", finding.source.document);
  json.text("section", finding.source.section);
  json.end_object();
  json_frames(json, finding.related, finding.at.file, files, "related", "related_files");
  if (detail != FindingDetail::plain && !finding.related.empty()) {
    json.list("related_times");
    for (const Stamp& at : finding.related) {
      json.seconds(at.time_ns);
    }
    json.end_list();
  }
  if (detail == FindingDetail::report && !finding.excerpt.header.empty()) {
    json.object("excerpt");
    json.prose("header", finding.excerpt.header);
    json.prose("context", finding.excerpt.context);
    json.end_object();
  }
  json.end_object();
  json.end_line();
}

void json_tally(Buffer& out, const rules::Rule& rule, const rules::Tally& tally) {
  JsonWriter json(out);
  json.object();
  json.text("type", "tally");
  json.text("rule", rule.id);
  json.number("checked", tally.checked());
  json.number("kept", tally.kept);
  json.number("broken", tally.broken);
  json.number("undecided", tally.undecided);
  json.end_object();
  json.end_line();
}

void json_rule(Buffer& out, const rules::Rule& rule, bool whole) {
  JsonWriter json(out);
  json.object();
  json.text("type", "rule");
  json.text("rule", rule.id);
  json.text("name", rule.name);
  json.text("severity", name(rule.severity));
  json.object("source");
  json.text("document", rule.source.document);
  json.text("section", rule.source.section);
  json.end_object();
  if (!rule.also.empty()) {
    json.list("also");
    for (size_t at = 0; at <= rule.also.size();) {
      const size_t end = std::min(rule.also.find(',', at), rule.also.size());
      json.text(rule.also.substr(at, end - at));
      at = end + 1;
    }
    json.end_list();
  }
  json.text("requirement", rule.requirement);
  json.text("why", rule.why);
  if (whole) {
    json.text("page", rules::page(rule));
  }
  json.end_object();
  json.end_line();
}

}  // namespace steertag::report
