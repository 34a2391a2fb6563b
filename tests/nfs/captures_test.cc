// Every NFS message of every capture at hand, walked: what was captured whole is
// walked whole, and what Linux sends is placed as RFC 8267 says. Captures are
// those of captures/, and those of the shared folder where it is there.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "flow/payload.h"
#include "nfs/reply.h"
#include "support/trace.h"

using namespace steertag;
using namespace steertag::support;
using nfs::Reason;

namespace {

class Walker final : public Observer {
 public:
  size_t calls = 0, replies = 0, in_chunks = 0, hidden = 0, positions = 0;
  bool exact = true;  // each Write chunk returns as many bytes as its result has

  void on(const Event& event) override {
    const auto* done = std::get_if<ExchangeDone>(&event);
    if (done == nullptr) {
      return;
    }
    const flow::Exchange& exchange = done->exchange;
    INFO("xid " << std::hex << exchange.xid);
    call_.clear();
    if (flow::call_payload(exchange, stream_)) {
      nfs::walk_call({stream_.bytes, &stream_.captured, stream_.length}, call_);
      check(call_, exchange, calls);
      check_positions(exchange);
    }
    if (flow::reply_payload(exchange, stream_) && !exchange.error) {
      check_reply(exchange);
    }
    mutate();
  }

 private:
  void check(const nfs::Walk& walk, const flow::Exchange& exchange, size_t& count) {
    INFO("ended at " << walk.offset << " of " << stream_.length << " in operation " << walk.opcode);
    if (walk.reason == Reason::wrapped || walk.reason == Reason::unknown_program) {
      ++hidden;
      return;
    }
    if (!stream_.whole() || !exchange.complete || !call_.header_known) {
      CHECK((walk.complete() || walk.reason == Reason::not_captured || walk.reason == Reason::call_unknown));
      return;
    }
    CHECK(static_cast<int>(walk.reason) == static_cast<int>(Reason::none));
    ++count;
  }

  // What travels in a Read chunk of its own is an eligible item, whole.
  void check_positions(const flow::Exchange& exchange) {
    if (!call_.complete()) {
      return;
    }
    for (const nfs::Item& item : call_.items) {
      uint64_t length = 0;
      for (const flow::SegmentFlow& segment : exchange.segments) {
        if (segment.kind == flow::ChunkKind::read && segment.position == item.position) {
          length += segment.target.length;
        }
      }
      if (length != 0) {
        CHECK(length == item.count);
        ++positions;
      }
    }
  }

  void check_reply(const flow::Exchange& exchange) {
    std::vector<uint64_t> returned;
    for (const flow::SegmentFlow& segment : exchange.segments) {
      if (segment.kind == flow::ChunkKind::write) {
        returned.resize(std::max<size_t>(returned.size(), segment.chunk + 1));
        returned[segment.chunk] += segment.returned.value_or(0);
      }
    }
    nfs::walk_reply({stream_.bytes, &stream_.captured, stream_.length}, call_, returned, reply_);
    check(reply_, exchange, replies);
    if (!reply_.complete()) {
      return;
    }
    CHECK((reply_.fit == nfs::Fit::exact || !exact));
    for (const nfs::Item& item : reply_.items) {
      if (item.placed == nfs::Placed::in_chunk) {
        CHECK((returned[item.chunk] == item.count || !exact));
        ++in_chunks;
      }
    }
  }

  // The last message again with one byte after the other changed: any result is
  // right that lies inside the message.
  void mutate() {
    std::vector<uint8_t> bytes(stream_.bytes.begin(), stream_.bytes.end());
    const size_t end = std::min<size_t>(bytes.size(), 400);
    for (size_t i = 24; i < end; i += 7) {
      const uint8_t kept = std::exchange(bytes[i], static_cast<uint8_t>(bytes[i] ^ (1U << (i % 8))));
      const uint64_t returned[] = {64, 0, 128};
      nfs::walk_reply({bytes, &stream_.captured, stream_.length}, call_, returned, reply_);
      bytes[i] = kept;
      const bool inside = reply_.offset <= stream_.length;
      if (!inside) {
        CHECK(inside);
      }
    }
  }

  flow::PayloadStream stream_;
  nfs::CallWalk call_;
  nfs::ReplyWalk reply_;
};

bool has_any(const std::string& path, std::initializer_list<const char*> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return path.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("every whole NFS message of the captures is walked to its end") {
  Walker observer;
  Options options;
  options.payload_limit = 2 << 20;
  for (const char* folder : support::kCaptureFolders) {
    const std::string root = std::string(STEERTAG_ROOT) + folder;
    if (!std::filesystem::exists(root)) {
      WARN(root + " is not there");
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const std::string path = entry.path().string();
      // The hand-made client sends Calls without a payload; the faults of constructed captures are in walks,
      // too.
      const bool hand_made =
          has_any(path, {"malformed", "synthetic", "nopd", "/leaks/", "/third/", "/field/"});
      if (entry.path().extension() == ".pcap" && !hand_made) {
        INFO(path);
        observer.exact = path.find("ganesha") == std::string::npos;  // it counts more than it writes
        feed_all(observer, load(path), options);
      }
    }
  }
  CHECK(observer.calls > 400);
  CHECK(observer.replies > 400);
  CHECK(observer.in_chunks > 5);
  CHECK(observer.positions > 5);
  CHECK(observer.hidden > 0);
}
