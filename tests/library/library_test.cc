// The public interface as a program uses it: with its headers alone.
#include <steertag/steertag.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace {

std::vector<uint8_t> capture(const std::string& name) {
  std::ifstream file(STEERTAG_ROOT "/captures/" + name + "/capture.pcap", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void feed_all(steertag::Analysis& analysis, steertag::CaptureReader& reader) {
  steertag::Frame frame;
  while (reader.next(frame)) {
    analysis.feed(frame);
  }
}

}  // namespace

TEST_CASE("A program gets records that outlive the capture and the analysis") {
  steertag::Records records;
  steertag::Outcome outcome;
  {
    std::vector<uint8_t> file = capture("planted-short-write");
    steertag::CaptureReader reader(file);
    steertag::Analysis first;
    steertag::Analysis analysis = std::move(first);
    feed_all(analysis, reader);
    CHECK(reader.error().empty());
    outcome = analysis.finish();
    records = analysis.take();
    CHECK(analysis.take().rpcs.empty());
    CHECK(analysis.error().empty());
  }
  REQUIRE(records.findings.size() == 1);
  CHECK(records.findings[0].rule == "MEM-09");
  CHECK(records.findings[0].severity == steertag::Severity::error);
  CHECK(records.findings[0].frame == 22);
  CHECK(name(records.findings[0].blame) == "responder");
  CHECK(outcome.failed);
  CHECK(outcome.summary.rpcs == records.rpcs.size());
  CHECK(outcome.summary.frames == 29);
  REQUIRE(records.connections.size() == 1);
  CHECK(records.connections[0].server == "10.0.0.2");
  CHECK(records.connections[0].transport == steertag::Transport::roce2);
  CHECK(outcome.tallies.size() == steertag::rules().size());
}

TEST_CASE("Settings choose rules, and what fails") {
  const std::vector<uint8_t> file = capture("planted-short-write");
  const auto failed = [&](const steertag::Settings& settings) {
    steertag::CaptureReader reader(file);
    steertag::Analysis analysis(settings);
    feed_all(analysis, reader);
    return analysis.finish().failed;
  };
  CHECK(failed({}));
  CHECK_FALSE(failed({.ignore = {"MEM"}}));
  CHECK_FALSE(failed({.fail_on = std::nullopt}));
  CHECK(failed({.ignore = {"MEM"}, .require = {"XCH"}}));
}

TEST_CASE("What is wrong is said in a line, and the rest does nothing") {
  steertag::Analysis analysis({.select = {"MEM-09", "ABC-12"}});
  CHECK(analysis.error() == "ABC-12: no such rule or family");
  analysis.feed({});
  CHECK(analysis.finish().summary.frames == 0);

  CHECK(steertag::Analysis({}, {.stats_by = {"xid"}}).error().starts_with("xid: "));
  CHECK(steertag::report({}, {.format = "html"}).error == "neither pcap nor pcapng");
  steertag::Report report({.format = "html"});
  CHECK(report.error() == "html: no such format");
  report.finish();
  CHECK(report.take().empty());
  CHECK(report.status() == 2);

  const std::vector<uint8_t> file = capture("planted-short-write");
  const steertag::Text cut = steertag::report({file.data(), file.size() - 1}, {.format = "jsonl"});
  CHECK(cut.error == "cut short after frame 28");
  CHECK(cut.status == 2);
  CHECK(cut.text.find(R"("cut":"truncated")") != std::string::npos);
}

TEST_CASE("A frame may be anything") {
  const std::vector<uint8_t> bytes(70000, 0x45);
  steertag::Analysis analysis;
  for (const int64_t time_ns : {INT64_MIN, int64_t{-1}, int64_t{0}, INT64_MAX}) {
    for (const uint32_t link_type : {0U, 1U, 113U, UINT32_MAX}) {
      for (const size_t size : {0, 1, 60, 70000}) {
        analysis.feed({.time_ns = time_ns,
                       .link_type = link_type,
                       .bytes = {bytes.data(), size},
                       .dropped = UINT32_MAX,
                       .interface = UINT32_MAX});
      }
    }
  }
  CHECK(analysis.finish().summary.frames == 64);
  CHECK(analysis.error().empty());
}
