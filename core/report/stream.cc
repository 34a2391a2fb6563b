#include "report/stream.h"

#include "report/each.h"
#include "report/json_writer.h"

namespace steertag::report {

void begin_stream(JsonWriter& json, std::string_view version, std::span<const PolicyFile> policies) {
  json.object();
  json.text("type", "stream");
  json.number("format", 1);
  json.text("tool", "steertag");
  json.text("version", version);
  json_policies(json, policies);
}

void json_stream(Buffer& out, std::string_view version, std::span<const PolicyFile> policies) {
  JsonWriter json(out);
  begin_stream(json, version, policies);
  json.end_object();
  json.end_line();
}

namespace {

void put_members(JsonWriter& json, const Summary& summary) {
  json.number("frames", summary.counters.frames);
  json.number("messages", summary.counters.messages);
  json.number("rpcs", summary.counters.exchanges);
  json.number("connections", summary.counters.connections);
  if (summary.findings != nullptr) {
    json.object("findings");
    json.number("error", summary.findings->error);
    json.number("warning", summary.findings->warning);
    json.number("note", summary.findings->note);
    if (summary.findings->known) {
      json.number("known", *summary.findings->known);
    }
    json.end_object();
  }
  json.number("lost", summary.counters.lost);
  if (summary.counters.dropped != 0) {
    json.number("dropped", summary.counters.dropped);
  }
  if (summary.counters.given_up != 0) {
    json.number("memory_evicted", summary.counters.given_up);
  }
  if (!summary.cut.empty()) {
    json.text("cut", summary.cut);
  }
  if (summary.damaged) {
    json.boolean("damaged", true);
  }
  if (summary.seen != nullptr && summary.counters.messages == 0) {
    summary.seen->json(json, summary.counters);
  }
}

void put_verdicts(JsonWriter& json, const AuditedFiles& each) {
  const FileCounts counts = counts_of(each.files);
  json.number("status", static_cast<uint64_t>(each.status));
  json.number("rules_judged", each.judged);
  json.number("passed", counts.passed);
  json.number("failed", counts.failed);
  json.number("unread", counts.unread);
}

}  // namespace

void json_summary(Buffer& out, const Summary& summary) {
  JsonWriter json(out);
  json.object();
  json.text("type", "summary");
  json.number("files", summary.files);
  if (summary.each != nullptr) {
    put_verdicts(json, *summary.each);
  }
  put_members(json, summary);
  json.end_object();
  json.end_line();
}

void json_file(Buffer& out, const AuditedFile& file, const Seen& seen) {
  JsonWriter json(out);
  json.object();
  json.text("type", "file");
  json.text("file", file.path);
  json.number("status", static_cast<uint64_t>(file.status));
  json.number("rules_judged", file.judged);
  if (file.unread) {
    json.text("reason", file.remark);
  }
  put_members(json, {.files = 1,
                     .counters = file.counters,
                     .findings = &file.found,
                     .cut = file.cut,
                     .damaged = file.damaged,
                     .seen = file.unread ? nullptr : &seen});
  json.end_object();
  json.end_line();
}

}  // namespace steertag::report
