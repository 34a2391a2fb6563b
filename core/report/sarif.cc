// SARIF 2.1.0. What it calls a line is a frame, whose number is that of Wireshark; bytes are counted from the
// transport header of the message in that frame. Who shows it has no text of a capture at hand, so that the
// header and its RPC come along, in words. GitHub refuses more than 25,000 results, shows 5,000, and refuses
// more than 10 MB compressed.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "report/audit_report.h"
#include "report/json_writer.h"
#include "report/kept_text.h"
#include "report/names.h"
#include "report/places.h"
#include "report/sarif_rules.h"

namespace steertag::report {
namespace {

constexpr size_t kMostResults = 5000;
constexpr size_t kMostRelated = 100;          // locations of one result
constexpr size_t kMostSnippets = 8ULL << 20;  // bytes, in all
constexpr std::string_view kBase = "CAPTURES";
constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

constexpr uint64_t rank(rules::Certainty certainty) {
  return certainty == rules::Certainty::definite ? 100 : certainty == rules::Certainty::likely ? 80 : 20;
}

// Nothing in it is taken for a link.
std::string without_links(std::string text) {
  for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
    text.insert(at + 1, " ");
  }
  return text;
}

class Sarif {
 public:
  Sarif(Buffer& out, const AuditReport& report)
      : json_(out), report_(report), places_(report.files, report.folder) {
    choose();
  }
  void write();

 private:
  void choose();
  void put_invocation();
  void put_notification(const Caution& caution);
  void put_artifacts();
  void put_policies();
  void put_uri(uint32_t file);
  void put_artifact_location(uint32_t file);
  void put_text(std::string_view key, std::string_view text) { put_sarif_text(json_, key, text); }
  void put_result(const Occurrence& occurrence);
  void put_message(const KeptFinding& finding);
  void put_location(const KeptFinding& finding);
  void put_region(const KeptFinding& finding);
  void put_logical(const KeptFinding& finding);
  void put_related(const KeptFinding& finding);
  void put_suppression(const KeptFinding& finding);
  void put_properties(const KeptFinding& finding);

