#include "report/otlp_line.h"

#include <fmt/core.h>

namespace steertag::report {
namespace {

// Status::StatusCode
constexpr uint64_t kStatusError = 2;

std::string number_text(uint64_t number) {
  return fmt::format("{}", number);
}

}  // namespace

void OtlpLine::begin(const OtlpSpan& span) {
  if (text_.size() == 0) {
    json_.object();
    json_.list("resourceSpans");
    json_.object();
    json_.object("resource");
    json_.list("attributes");
    attribute("service.name", "steertag");
    attribute("service.version", version_);
    json_.end_list();
    json_.end_object();
    json_.list("scopeSpans");
    json_.object();
    json_.object("scope");
    json_.text("name", "steertag");
    json_.text("version", version_);
    json_.end_object();
    json_.list("spans");
  }
  json_.object();
  json_.text("traceId", span.trace);
  json_.text("spanId", span.id);
  if (!span.parent.empty()) {
    json_.text("parentSpanId", span.parent);
  }
  json_.text("name", span.name);
  json_.number("kind", static_cast<uint64_t>(span.kind));
  json_.text("startTimeUnixNano", number_text(static_cast<uint64_t>(span.begin_ns)));
  json_.text("endTimeUnixNano", number_text(static_cast<uint64_t>(span.end_ns)));
  json_.list("attributes");
}

void OtlpLine::put_attribute(std::string_view key, const auto& put_value) {
  json_.object();
  json_.text("key", key);
  json_.object("value");
  put_value();
  json_.end_object();
  json_.end_object();
}

void OtlpLine::attribute(std::string_view key, std::string_view text) {
  put_attribute(key, [&] { json_.text("stringValue", text); });
}

void OtlpLine::attribute(std::string_view key, uint64_t number) {
  put_attribute(key, [&] { json_.text("intValue", number_text(number)); });
}

void OtlpLine::flag(std::string_view key) {
  put_attribute(key, [&] { json_.boolean("boolValue", true); });
}

void OtlpLine::attributes(const Facts& facts) {
  for (const Fact& fact : facts) {
    std::visit([&](const auto& value) { attribute(fmt::format("steertag.{}", fact.key), value); },
               fact.value);
  }
}

void OtlpLine::event(int64_t time_ns, std::string_view name, const Facts& facts) {
  json_.object();
  json_.text("timeUnixNano", number_text(static_cast<uint64_t>(time_ns)));
  json_.text("name", name);
  json_.list("attributes");
  attributes(facts);
  json_.end_list();
  json_.end_object();
}

void OtlpLine::link(std::string_view trace, std::string_view id, std::string_view why) {
  json_.list("links");
  json_.object();
  json_.text("traceId", trace);
  json_.text("spanId", id);
  json_.list("attributes");
  attribute("steertag.link", why);
  json_.end_list();
  json_.end_object();
  json_.end_list();
}

void OtlpLine::error(std::string_view message) {
  json_.object("status");
  json_.number("code", kStatusError);
  json_.text("message", message);
  json_.end_object();
}

void OtlpLine::end_line(Buffer& out) {
  json_.end_list();    // spans
  json_.end_object();  // of one scope
  json_.end_list();
  json_.end_object();  // of one resource
  json_.end_list();
  json_.end_object();
  json_.end_line();
  put(out, view(text_));
  text_.clear();
}

void OtlpLine::take_over(OtlpLine& other) {
  put(text_, view(other.text_));
  other.text_.clear();
}

}  // namespace steertag::report
