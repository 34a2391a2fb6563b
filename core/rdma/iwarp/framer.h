// Framer: cuts one direction of an MPA stream into FPDUs, from a known FPDU boundary on. It
// needs nothing but the length fields: it survives missing bytes inside an FPDU, and loses
// the framing where a length field is missing, or where what stands there cannot be a DDP
// segment. Then Resync looks for the next boundary.
//
// An FPDU that lies whole in one segment is handed on in place; one that straddles segments,
// or has markers in it, from a buffer that is reused.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "frame.h"
#include "link/tcp_stream.h"
#include "rdma/iwarp/mpa.h"

namespace steertag::rdma::iwarp {

// Frames remembered for one FPDU; more are left out (segments of a few bytes).
inline constexpr size_t kMaxFpduFrames = 4096;

struct Fpdu {
  Bytes raw;                      // captured bytes from the length field's marker, if any, on; a prefix
  uint32_t size = 0;              // bytes on the wire, markers, pad and CRC included
  Bytes ulpdu;                    // captured bytes of the DDP segment; a prefix
  uint16_t ulpdu_length = 0;      // bytes on the wire
  Bytes pad;                      // captured bytes of it
  uint64_t offset = 0;            // of its first byte in the stream
  std::span<const Stamp> frames;  // in capture order
  bool holed = false;             // some of its bytes are in no frame
};

class Framer {
 public:
  class Sink {
   public:
    // False: it is none after all, and the framing is lost.
    virtual bool on_fpdu(const Fpdu& fpdu) = 0;
    // What stands where an FPDU is due cannot be a DDP segment: the framing is lost.
    virtual void on_misfit(const Fpdu& /*fpdu*/) {}

   protected:
    ~Sink() = default;
  };

  // The next FPDU starts at stream offset `boundary`.
  void begin(uint64_t boundary, const Markers& markers);

  // The next bytes of the stream; they start where the last ones ended. Yields the
  // offset at which the framing was lost, if it was; then begin() must come next.
  std::optional<uint64_t> on_bytes(const link::StreamBytes& bytes, Sink& sink);
  // The bytes up to `end` are missing. False: the framing was lost.
  bool on_hole(uint64_t end, Sink& sink);

  uint64_t boundary() const { return boundary_; }
  // What has come of an FPDU whose end has not: from boundary() on, and its bytes on the wire, 0 where the
  // length has not come. Empty: nothing.
  Bytes begun() const { return assembling_ ? Bytes(raw_) : Bytes(); }
  uint32_t begun_size() const { return size_; }
  void release();
  size_t bytes() const {  // of the heap
    return raw_.capacity() + plain_.capacity() + frames_.capacity() * sizeof(Stamp);
  }

 private:
  uint32_t prefix_size() const { return markers_.at(boundary_) ? Marker::kSize + 2 : 2; }
  uint32_t size_from(const uint8_t* fpdu) const;
  bool assemble(const link::StreamBytes& bytes, uint64_t& position, Sink& sink);
  bool emit(Bytes raw, uint32_t size, std::span<const Stamp> frames, bool holed, Sink& sink);
  bool emit_assembled(Sink& sink);

  Markers markers_;
  uint64_t boundary_ = 0;  // start of the FPDU being assembled, or of the next one
  bool assembling_ = false;
  bool cut_ = false;    // a byte of it is missing: raw_ ends there
  bool holed_ = false;  // some lie in a hole of the stream
  uint32_t size_ = 0;   // its bytes on the wire; 0 while the length field is not complete
  uint32_t have_ = 0;   // how many of these have passed
  std::vector<uint8_t> raw_;
  std::vector<uint8_t> plain_;  // without markers
  std::vector<Stamp> frames_;
};

}  // namespace steertag::rdma::iwarp