  JsonWriter json_;
  const AuditReport& report_;
  const Places places_;
  std::set<const KeptFinding*> results_, shown_;  // those with snippets
  uint64_t left_ = 0, bare_ = 0;
};

// The worst where there are too many.
void Sarif::choose() {
  size_t room = kMostSnippets;
  for (const KeptFinding* finding : worst_first(report_.verdict)) {
    if (results_.size() == kMostResults) {
      ++left_;
      continue;
    }
    results_.insert(finding);
    const size_t size = finding->excerpt.header.size() + finding->excerpt.context.size();
    if (size > room) {
      room = 0;  // and nothing after it
      ++bare_;
    } else if (size != 0) {
      room -= size;
      shown_.insert(finding);
    }
  }
}

void Sarif::put_uri(uint32_t file) {
  json_.text("uri", percent_encoded(places_.path(file)));
  if (places_.outside(file) && !places_.base().empty()) {
    json_.text("uriBaseId", kBase);
  }
}

void Sarif::put_artifact_location(uint32_t file) {
  json_.object("artifactLocation");
  put_uri(file);
  json_.number("index", file);
  json_.end_object();
}

void Sarif::put_notification(const Caution& caution) {
  json_.object();
  json_.object("descriptor");
  json_.text("id", caution.id);
  json_.end_object();
  json_.text("level", name(caution.severity));
  put_text("message", caution.text + ".");
  json_.end_object();
}

void Sarif::put_invocation() {
  json_.list("invocations");
  json_.object();
  json_.number("exitCode", static_cast<uint64_t>(report_.status));
  json_.boolean("executionSuccessful", report_.status != 2);
  json_.list("toolExecutionNotifications");
  for (const Caution& caution : cautions(report_)) {
    put_notification(caution);
  }
  if (left_ != 0) {
    put_notification(
        {rules::Severity::warning, "left-out",
         fmt::format("{} more findings than the {} worst, which are here", left_, kMostResults)});
  }
  if (bare_ != 0) {
    put_notification(
        {rules::Severity::note, "snippets",
         fmt::format("{} findings are without the text of their messages, for lack of room", bare_)});
  }
  put_notification({rules::Severity::note, "total", total(report_)});
  json_.end_list();
  json_.end_object();
  json_.end_list();
}

void Sarif::put_artifacts() {
  if (!places_.base().empty()) {
    json_.object("originalUriBaseIds");
    json_.object(kBase);
    json_.text("uri", "file://" + percent_encoded(places_.base()));
    put_text("description", "The folder of the captures outside the one that steertag was run in.");
    json_.end_object();
    json_.end_object();
  }
  json_.list("artifacts");
  for (uint32_t file = 0; file < places_.size(); ++file) {
    json_.object();
    json_.object("location");
    put_uri(file);
    json_.end_object();
    json_.list("roles");
    json_.text("analysisTarget");
    json_.end_list();
    json_.text("mimeType", "application/vnd.tcpdump.pcap");
    json_.end_object();
  }
  put_policies();
  json_.end_list();
}

// What it was configured by, behind the captures, whose places results refer to.
void Sarif::put_policies() {
  const std::vector<std::string> names = names_of(report_.policies);
  const Places places(Files{names}, report_.folder);
  for (uint32_t i = 0; i < names.size(); ++i) {
    const PolicyFile& policy = report_.policies[i];
    const bool absolute = places.outside(i) && !places.base().empty();
    const std::string path = (absolute ? places.base() : "") + std::string(places.path(i));
    json_.object();
    json_.object("location");
    json_.text("uri", (absolute ? "file://" : "") + percent_encoded(path));
    json_.end_object();
    json_.list("roles");
    json_.text(policy.kind == PolicyFile::Kind::profile ? "toolSpecifiedConfiguration"
                                                        : "userSpecifiedConfiguration");
    json_.end_list();
    json_.text("mimeType", "application/toml");
    json_.object("hashes");
    json_.text("sha-256", policy.sha256);
    json_.end_object();
    put_text("description", policy_text(policy) + ".");
    json_.end_object();
  }
}

// "...; see [frame 15](1) (RFC 8166 3.4.6)."
void Sarif::put_message(const KeptFinding& finding) {
  std::string text = without_links(sentence(finding));
  const size_t shown = std::min(finding.related.size(), kMostRelated);
  for (size_t i = 0; i < shown; ++i) {
    text += fmt::format("{}[frame {}]({})", i == 0 ? "; see " : ", ", finding.related[i].number, i + 1);
  }
  if (shown < finding.related.size()) {
    text += fmt::format(" and {} more", finding.related.size() - shown);
  }
  put_text("message", fmt::format("{} ({}).", text, clause(finding.source)));
}

// The frame, and in it the bytes; around them the frames from the first to the last that it rests on.
void Sarif::put_region(const KeptFinding& finding) {
  // What is said of a whole connection has no message to show.
  const bool shown = shown_.contains(&finding);
  const std::string header = shown ? finding.excerpt.header : "";
  const std::string context = shown ? finding.excerpt.context : "";
  uint64_t first = finding.at.number;
  uint64_t last = first;
  json_.object("region");
  json_.number("startLine", finding.at.number);
  json_.number("startColumn", 1);
  json_.number("endLine", finding.at.number);
  json_.number("endColumn", 2);
  if (finding.where) {
    json_.number("byteOffset", finding.where->offset);
    json_.number("byteLength", finding.where->length);
  }
  put_text("snippet", header.empty() ? finding.ends + "\n" : header);
  json_.end_object();
  for (const Stamp& at : finding.related) {
    first = at.file == finding.at.file ? std::min(first, at.number) : first;
    last = at.file == finding.at.file ? std::max(last, at.number) : last;
  }
  json_.object("contextRegion");
  json_.number("startLine", first);
  json_.number("endLine", last);
  put_text("snippet",
           context.empty() ? fmt::format("#{} {}\n", uint32_t{finding.number}, finding.ends) : context);
  json_.end_object();
}

void Sarif::put_logical(const KeptFinding& finding) {
  const std::string connection = fmt::format("#{}", uint32_t{finding.number});
  json_.list("logicalLocations");
  if (finding.xid) {
    const std::string xid = fmt::format("xid {:#010x}", *finding.xid);
    json_.object();
    json_.text("name", xid);
    json_.text("fullyQualifiedName", connection + "/" + xid);
    json_.text("kind", "rpc");
    json_.end_object();
  }
  json_.object();
  json_.text("name", connection);
  json_.text("fullyQualifiedName", fmt::format("{} {}", connection, finding.ends));
  json_.text("kind", "connection");
  json_.end_object();
  json_.end_list();
}

void Sarif::put_location(const KeptFinding& finding) {
  json_.list("locations");
  json_.object();
  json_.object("physicalLocation");
  put_artifact_location(finding.at.file);
  put_region(finding);
  json_.end_object();
  put_logical(finding);
  json_.end_object();
  json_.end_list();
}

void Sarif::put_related(const KeptFinding& finding) {
  if (finding.related.empty()) {
    return;
  }
  json_.list("relatedLocations");
  for (size_t i = 0; i < std::min(finding.related.size(), kMostRelated); ++i) {
    const Stamp& at = finding.related[i];
    json_.object();
    json_.number("id", i + 1);
    json_.object("physicalLocation");
    put_artifact_location(at.file);
    json_.object("region");
    json_.number("startLine", at.number);
    json_.end_object();
    json_.end_object();
    put_text("message", fmt::format("Frame {}.", at.number));
    json_.end_object();
  }
  json_.end_list();
}

// What accepts it: a baseline, or the configuration.
void Sarif::put_suppression(const KeptFinding& finding) {
  if (finding.known == nullptr) {
    return;
  }
  json_.list("suppressions");
  json_.object();
  json_.text("kind", "external");
  json_.text("status", "accepted");
  json_.text("justification", finding.known->reason);
  json_.end_object();
  json_.end_list();
}

void Sarif::put_properties(const KeptFinding& finding) {
  json_.object("properties");
  json_.text("certainty", name(finding.certainty));
  json_.text("blame", name(finding.blame));
  if (!finding.blamed.empty()) {
    json_.text("by", finding.blamed);
  }
  if (!finding.op.empty()) {
    json_.text("op", finding.op);
  }
  json_.text("lookAt", look_at(finding, report_.files));
  json_.end_object();
}

void Sarif::put_result(const Occurrence& occurrence) {
  const KeptFinding& finding = *occurrence.finding;
  const std::string fingerprint = fmt::format("{:016x}", finding.fingerprint);
  json_.object();
  json_.text("ruleId", finding.rule->id);
  json_.number("ruleIndex", sarif_rule_index(report_, *finding.rule));
  json_.text("level", name(finding.severity));
  put_message(finding);
  put_location(finding);
  put_related(finding);
  json_.object("partialFingerprints");
  json_.text("primaryLocationLineHash", fmt::format("{}:{}", fingerprint, occurrence.number));
  json_.text("steertag/v1", fingerprint);
  json_.end_object();
  json_.number("rank", rank(finding.certainty));
  put_suppression(finding);
  put_properties(finding);
  json_.end_object();
}

void Sarif::write() {
  json_.object();
  json_.text("$schema", kSchema);
  json_.text("version", "2.1.0");
  json_.list("runs");
  json_.object();
  put_sarif_tool(json_, report_);
  put_invocation();
  put_artifacts();
  json_.text("columnKind", "utf16CodeUnits");
  json_.text("language", "en-US");
  json_.list("results");
  for (const Occurrence& occurrence : occurrences(report_.verdict)) {
    if (results_.contains(occurrence.finding)) {
      put_result(occurrence);
    }
  }
  json_.end_list();
  json_.end_object();
  json_.end_list();
  json_.end_object();
  json_.end_line();
}

}  // namespace

void sarif(Buffer& out, const AuditReport& report) {
  Sarif(out, report).write();
}

}  // namespace steertag::report
