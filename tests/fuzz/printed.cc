#include "printed.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "extract/proof.h"
#include "extract/surroundings.h"
#include "host/baseline_file.h"
#include "hostile/packets.h"
#include "input.h"
#include "json_check.h"
#include "product/audit.h"
#include "product/diff.h"
#include "product/extract.h"
#include "product/inspector.h"
#include "product/page.h"
#include "product/stats.h"
#include "product/trace.h"
#include "report/diff.h"

namespace steertag::fuzz {
namespace {

class Sheet final : public product::Records {
 public:
  report::Buffer& buffer() override { return buffer_; }
  void record_done() override {}
  std::string_view text() const { return report::view(buffer_); }

 private:
  report::Buffer buffer_;
};

void check_form(std::string_view format, std::string_view text) {
  if (format == "perfetto") {
    const std::string wrong = hostile::judge_packets(text);
    return require(wrong.empty(), wrong.c_str());
  }
  require(text.empty() || text.ends_with('\n'), "the last line has an end");
  if (format != "jsonl" && format != "otlp") {
    return require_sound(check_text(text), text);
  }
  for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    require_sound(check_json(text.substr(0, end)), text.substr(0, end));
    text.remove_prefix(end + 1);
  }
}

// Frames, and how they are fed.
struct Course {
  std::span<const Frame> frames;
  size_t together;
  Course first_two_thirds() const { return {frames.first(frames.size() - frames.size() / 3), together}; }
};

// A product of these frames, from the first to its last word.
template <typename Product>
class Made {
 public:
  // `made_of`: what else it is made of.
  template <typename... MadeOf>
  Made(const Course& course, const product::Settings& settings, MadeOf&... made_of)
      : settings_(settings), besides_(settings.reports.size()) {
    std::vector<product::Records*> reports;
    for (Sheet& sheet : besides_) {
      reports.push_back(&sheet);
    }
    inspector_.emplace(
        product::Context{
            .settings = settings, .records = sheet_, .style = {}, .course = {}, .reports = reports},
        [&](product::Context& context) { return std::make_unique<Product>(context, made_of...); });
    product().begin();
    for (std::span<const Frame> left = course.frames; !left.empty();) {
      const size_t count = std::min(course.together, left.size());
      inspector_->analyzer().feed(left.first(count));
      left = left.subspan(count);
    }
    inspector_->finish();
    product().finish({.counters = inspector_->counters(), .cut = {}});
    if (!settings.jsonl()) {
      product().sum_up({.files = 1,
                        .counters = inspector_->counters(),
                        .findings = product().findings(),
                        .cut = {},
                        .seen = &product().seen()});
    }
  }

  Product& product() { return static_cast<Product&>(inspector_->product()); }
  std::string text() const {
    check_form(settings_.format, sheet_.text());
    std::string all(sheet_.text());
    for (size_t i = 0; i < besides_.size(); ++i) {
      check_form(settings_.reports[i].format, besides_[i].text());
      all += besides_[i].text();
    }
    return all;
  }

