// In steady state the Analyzer allocates nothing per packet: what it decodes
// into is used again. Counted by replacing operator new, while the second half
// of a long conversation is fed.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>
#include <string>
#include <variant>

#include "analyzer.h"
#include "scenario/scenario.h"

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

class Count final : public Observer {
 public:
  size_t messages = 0, placements = 0, exchanges = 0, incomplete = 0;

  void on(const Event& event) override {
    messages += std::holds_alternative<MessageSeen>(event) ? 1 : 0;
    placements += std::holds_alternative<PlacementSeen>(event) ? 1 : 0;
    if (const auto* done = std::get_if<ExchangeDone>(&event)) {
      ++exchanges;
      incomplete += done->exchange.complete ? 0 : 1;
    }
  }
};

// Small calls, a READ through a Write chunk, a WRITE through a Read chunk, a
// long Call and a long Reply, over and over on one connection.
constexpr char kScenario[] = R"(
client> connect
repeat 200
client> call nfs3 GETATTR
server> reply
client> call nfs3 READ write(@data 4096 4096)
server> write @data.1
server> write @data.2
server> reply invalidate=@data.1
client> call nfs3 WRITE read(@source 8192)
server> read @source
server> reply
end
)";

void check(scenario::Fabric fabric) {
  scenario::Choices choices;
  choices.fabric = fabric;
  const auto compiled = scenario::compile(kScenario, choices);
  if (const auto* error = std::get_if<scenario::Error>(&compiled)) {
    FAIL("line " << error->line << ": " << error->message);
  }
  const scenario::Trace& trace = std::get<scenario::Trace>(compiled);
  REQUIRE(trace.frames.size() > 4000);

  Count observer;
  Analyzer analyzer(observer);
  const size_t half = trace.frames.size() / 2;
  allocations = 0;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    const scenario::SynthFrame& frame = trace.frames[i];
    counting = i >= half;
    analyzer.feed(
        {{.number = i + 1, .time_ns = frame.time_ns}, trace.link_type, frame.bytes, frame.original_length});
    counting = false;
  }
  const size_t counted = allocations;
  analyzer.finish();

  CHECK(counted == 0);
  CHECK(observer.exchanges == 600);
  CHECK(observer.messages == 1200);
  CHECK(observer.placements > 2000);
  CHECK(observer.incomplete == 0);
}

}  // namespace

TEST_CASE("no allocation per packet in steady state over RoCE") {
  check(scenario::Fabric::roce2);
}

TEST_CASE("no allocation per packet in steady state over iWARP") {
  check(scenario::Fabric::iwarp);
}
