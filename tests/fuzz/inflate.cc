// Compressed captures, gzip and zstd, their bytes as they are, in pieces: the first byte of
// the input says of what size, and how much room there is for the result. The data comes out
// the same in pieces as in one, until it is found to be damaged.
#include "inflate.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

#include "input.h"
#include "out_of_memory.h"
#include "targets.h"

// Where the command would say so and end.
void steertag::cli::out_of_memory() noexcept {
  std::abort();
}

namespace steertag::fuzz {
namespace {

constexpr size_t kMostMade = 1 << 20;  // bytes; a small input may be of terabytes

struct Result {
  std::vector<uint8_t> made;
  bool damaged = false, whole = false;
};

Result inflate(Bytes in, size_t piece, size_t room) {
  const bool gzip = !in.empty() && in[0] == 0x1F;
  const std::unique_ptr<cli::Inflater> inflater = gzip ? cli::gunzip() : cli::unzstd();
  Result result;
  std::vector<uint8_t> out(room);
  for (size_t used = 0, idle = 0; result.made.size() < kMostMade;) {
    const Bytes next = slice(in, used, piece);
    const cli::Inflater::Step step = inflater->step(next, out.data(), out.size());
    require(step.used <= next.size() && step.made <= out.size(), "no more is used, or made, than there is");
    result.made.insert(result.made.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(step.made));
    used += step.used;
    result.damaged = !step.trouble.empty();
    if (result.damaged || step.ended) {
      break;
    }
    idle = step.used == 0 && step.made == 0 ? idle + 1 : 0;
    if (idle == 2) {  // it wants more than there is
      require(used == in.size(), "what is there is not waited for");
      break;
    }
  }
  result.whole = inflater->at_boundary();
  return result;
}

// Where a gzip header has flags, ISA-L 2.30 forgets them as soon as it is split between calls.
bool may_forget(Bytes file) {
  constexpr std::array<uint8_t, 3> kMember = {0x1F, 0x8B, 0x08};
  for (Bytes left = file; left.size() > kMember.size(); left = slice(left, 1)) {
    if (std::equal(kMember.begin(), kMember.end(), left.begin()) && left[kMember.size()] != 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

void run_inflate(Bytes bytes) {
  Input input(bytes);
  const uint64_t choice = input.number(1);
  const Bytes file = input.rest();
  const Result pieces = inflate(file, 1 + choice % 16 * 7, 64 + (choice >> 4) * 97);
  const Result one = inflate(file, file.size() + 1, kMostMade);
  if (one.made.size() < kMostMade && !one.damaged && !pieces.damaged && !may_forget(file)) {
    require(pieces.made == one.made && pieces.whole == one.whole, "pieces do not matter");
  }
}

}  // namespace steertag::fuzz