 private:
  const product::Settings& settings_;
  Sheet sheet_;
  std::deque<Sheet> besides_;
  std::optional<product::Inspector> inspector_;
};

// `know`: what the first two thirds show is known, so often or however often.
std::string audit(const Course& course, product::Settings settings, const char* format, bool know) {
  product::AuditOptions options;
  if (know) {
    options.wants_verdict = true;
    Made<product::AuditProduct> before(course.first_two_thirds(), settings, options);
    for (const auto& [fingerprint, alike] : before.product().verdict()->alike()) {
      report::Known known = host::known_of(fingerprint, alike);
      known.at_most = fingerprint % 2 == 0 ? known.at_most : std::nullopt;
      known.file = "known.toml";
      known.reason = "for a test";
      options.policy.known->add(std::move(known));
    }
    options.policy.strict_baseline = true;
  }
  settings.format = format;
  options.verbose = options.tally = options.tally_all = options.scorecard = true;
  return Made<product::AuditProduct>(course, settings, options).text();
}

std::string stats(const Course& course, product::Settings settings, const char* format) {
  product::StatsOptions options;
  settings.format = format;
  options.by = {"op", "conn", "client", "server"};
  options.interval_ns = settings.format == "csv" ? 10'000'000 : 0;
  return Made<product::StatsProduct>(course, settings, options).text();
}

std::string page(const Course& course, product::Settings settings) {
  product::PageOptions options;
  settings.format = "jsonl";
  options.rpcs = 16;
  product::PageRecords records(options.rpcs, settings.memory);
  return Made<product::PageProduct>(course, settings, options, records).text();
}

std::string trace(const Course& course, product::Settings settings) {
  const product::TraceOptions options;
  settings.format = "perfetto";
  settings.reports = {{"otlp", "spans"}};
  return Made<product::TraceProduct>(course, settings, options).text();
}

std::string comparison(const Course& course, const product::Settings& settings) {
  const product::Policy policy;
  const auto gathered = [&](const Course& part) {
    return Made<product::DiffProduct>(part, settings, policy).product().take();
  };
  const product::GatheredTrace before = gathered(course.first_two_thirds()), after = gathered(course);
  const diff::Thresholds thresholds{.least_rpcs = 2};
  require(compare(after.view(), after.view(), thresholds).differences.empty(), "a capture is like itself");
  const diff::Comparison all = compare(before.view(), after.view(), thresholds);
  const auto side = [](const product::GatheredTrace& trace) {
    return report::DiffSide{.files = {},
                            .counters = trace.counters,
                            .found = trace.found,
                            .cut = trace.cut,
                            .untold = trace.untold};
  };
  const report::DiffReport report{all, side(before), side(after)};
  report::Buffer text, records;
  report::text_diff(text, report, {}, report::DiffExtent::whole);
  report::markdown_diff(text, report);
  for (const diff::Difference& difference : all.differences) {
    report::json_difference(records, difference, report);
  }
  report::json_diff_summary(records, report, "");
  check_form("text", report::view(text));
  check_form("jsonl", report::view(records));
  return std::string(report::view(text)) + std::string(report::view(records));
}

// The frames that show what was chosen: RPCs of some frames, the first finding of a family, or connections.
// All frames together show it, whatever it is.
std::string extract(const Course& course, const product::Settings& settings, uint32_t which) {
  constexpr const char* kFamilies[] = {"NET", "CHK", "MEM", "INV", "XID", "PAY"};
  product::ExtractOptions options;
  options.around = {course.frames.size() / 2, course.frames.size() / 3};
  if (which % 4 == 0) {
    const char* const family = kFamilies[which / 4 % std::size(kFamilies)];
    options.findings = {{.rule = family, .frame = {}, .text = family}};
  } else if (which % 4 == 1) {
    options.filter.connections = {1};
  }
  using Pass = product::ExtractProduct::Pass;
  extract::Chosen chosen;
  for (auto pass : {Pass::first, Pass::second}) {
    if (!Made<product::ExtractProduct>(course, settings, options, chosen, pass).product().failure().empty()) {
      return {};  // there is nothing like it
    }
  }
  Options analyzer = settings.analyzer();
  analyzer.for_reports = true;
  extract::Surroundings surroundings(chosen, analyzer.intake().ports);
  for (const Frame& frame : course.frames) {
    surroundings.pass(frame);
  }
  for (uint8_t level = extract::kItself; level <= extract::kAll; ++level) {
    extract::Proof proof(chosen, analyzer, options.policy.settings(settings));
    uint64_t frames = 0;
    for (Frame frame : course.frames) {
      if (surroundings.level(frame.at) <= level) {
        const Stamp original = frame.at;
        frame.at.number = ++frames;
        proof.feed(frame, original);
      }
    }
    if (proof.finish()) {
      return std::to_string(level) + ' ' + std::to_string(frames);
    }
  }
  require(false, "all frames show what was chosen");
  return {};
}

struct Form {
  std::string_view command;
  const char* format;
};
constexpr Form kForms[] = {
    {"audit", "text"},   {"audit", "jsonl"},    {"audit", "sarif"}, {"audit", "junit"}, {"audit", "gitlab"},
    {"audit", "github"}, {"audit", "markdown"}, {"stats", "text"},  {"stats", "jsonl"}, {"stats", "csv"},
    {"report", "jsonl"}, {"trace", ""},         {"diff", ""},       {"extract", ""},
};

std::string printed(uint32_t which, std::span<const Frame> frames, size_t together, const Options& options) {
  const Course course{frames, together};
  const Form form = kForms[which % std::size(kForms)];
  product::Settings settings;
  settings.checksums = options.verify_checksums;
  settings.memory = options.memory;
  return form.command == "audit"    ? audit(course, settings, form.format, which >= std::size(kForms))
         : form.command == "stats"  ? stats(course, settings, form.format)
         : form.command == "report" ? page(course, settings)
         : form.command == "trace"  ? trace(course, settings)
         : form.command == "diff"   ? comparison(course, settings)
                                    : extract(course, settings, which / std::size(kForms));
}

}  // namespace

void require_printed(uint32_t which, std::span<const Frame> frames, size_t together, const Options& options) {
  if (which % 2 != 0) {
    require(printed(which / 2, frames, 1, options) == printed(which / 2, frames, together, options),
            "what is printed is the same however many are fed together");
  }
}

}  // namespace steertag::fuzz
