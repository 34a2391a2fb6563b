// In steady state neither the Analyzer nor the rules behind it allocate anything
// per packet: what is decoded into is used again. Counted by replacing operator
// new, while the second half of a long conversation is fed.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>
#include <variant>

#include "analyzer.h"
#include "rules/audit.h"
#include "scenario/scenario.h"
#include "timing/retries.h"

namespace {

bool counting = false;
size_t allocations = 0;

[[maybe_unused]] void* allocate(size_t size) {
  allocations += counting ? 1 : 0;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) {
    return memory;
  }
  throw std::bad_alloc();
}

}  // namespace

// Sanitizers bring their own allocator: there the conversation is fed
// for the sanitizers' sake, and the count is taken in the other builds.
#ifndef STEERTAG_SANITIZED
void* operator new(size_t size) {
  return allocate(size);
}
void* operator new[](size_t size) {
  return allocate(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, size_t) noexcept {
  std::free(memory);
}

#endif

using namespace steertag;

namespace {

class Count final : public Observer, public rules::Listener {
 public:
  size_t messages = 0, placements = 0, exchanges = 0, incomplete = 0, findings = 0;

  void on(const Event& event) override {
    messages += std::holds_alternative<MessageSeen>(event) ? 1 : 0;
    placements += std::holds_alternative<PlacementSeen>(event) ? 1 : 0;
    if (const auto* done = std::get_if<ExchangeDone>(&event)) {
      ++exchanges;
      incomplete += done->exchange.complete ? 0 : 1;
    }
  }
  void on_finding(const rules::Finding&) override { ++findings; }
};

// Each time round three segments are withdrawn, and a table of 1024 such is full
// when counting begins. Sanitizers, where nothing is counted, need less.
#ifndef STEERTAG_SANITIZED
constexpr size_t kTimes = 700;
#else
constexpr size_t kTimes = 100;
#endif

// Small calls, NFSv3's and a COMPOUND, a READ through a Write chunk, and a WRITE through a Read chunk, over
// and over on one connection.
constexpr char kOnce[] = R"(
client> call nfs3 GETATTR
server> reply
client> call nfs3 READ write(@data 4096 4096)
server> write @data.1
server> write @data.2
server> reply invalidate=@data.1
client> call nfs3 WRITE read(@source 8192)
server> read @source
server> reply
client> call nfs4 ops(SEQUENCE PUTFH GETATTR)
server> reply
)";

scenario::Trace trace_over(scenario::Fabric fabric) {
  scenario::Choices choices;
  choices.fabric = fabric;
  auto compiled =
      scenario::compile("client> connect\nrepeat " + std::to_string(kTimes) + kOnce + "end\n", choices);
  if (const auto* error = std::get_if<scenario::Error>(&compiled)) {
    FAIL("line " << error->line << ": " << error->message);
  }
  return std::move(std::get<scenario::Trace>(compiled));
}

// Feeds an Analyzer or an Audit. `observer` is what it reports to.
template <typename Analysis>
void check(Analysis& analysis, const Count& observer, scenario::Fabric fabric) {
  const scenario::Trace trace = trace_over(fabric);
  const size_t half = trace.frames.size() / 2;
  allocations = 0;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    const scenario::SynthFrame& frame = trace.frames[i];
    counting = i >= half;
    analysis.feed(
        {{.number = i + 1, .time_ns = frame.time_ns}, trace.link_type, frame.bytes, frame.original_length});
    counting = false;
  }
  const size_t counted = allocations;
  analysis.finish();

  CHECK(counted == 0);
  CHECK(observer.exchanges == 4 * kTimes);
  CHECK(observer.messages == 8 * kTimes);
  CHECK(observer.placements > 10 * kTimes);
  CHECK(observer.incomplete == 0);
  CHECK(observer.findings == 0);
}

}  // namespace

TEST_CASE("no allocation per packet in steady state") {
  const scenario::Fabric fabric = GENERATE(scenario::Fabric::roce2, scenario::Fabric::iwarp);
  CAPTURE(fabric);
  Count observer;
  SECTION("by flows") {
    Options options;
    options.for_placements = true;
    Analyzer analyzer(observer, options);
    check(analyzer, observer, fabric);
  }
  SECTION("by flows, with what reports ask for") {
    Options options;
    options.for_reports = options.for_placements = true;
    Analyzer analyzer(observer, options);
    check(analyzer, observer, fabric);
  }
  SECTION("by an audit") {
    Options options;
    options.for_placements = true;
    rules::Audit audit(observer, observer, options);
    check(audit, observer, fabric);
  }
}

// Those that were answered are no longer listed.
TEST_CASE("Calls that may be sent again take no memory once they are answered") {
  timing::Retries retries;
  const track::Connection connection;  // not claimed yet
  allocations = 0;
  for (uint64_t key = 1; key <= 20'000; ++key) {
    const Stamp at{.number = key};
    counting = key > 10'000;
    retries.note(key, connection, at);
    retries.forget(key, at);
    counting = false;
  }
  CHECK(allocations == 0);
}
