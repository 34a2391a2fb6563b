#include "report/stream.h"

#include "report/record/json_teller.h"
#include "report/record/summary.h"

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

void json_summary(Buffer& out, const Summary& summary) {
  record::print(out, record::Summary{summary});
}

void json_file(Buffer& out, const AuditedFile& file, const Seen& seen) {
  record::print(out, record::File{file, seen});
}

}  // namespace steertag::report
