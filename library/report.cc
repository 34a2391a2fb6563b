#include "steertag/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "library/feeding.h"
#include "product/audit.h"
#include "product/audit_forms.h"
#include "product/connections.h"
#include "product/decode.h"
#include "product/flows.h"
#include "product/inspector.h"
#include "product/stats.h"
#include "product/version.h"
#include "report/stream.h"

namespace steertag::library {

// What is printed, until it is taken.
struct Printed final : product::Records {
  report::Buffer text;

  report::Buffer& buffer() override { return text; }
  void record_done() override {}
};

// Of every product, as the command has them where nothing is asked for.
struct Defaults {
  product::AuditOptions audit;
  product::FlowsOptions flows;
  product::StatsOptions stats;
  product::DecodeOptions decode;
  product::ConnectionsOptions connections;

  std::unique_ptr<product::Product> make(v0::Command command, product::Context& context) const {
    switch (command) {
      case v0::Command::audit:
        return std::make_unique<product::AuditProduct>(context, audit);
      case v0::Command::flows:
        return std::make_unique<product::FlowsProduct>(context, flows);
      case v0::Command::stats:
        return std::make_unique<product::StatsProduct>(context, stats);
      case v0::Command::decode:
        return std::make_unique<product::DecodeProduct>(context, decode);
      case v0::Command::connections:
        break;
    }
    return std::make_unique<product::ConnectionsProduct>(context, connections);
  }
};

}  // namespace steertag::library

namespace steertag::v0 {

std::string_view version() {
  return product::version();
}

std::vector<std::string> formats(Command command) {
  return library::quietly<std::vector<std::string>>([command] {
    std::vector<std::string> names = {"text", "jsonl"};
    if (command == Command::audit) {
      return product::audit_forms();
    }
    if (command == Command::flows || command == Command::stats) {
      names.emplace_back("csv");
    }
    return names;
  });
}

struct Report::State {
  std::string error;
  product::Settings settings;
  library::Defaults options;
  std::vector<std::string> captures;
  library::Printed printed;
  std::unique_ptr<product::Inspector> inspector;
  uint64_t frames = 0;
  int status = 2;

  State(const ReportOptions& asked, const Settings& chosen)
      : settings(library::reading_of(chosen)), captures{asked.capture} {
    options.audit.policy = library::policy_of(chosen, error);
    options.audit.folder = asked.folder;
    settings.format = asked.format;
    const std::vector<std::string> known = formats(asked.command);
    if (std::find(known.begin(), known.end(), asked.format) == known.end()) {
      error = fmt::format("{}: no such format", asked.format);
    }
    if (!error.empty()) {
      return;
    }
    report::TextStyle style;
    style.files = report::Files{captures};
    inspector = std::make_unique<product::Inspector>(
        product::Context{.settings = settings, .records = printed, .style = style},
        [&](product::Context& context) { return options.make(asked.command, context); });
    if (settings.jsonl()) {
      report::json_stream(printed.text, version());
    }
    inspector->product().begin();
  }

  void finish(bool truncated, bool damaged) {
    inspector->finish();
    product::Product& product = inspector->product();
    const std::string_view cut = truncated ? "truncated" : "";
    product.finish({.counters = inspector->counters(), .cut = cut, .damaged = damaged});
    const report::Summary summary{.files = 1,
                                  .counters = inspector->counters(),
                                  .findings = product.findings(),
                                  .cut = cut,
                                  .damaged = damaged,
                                  .seen = &product.seen()};
    settings.jsonl() ? report::json_summary(printed.text, summary) : product.sum_up(summary);
    status = truncated || damaged ? 2 : product.status();
  }
};

Report::Report(const ReportOptions& options, const Settings& settings)
    : state_(library::made<State>(options, settings)) {}
Report::~Report() = default;
Report::Report(Report&& other) noexcept = default;
Report& Report::operator=(Report&& other) noexcept = default;

void Report::feed(const Frame& frame) {
  library::guarded(state_, [&](State& state) {
    const steertag::Frame one = library::engine_frame(frame, ++state.frames);
    state.inspector->feed({&one, 1});
  });
}

void Report::finish(bool truncated, bool damaged) {
  library::guarded(state_, [&](State& state) { state.finish(truncated, damaged); });
}

std::string Report::take() {
  std::string text;
  library::guarded(state_, [&](State& state) {
    text = report::view(state.printed.text);
    state.printed.text.clear();
  });
  return text;
}

int Report::status() const {
  return state_ != nullptr ? state_->status : 2;
}

const std::string& Report::error() const {
  return library::error_of(state_);
}

Text report(std::span<const uint8_t> file, const ReportOptions& options, const Settings& settings) {
  CaptureReader reader(file);
  Report report(options, settings);
  Frame frame;
  while (report.error().empty() && reader.next(frame)) {
    report.feed(frame);
  }
  const bool whole = reader.error().empty();
  report.finish(reader.truncated(), !whole && !reader.truncated());
  Text made;
  made.text = report.take();
  made.status = report.status();
  made.error = library::quietly<std::string>([&] { return whole ? report.error() : reader.error(); });
  return made;
}

}  // namespace steertag::v0
