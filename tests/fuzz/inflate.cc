// Compressed captures, gzip and zstd, their bytes as they are, in pieces: the first byte of
// the input says of what size, and how much room there is for the result. The data comes out
// the same in pieces as in one, until it is found to be damaged.
#include "host/inflate.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "input.h"
#include "targets.h"

namespace steertag::fuzz {
namespace {

constexpr size_t kMostMade = 1 << 20;  // bytes; a small input may be of terabytes
constexpr size_t kMostAtOnce = 258;    // bytes that one symbol of deflate stands for

struct Result {
  std::vector<uint8_t> made;
  bool damaged = false, whole = false;
};

Result inflate(Bytes in, size_t piece, size_t room) {
  const bool gzip = !in.empty() && in[0] == 0x1F;
  const std::unique_ptr<host::Inflater> inflater = gzip ? host::gunzip() : host::unzstd();
  Result result;
  std::vector<uint8_t> out(room);
  for (size_t used = 0, idle = 0; result.made.size() < kMostMade;) {
    const Bytes next = slice(in, used, piece);
    const host::Inflater::Step step = inflater->step(next, out.data(), out.size());
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

// Where the data is cut short, what its last bits say may be known already, or wait for more.
bool agree(const Result& pieces, const Result& one) {
  const size_t shorter = std::min(pieces.made.size(), one.made.size());
  const size_t longer = std::max(pieces.made.size(), one.made.size());
  return longer - shorter <= (one.whole ? 0 : kMostAtOnce) &&
         std::equal(one.made.begin(), one.made.begin() + static_cast<std::ptrdiff_t>(shorter),
                    pieces.made.begin());
}

}  // namespace

void run_inflate(Bytes bytes) {
  Input input(bytes);
  const uint64_t choice = input.number(1);
  const Bytes file = input.rest();
  const Result pieces = inflate(file, 1 + choice % 16 * 7, 64 + (choice >> 4) * 97);
  const Result one = inflate(file, file.size() + 1, kMostMade);
  if (one.made.size() < kMostMade && !one.damaged && !pieces.damaged) {
    require(pieces.whole == one.whole && agree(pieces, one), "pieces do not matter");
  }
}

}  // namespace steertag::fuzz
