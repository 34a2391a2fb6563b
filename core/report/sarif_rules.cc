#include "report/sarif_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/named.h"
#include "report/finding.h"
#include "report/kept_text.h"
#include "report/names.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

// GitHub shows so many.
constexpr size_t kMostTags = 10;

// Where the document can be read; empty where we do not know of a place.
std::string help_uri(const rules::Source& source) {
  constexpr std::string_view kDocuments = "https://datatracker.ietf.org/doc/html/";
  constexpr std::pair<std::string_view, std::string_view> kDrafts[] = {
      {"version-two-02", "draft-cel-nfsv4-rpcrdma-version-two-02"},
      {"xcharext-02", "draft-dnoveck-nfsv4-rpcrdma-xcharext-02"},
      {"reminv-design-09", "draft-cel-nfsv4-reminv-design-09"}};
  const std::string document = source.document.starts_with("RFC ")
                                   ? fmt::format("rfc{}", source.document.substr(4))
                                   : std::string(base::named(kDrafts, source.document));
  if (document.empty()) {
    return source.document == "IBTA" ? "https://www.infinibandta.org/ibta-specification/" : "";
  }
  const bool section =
      !source.section.empty() && source.section.find_first_not_of("0123456789.") == std::string_view::npos;
  return fmt::format("{}{}{}{}", kDocuments, document, section ? "#section-" : "",
                     section ? source.section : "");
}

// "misaligned-read-position" as those who read SARIF expect it: MisalignedReadPosition.
std::string pascal_case(std::string_view name) {
  std::string made;
  bool first = true;
  for (const char c : name) {
    if (c != '-') {
      made += first && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    first = c == '-';
  }
  return made;
}

void put_tags(JsonWriter& json, const rules::Rule& rule) {
  json.object("properties");
  json.list("tags");
  size_t tags = 0;
  const auto tag = [&](std::string_view text) {
    if (tags++ < kMostTags) {
      json.text(text);
    }
  };
  tag(family_of(rule));
  tag(rule.source.document);
  for (size_t at = 0; at < rule.also.size();) {
    const size_t end = std::min(rule.also.find(',', at), rule.also.size());
    tag(rule.also.substr(at, end - at));
    at = end + 1;
  }
  json.end_list();
  json.end_object();
}

void put_rule(JsonWriter& json, const rules::Rule& rule) {
  const rules::Page page = rules::page(rule);
  json.object();
  json.text("id", rule.id);
  json.text("name", pascal_case(rule.name));
  put_sarif_text(json, "shortDescription", fmt::format("{}.", page.requirement));
  put_sarif_text(json, "fullDescription",
                 fmt::format("{} ({}). Why: {}.", page.requirement, clause(rule.source), page.why));
  json.object("help");
  Buffer text;
  text_rule(text, rule, {});
  json.text("text", view(text));
  json.text("markdown", fmt::format("**{}** ({}).\n\nWhy: {}.\n\n{}", page.requirement, clause(rule.source),
                                    page.why, page.rest));
  json.end_object();
  if (const std::string uri = help_uri(rule.source); !uri.empty()) {
    json.text("helpUri", uri);
  }
  json.object("defaultConfiguration");
  json.text("level", name(rule.severity));
  json.end_object();
  put_tags(json, rule);
  json.end_object();
}

}  // namespace

void put_sarif_text(JsonWriter& json, std::string_view key, std::string_view text) {
  json.object(key);
  json.text("text", text);
  json.end_object();
}

void put_sarif_tool(JsonWriter& json, const AuditReport& report) {
  json.object("tool");
  json.object("driver");
  json.text("name", "steertag");
  json.text("version", report.version);
  json.text("semanticVersion", report.version);
  put_sarif_text(json, "shortDescription", "Audits captures of RPC-over-RDMA, the protocol under NFS/RDMA.");
  json.list("rules");
  for (const rules::Rule* rule : rules::catalog()) {
    if (report.wanted(*rule)) {
      put_rule(json, *rule);
    }
  }
  json.end_list();
  json.end_object();
  json.end_object();
}

uint64_t sarif_rule_index(const AuditReport& report, const rules::Rule& rule) {
  uint64_t index = 0;
  for (const rules::Rule* one : rules::catalog()) {
    if (one == &rule) {
      break;
    }
    index += report.wanted(*one) ? 1 : 0;
  }
  return index;
}

}  // namespace steertag::report
