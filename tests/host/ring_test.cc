// Which files of a ring stay: those with a frame that something was found in, and no others.
#include "host/ring.h"

#include "host/made.h"
#include "product/audit_forms.h"

using namespace steertag;
using namespace steertag::host;

namespace {

RunOptions options_of(const Folder& folder) {
  RunOptions options;
  options.live.interface = "eth0";
  options.ring.files = 2;
  options.ring.size = 1;  // a frame a file
  options.ring.prefix = (folder.path() / "kept").string();
  return options;
}

void add(Ring& ring, uint64_t number) {
  static constexpr std::array<uint8_t, 60> bytes{};
  ring.add({.at = {.number = number, .time_ns = static_cast<int64_t>(number)},
            .link_type = 1,
            .bytes = bytes,
            .original_length = 60});
}

void find(Ring& ring, uint64_t frame, bool keeps) {
  product::ring_line(ring.buffer(), frame, keeps, "error: something");
  ring.record_done();
}

size_t files_in(const Folder& folder) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    CHECK(entry.path().filename().string().starts_with("kept"));
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("a ring in which nothing is found leaves no file") {
  const Folder folder;
  const RunOptions options = options_of(folder);
  {
    Ring ring(options);
    for (uint64_t number = 1; number <= 5; ++number) {
      add(ring, number);
    }
    ring.finish();
    CHECK_FALSE(ring.failed());
  }
  CHECK(files_in(folder) == 0);
}

TEST_CASE("a ring keeps the files that a finding is about") {
  const Folder folder;
  const RunOptions options = options_of(folder);
  {
    Ring ring(options);
    for (uint64_t number = 1; number <= 5; ++number) {
      add(ring, number);
      if (number == 2 || number == 3) {
        find(ring, number, number == 2);  // the second one is a comment, and keeps nothing
      }
    }
    find(ring, 1, true);  // too late: that file is gone
    ring.finish();
    CHECK_FALSE(ring.failed());
  }
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a ring in a folder that is not there is refused") {
  RunOptions options;
  options.ring = {.files = 2, .size = 1000, .prefix = "/nonexistent/steertag/ring"};
  CHECK_THROWS_WITH(Ring(options), Catch::Contains("--ring-file: /nonexistent/steertag"));
}
