// Opening: gathers the first bytes of a direction until they are an MPA Request or
// Reply, or cannot become one (RFC 5044 §7.1.1). A key with up to four wrong bytes
// is accepted, so that what follows it can be read. TcpConnection feeds it until it is
// complete or refused; it keeps at most 532 bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "link/tcp_stream.h"
#include "rdma/iwarp/mpa.h"
#include "rdma/op.h"

namespace steertag::rdma::iwarp {

// Does a segment begin with the key of an MPA Request or Reply?
bool opens_like_mpa(Bytes payload);
bool opens_like_request(Bytes payload);

class Opening {
 public:
  enum class State : uint8_t { incomplete, complete, refused };

  // Takes what belongs to the frame and says how many bytes that were.
  uint32_t add(const link::StreamBytes& bytes);

  State state() const { return state_; }
  uint64_t begin() const { return begin_; }  // stream offset of its first byte

  bool cut() const { return cut_; }  // by the snaplen
  // The frame has more private data than RFC 5044 §7.1.1 allows.
  bool oversized() const { return frame_.pd_length > SetupFrame::kMaxPrivateData; }

  // Where complete:
  const SetupFrame& frame() const { return frame_; }
  bool has_key_of(bool request) const { return frame_.key == (request ? kRequestKey : kReplyKey); }
  // Its key is that of a Request, or more like it than like that of a Reply.
  bool like_request() const;
  // The frame, as captured; good until release().
  Bytes bytes() const { return bytes_; }
  // Private data without the word of RFC 6581 §9; the view is good until release().
  SetupHalf setup() const;

  void release();

 private:
  void judge();

  State state_ = State::incomplete;
  uint64_t begin_ = 0;
  SetupFrame frame_;
  uint32_t wanted_ = SetupFrame::kSize;  // bytes of the frame, as far as it is known
  uint32_t have_ = 0;                    // how many of these have passed
  bool cut_ = false;                     // a byte is not in the capture: bytes_ ends there
  std::vector<uint8_t> bytes_;
};

}  // namespace steertag::rdma::iwarp
