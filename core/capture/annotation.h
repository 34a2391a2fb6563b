// Annotation: a capture written again as a pcapng, with comments on its frames and on its first section. Of a
// pcapng every block is copied as it is, in its byte order, but for what a comment changes; of a pcap the
// frames are put into a section of their own. It is handed the bytes of the file as a Reader (reader.h) has
// used them, in order: what is no frame in pieces, and the record of each frame whole.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "capture/pcapng.h"
#include "capture/pcapng_writer.h"
#include "frame.h"

namespace steertag::capture {

class Annotation {
 public:
  // Appends to `out`; the caller takes what is there between two calls.
  Annotation(std::vector<uint8_t>& out, std::string section_comment)
      : out_(out), section_comment_(std::move(section_comment)) {}

  void pass(Bytes piece);
  // `snaplen`: of the interface; of a pcapng it stays as it is.
  void frame(const Frame& frame, Bytes record, std::span<const std::string> comments, uint32_t snaplen);

  // Nothing more comes.
  void finish();
  // Those that it has already, for who writes it elsewhere.
  std::vector<std::string> comments_of(Bytes record) const;

  uint64_t blocks_left_out() const { return left_out_; }  // that were too long to be copied
  uint64_t without_comments() const { return without_; }  // frames that had no room for theirs

 private:
  void block(Bytes whole);
  void section(Bytes whole);
  void begin_section();
  void pcap_frame(const Frame& frame, std::span<const std::string> comments, uint32_t snaplen);
  void put_with_comments(Bytes block, size_t options_at, std::span<const std::string> comments);
  void put_simple_packet(const Frame& frame, Bytes record, std::span<const std::string> comments);
  size_t options_at(Bytes record) const;
  Bytes options_of(Bytes block, size_t at) const;

  std::vector<uint8_t>& out_;
  std::string section_comment_;
  bool begun_ = false, pcapng_ = false;
  ByteOrder order_;
  std::vector<uint8_t> waiting_;  // of a block, up to where it was seen
  uint64_t to_come_ = 0;          // bytes of it; 0: none is under way
  bool too_long_ = false;         // to be copied
  std::vector<TickRate> rates_;   // of the section, by interface
  uint64_t left_out_ = 0, without_ = 0;
};

}  // namespace steertag::capture
