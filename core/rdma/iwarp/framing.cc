#include "rdma/iwarp/framing.h"

#include "rdma/iwarp/evidence.h"

namespace steertag::rdma::iwarp {
namespace {

// Segments with data in which no FPDU was found: enough in each direction, or in
// both together, to say that there are none.
constexpr uint32_t kGiveUpEach = 64;
constexpr uint32_t kGiveUpTogether = 256;

}  // namespace

std::optional<uint64_t> Framing::on_bytes(const link::StreamBytes& bytes, Framer::Sink& sink) {
  arriving_ = &bytes;
  const std::optional<uint64_t> lost = framer_.on_bytes(bytes, sink);
  arriving_ = nullptr;
  if (lost) {
    lose();
    if (!anchored_) {
      aligned_.reset();  // perhaps the search was misled
    }
  }
  return lost;
}

void Framing::on_hole(uint64_t end, Framer::Sink& sink) {
  if (phase_ != Phase::framed) {
    phase_ = Phase::searching;  // Resync sees it from the offsets
  } else if (!framer_.on_hole(end, sink)) {
    lose();
  }
}

void Framing::lose() {
  if (!anchored_) {
    aligned_ = framer_.boundary();
  }
  phase_ = Phase::searching;
  interrupted_ = true;
  resync_.clear();
}

std::optional<uint64_t> Framing::search(const link::StreamBytes& bytes, std::optional<bool> crc,
                                        bool proven) {
  const std::optional<uint64_t> found = resync_.on_bytes(bytes, {markers_, aligned_, crc, proven});
  if (found) {
    searched_ = 0;
    aligned_ = anchored_ ? aligned_ : found;
    begin(*found);
  } else if (++searched_ % kGiveUpEach == 0 && !anchored_) {
    aligned_.reset();  // perhaps an earlier search was misled
  }
  return found;
}

bool Framing::hopeless(const Framing& a, const Framing& b) {
  return (a.searched_ >= kGiveUpEach && b.searched_ >= kGiveUpEach) ||
         a.searched_ + b.searched_ >= kGiveUpTogether;
}

// Where the setup is not in the capture, nothing says where markers stand, if any do (RFC 5044 §4.3), and
// FPDUs are read as if there were none. One that has a marker ends later than its length says, so it is
// believed if an FPDU or nothing stands behind it in what arrived with it, or if its CRC is right.
bool Framing::fits_without_markers(const Fpdu& fpdu) const {
  if (arriving_ == nullptr) {
    return true;
  }
  const uint64_t end = fpdu.offset + fpdu.size;
  const uint64_t left = arriving_->end() - end;
  const Bytes behind = slice(arriving_->captured, end - arriving_->offset);
  const bool fits = behind.size() >= kWeighedBytes ? weigh(behind).has_value()
                                                   : left == 0 || left >= kWeighedBytes;  // none is shorter
  return fits || (fpdu.raw.size() == fpdu.size && crc_matches(fpdu.raw));
}

}  // namespace steertag::rdma::iwarp
