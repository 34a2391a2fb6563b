// Whatever allocation fails, and every one after it: nothing is thrown at the program, which is told so.
//
// usage: library_memory CAPTURE
#include <steertag/steertag.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <vector>

namespace {

uint64_t left = UINT64_MAX;  // allocations until memory has run out
bool ran_out = false;

}  // namespace

void* operator new(size_t bytes) {
  void* const made = left == 0 ? nullptr : std::malloc(bytes);
  left -= left == 0 ? 0 : 1;
  if (made == nullptr) {
    ran_out = true;
    throw std::bad_alloc();
  }
  return made;
}
void operator delete(void* at) noexcept {
  std::free(at);
}
void operator delete(void* at, size_t) noexcept {
  std::free(at);
}

namespace {

// False where it was not said that memory ran out.
bool analyse(const std::vector<uint8_t>& file, uint64_t allocations, const steertag::Wanted& wanted) {
  const steertag::Settings settings;
  left = allocations;
  ran_out = false;
  steertag::CaptureReader reader(file);
  steertag::Analysis analysis(settings, wanted);
  steertag::Frame frame;
  while (reader.next(frame)) {
    analysis.feed(frame);
  }
  const steertag::Outcome outcome = analysis.finish();
  const steertag::Records records = analysis.take();
  left = UINT64_MAX;
  return !ran_out || analysis.error() == "out of memory" || reader.error() == "out of memory";
}

bool print(const std::vector<uint8_t>& file, uint64_t allocations, const steertag::ReportOptions& options) {
  const steertag::Settings settings;
  left = allocations;
  ran_out = false;
  const steertag::Text text = steertag::report(file, options, settings);
  left = UINT64_MAX;
  return !ran_out || text.status == 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    return 64;
  }
  std::ifstream capture(argv[1], std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(capture), {});
  const std::vector<uint8_t> file(bytes.begin(), bytes.end());
  const steertag::Wanted wanted{.messages = true, .stats = true};
  const steertag::ReportOptions options{.format = "sarif"};
  // Each of the first ones, in which most is set up; then some, until all is made.
  bool more = true;
  for (uint64_t allocations = 0; more; allocations += 1 + allocations / 200) {
    const bool analysed = analyse(file, allocations, wanted);
    more = ran_out;
    const bool printed = print(file, allocations, options);
    more |= ran_out;
    if (!analysed || !printed) {
      std::printf("it is not said that allocation %llu failed\n",
                  static_cast<unsigned long long>(allocations));
      return 1;
    }
  }
  return 0;
}
