// What products have to say besides what they print: complaints, failures, the status.
#include <catch2/catch.hpp>
#include <memory>

#include "extract/chosen.h"
#include "made.h"
#include "product/annotate.h"
#include "product/audit.h"
#include "product/extract.h"
#include "rules/catalog.h"

namespace steertag::product {
namespace {

const std::string kInvalid =
    "version 2\nclient> connect\nclient> call xid=5 nfs3 READ write(@e 4096)\nserver> write @e\n"
    "server> reply invalidate=@e\nclient> disconnect\n";

template <typename Product, typename Options>
MakeProduct maker(const Options& options) {
  return [&options](Context& context) { return std::make_unique<Product>(context, options); };
}

}  // namespace

TEST_CASE("product: an audit fails by its policy") {
  const support::Trace trace = support::compiled(kInvalid, scenario::Fabric::roce2);
  AuditOptions options;
  CHECK(whole(trace, {}, maker<AuditProduct>(options)).status == 1);
  options.policy.fail_on = "never";
  CHECK(whole(trace, {}, maker<AuditProduct>(options)).status == 0);
  options.policy.require = {"PRV"};
  const Outcome required = whole(trace, {}, maker<AuditProduct>(options));
  CHECK(required.status == (required.complaints.empty() ? 0 : 1));
}

TEST_CASE("product: a report beside the result is laid out for no terminal, however narrow the result's is") {
  const support::Trace trace = support::compiled(kInvalid, scenario::Fabric::roce2);
  AuditOptions options;
  options.tally = true;
  const auto printed = [&](unsigned width, bool beside) {
    Settings settings;
    settings.reports = {{.format = "text", .path = {}}};
    Sheet result, report;
    report::TextStyle style;
    style.width = width;
    style.folds = width != 0;
    Inspector inspector(
        {.settings = settings, .records = result, .style = style, .course = {}, .reports = {&report}},
        maker<AuditProduct>(options));
    for (const support::TraceFrame& frame : trace.frames) {
      const Frame one = frame_of(trace, frame);
      inspector.feed({&one, 1});
    }
    inspector.finish();
    inspector.product().finish({.counters = inspector.counters(), .cut = {}});
    return (beside ? report : result).text();
  };
  const std::string for_no_terminal = printed(0, false);
  CHECK(for_no_terminal.find("INV-02") != std::string::npos);
  CHECK(printed(60, false) != for_no_terminal);
  CHECK(printed(60, true) == for_no_terminal);
}

TEST_CASE("product: a connection that is not there is complained of") {
  const support::Trace trace = support::compiled(kInvalid, scenario::Fabric::iwarp);
  AuditOptions options;
  options.filter.connections = {7};
  const Outcome outcome = whole(trace, {}, maker<AuditProduct>(options));
  CHECK(outcome.status == 2);
  CHECK(outcome.complaints ==
        std::vector<std::string>{"--conn: no connection 7; 1 connection of RPC-over-RDMA was found"});
}

TEST_CASE("product: an extract of what is not there fails") {
  const support::Trace trace = support::compiled(kInvalid, scenario::Fabric::roce2);
  ExtractOptions options;
  extract::Chosen chosen;
  const auto failure = [&] {
    return whole(trace, {},
                 [&](Context& context) {
                   return std::make_unique<ExtractProduct>(context, options, chosen,
                                                           ExtractProduct::Pass::first);
                 })
        .failure;
  };
  options.filter.xids = {6};
  CHECK(failure() == "no RPC is what --xid, --op and --conn choose; see steertag flows");
  options.filter.xids = {5};
  CHECK(failure().empty());
  CHECK(chosen.rpcs.size() == 1);
  options.findings = {{.rule = "INV-02", .frame = {}, .text = "INV-02"}};
  CHECK(failure().empty());
  options.findings = {{.rule = "MEM-01", .frame = {}, .text = "MEM-01:9"}};
  CHECK(failure() == "--finding: MEM-01:9: there is no such finding; see steertag audit");
}

TEST_CASE("product: findings become comments on their frames") {
  const support::Trace trace = support::compiled(kInvalid, scenario::Fabric::roce2);
  const Policy policy;
  uint64_t frames = 0;
  Sheet sheet;
  const Settings settings;
  Inspector inspector({.settings = settings, .records = sheet, .style = {}}, [&](Context& context) {
    return std::make_unique<AnnotateProduct>(context, policy, false);
  });
  for (const support::TraceFrame& frame : trace.frames) {
    const Frame one = frame_of(trace, frame);
    inspector.feed({&one, 1});
  }
  inspector.finish();
  inspector.product().finish({.counters = inspector.counters(), .cut = {}});
  const Comments& comments = static_cast<AnnotateProduct&>(inspector.product()).comments();
  for (const support::TraceFrame& frame : trace.frames) {
    frames += comments.of(frame.at).empty() ? 0 : 1;
  }
  CHECK(frames == 1);
  CHECK(comments.whole.find("audit: ") != std::string::npos);
}

TEST_CASE("product: comments are bounded, of a frame and of all") {
  Comments comments;
  for (size_t i = 0; i <= Comments::kMostOfFrame; ++i) {
    comments.add({.number = 1}, std::string(Comments::kLongest + 1, 'x'));
  }
  CHECK(comments.of({.number = 1}).size() == Comments::kMostOfFrame);
  CHECK(comments.of({.number = 1})[0].size() <= Comments::kLongest);
  CHECK(comments.left_out() == 1);
  const std::string longest(Comments::kLongest, 'x');
  for (uint64_t number = 2; comments.left_out() == 1; ++number) {
    REQUIRE(number < Comments::kMost / Comments::kLongest);
    for (size_t i = 0; i < Comments::kMostOfFrame; ++i) {
      comments.add({.number = number}, longest);
    }
  }
}

TEST_CASE("product: the last comment that fits is kept") {
  Comments comments;
  const std::string longest(Comments::kLongest, 'x');
  static_assert(Comments::kMost % Comments::kLongest == 0);
  for (size_t i = 0; i < Comments::kMost / Comments::kLongest; ++i) {
    comments.add({.number = 1 + i / Comments::kMostOfFrame}, longest);
  }
  CHECK(comments.left_out() == 0);
  comments.add({.number = 1'000'000}, "x");
  CHECK(comments.left_out() == 1);
}

TEST_CASE("product: the comment on the whole says how many findings have none, if any") {
  const track::Connection connection;
  rules::Finding finding;
  finding.rule = rules::catalog()[0];
  finding.connection = &connection;
  finding.at = {.number = 7};
  finding.text = "so";
  for (const size_t more : {0u, 2u}) {
    const Policy policy;
    const Settings settings;
    Sheet sheet;
    Inspector inspector({.settings = settings, .records = sheet, .style = {}}, [&](Context& context) {
      return std::make_unique<AnnotateProduct>(context, policy, false);
    });
    auto& product = static_cast<AnnotateProduct&>(inspector.product());
    for (size_t i = 0; i < Comments::kMostOfFrame + more; ++i) {
      product.on_finding(finding);
    }
    inspector.finish();
    product.finish({.counters = inspector.counters(), .cut = {}});
    const std::string& whole = product.comments().whole;
    const std::string said = "no comment on their frames: 2 findings";
    CHECK((whole.find(said) != std::string::npos) == (more != 0));
    CHECK((whole.find("no comment") != std::string::npos) == (more != 0));
  }
}

}  // namespace steertag::product
