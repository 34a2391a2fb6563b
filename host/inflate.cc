#include "host/inflate.h"

#include <fmt/core.h>
#include <isa-l/igzip_lib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>

#include "base/units.h"
#include "host/out_of_memory.h"

namespace steertag::host {
namespace {

constexpr size_t most = 1U << 30;          // ISA-L counts in 32 bits
constexpr size_t most_unzstd = 32 * 1024;  // bytes a call

class Gunzip final : public Inflater {
 public:
  Gunzip() { reset(); }

  Step step(Bytes in, uint8_t* out, size_t size) override {
    if (state_.block_state == ISAL_BLOCK_FINISH) {
      if (in.empty()) {
        return {};
      }
      if (in[0] != 0x1F) {  // zeros after the last member, as tapes and some tools leave them
        return {.ended = true};
      }
      reset();
    }
    const size_t given = std::min(in.size(), most);
    const size_t room = std::min(size, most);
    state_.next_in = const_cast<uint8_t*>(in.data());  // ISA-L only reads it
    state_.avail_in = static_cast<uint32_t>(given);
    state_.next_out = out;
    state_.avail_out = static_cast<uint32_t>(room);
    fresh_ = false;
    const int status = inflate();
    // Where a block's header is damaged, ISA-L may count more bits as read than there were.
    const size_t left = state_.avail_in <= given ? state_.avail_in : 0;
    Step step{.used = given - left, .made = room - state_.avail_out};
    switch (status) {
      case ISAL_INVALID_BLOCK:
      case ISAL_INVALID_SYMBOL:
      case ISAL_INVALID_LOOKBACK:
        step.trouble = "the gzip data is damaged";
        break;
      case ISAL_INVALID_WRAPPER:
      case ISAL_UNSUPPORTED_METHOD:
        step.trouble = "the gzip header is damaged";
        break;
      case ISAL_INCORRECT_CHECKSUM:
        step.trouble = "the gzip data is damaged (wrong checksum)";
        break;
      default:
        break;
    }
    return step;
  }

  bool at_boundary() const override { return fresh_ || state_.block_state == ISAL_BLOCK_FINISH; }

 private:
  // The header of a member may come in pieces. ISA-L remembers what it has read of it in `header_`; left to
  // itself, isal_inflate() has a new one in each call, and what it goes by is what lay there before.
  int inflate() {
    if (!header_done_) {
      const int status = isal_read_gzip_header(&state_, &header_);
      if (status != ISAL_DECOMP_OK) {
        return status;
      }
      header_done_ = true;
    }
    return isal_inflate(&state_);
  }

  void reset() {
    isal_inflate_init(&state_);
    state_.crc_flag = ISAL_GZIP_NO_HDR_VER;
    header_ = {};
    fresh_ = true;
    header_done_ = false;
  }

  inflate_state state_{};
  isal_gzip_header header_{};
  bool fresh_ = true;         // nothing of this member was read
  bool header_done_ = false;  // all of its header was
};

// RFC 8878 §3.1.1.1: the window, in a byte behind the magic number and the frame header's descriptor, unless
// the frame is a single segment.
constexpr size_t window_at = 5;
constexpr uint64_t most_window = 1U << 27;  // libzstd's own limit

uint64_t window(Bytes frame) {
  const bool single_segment = (frame[window_at - 1] & 0x20) != 0;
  const uint64_t base = uint64_t{1} << (10 + (frame[window_at] >> 3));
  return single_segment ? 0 : base + base / 8 * (frame[window_at] & 7);
}

// RFC 8878 §3.1: of a frame, with data or without. Of what came before that format, which libzstd reads, too,
// nothing is taken.
bool begins_frame(uint8_t first) {
  return first == 0x28 || (first & 0xF0) == 0x50;
}

class Unzstd final : public Inflater {
 public:
  Unzstd() : context_(ZSTD_createDStream()) {
    if (!context_) {
      out_of_memory();
    }
  }

  Step step(Bytes in, uint8_t* out, size_t size) override {
    if (boundary_ && !in.empty() && !begins_frame(in[0])) {
      return started_ ? Step{.ended = true} : Step{.trouble = damaged};
    }
    size = std::min(size, most_unzstd);  // what a call has produced is lost where it hits damage
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out, size, 0};
    const size_t status = ZSTD_decompressStream(context_.get(), &output, &input);
    Step step{.used = input.pos, .made = output.pos};
    if (boundary_ && in.size() >= window_at + 1) {
      window_ = window(in);
    }
    const ZSTD_ErrorCode error = ZSTD_getErrorCode(status);
    if (error == ZSTD_error_memory_allocation) {
      out_of_memory();
    } else if (error == ZSTD_error_frameParameter_windowTooLarge) {
      step.trouble =
          fmt::format("the zstd data needs a window of {}; compress it again with --long=27 or less",
                      window_ > most_window ? base::size_text(window_) : "more than 128 MiB");
    } else if (error != ZSTD_error_no_error) {
      if (boundary_ && started_) {  // something else after the last frame
        step.ended = true;
        return step;
      }
      step.trouble = damaged;
    } else if (input.pos != 0 || output.pos != 0) {
      boundary_ = status == 0;
      started_ = true;
    }
    return step;
  }

  bool at_boundary() const override { return boundary_; }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  static constexpr const char* damaged = "the zstd data is damaged";

  std::unique_ptr<ZSTD_DStream, Free> context_;
  uint64_t window_ = 0;  // that the frame needs, where that could be read
  bool boundary_ = true;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<Inflater> gunzip() {
  return std::make_unique<Gunzip>();
}
std::unique_ptr<Inflater> unzstd() {
  return std::make_unique<Unzstd>();
}

}  // namespace steertag::host
