// OtlpLine: one line of OpenTelemetry's JSON at a time, an ExportTraceServiceRequest with as many spans as
// its caller writes into it. By the rules of OTLP's JSON: identifiers in hex digits, enums as numbers, 64
// bits as text. What was begun is ended by the caller, but for the line, which begins by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "report/buffer.h"
#include "report/facts.h"
#include "report/json_writer.h"

namespace steertag::report {

// Span::SpanKind
enum class OtlpKind : uint8_t { internal = 1, client = 3 };

struct OtlpSpan {
  std::string trace, id, parent;  // hex; no parent: empty
  std::string_view name;
  OtlpKind kind = OtlpKind::internal;
  int64_t begin_ns = 0, end_ns = 0;
};

class OtlpLine {
 public:
  explicit OtlpLine(std::string_view version) : version_(version) {}

  // A span and its attributes; then end_attributes(), what else it has, end().
  void begin(const OtlpSpan& span);
  void attribute(std::string_view key, std::string_view text);
  void attribute(std::string_view key, uint64_t number);
  void flag(std::string_view key);
  void attributes(const Facts& facts);  // steertag.NAME
  void end_attributes() { json_.end_list(); }
  void begin_events() { json_.list("events"); }
  void event(int64_t time_ns, std::string_view name, const Facts& facts);
  void end_events() { json_.end_list(); }
  void link(std::string_view trace, std::string_view id, std::string_view why);
  void error(std::string_view message);
  void end() { json_.end_object(); }

  size_t size() const { return text_.size(); }  // 0: none has begun
  void end_line(Buffer& out);                   // appends it
  void take_over(OtlpLine& other);              // whose line goes on here, where none has begun

 private:
  void put_attribute(std::string_view key, const auto& put_value);

  std::string version_;
  Buffer text_;
  JsonWriter json_{text_};
};

}  // namespace steertag::report
