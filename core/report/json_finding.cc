#include <algorithm>

#include "report/finding.h"
#include "report/names.h"
#include "report/record/finding.h"
#include "report/record/json_teller.h"
#include "rules/catalog.h"

namespace steertag::report {

void json_finding(Buffer& out, const rules::Finding& finding, const Files& files, const Known* known,
                  FindingDetail detail) {
  record::print(out, record::Finding{finding, known, detail}, files);
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
