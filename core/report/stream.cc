#include "report/stream.h"

#include "report/each.h"
#include "report/json_writer.h"

namespace steertag::report {

void begin_stream(JsonWriter& json, std::string_view version) {
  json.object();
  json.text("type", "stream");
  json.number("format", 1);
  json.text("tool", "steertag");
  json.text("version", version);
}

void json_stream(Buffer& out, std::string_view version) {
  JsonWriter json(out);
  begin_stream(json, version);
  json.end_object();
  json.end_line();
}

void json_summary(Buffer& out, const Summary& summary) {
  JsonWriter json(out);
  json.object();
  json.text("type", "summary");
  if (summary.file != nullptr) {
    json.text("file", summary.file->path);
    json.number("status", static_cast<uint64_t>(summary.file->status));
    json.number("rules_judged", summary.file->judged);
    if (summary.file->unread) {
      json.text("reason", summary.file->remark);
    }
  }
  json.number("files", summary.files);
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
  json.end_object();
  json.end_line();
}

}  // namespace steertag::report
