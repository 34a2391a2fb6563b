// Cursor: a place in an XDR stream that may have holes. It reads the words that
// decide where things are and skips everything else unseen, so data that was
// never captured is no obstacle. The first thing that stops it is kept in the
// Walk, and every later call does nothing.
//
// The shapes (shape.h) drive it; call.cc and reply.cc start it.
#pragma once

#include <cstdint>
#include <optional>

#include "nfs/pairing.h"
#include "nfs/walk.h"

namespace steertag::nfs {

constexpr uint64_t padded(uint64_t count) {
  return (count + 3) & ~uint64_t{3};
}  // RFC 4506 §3

class Cursor {
 public:
  // Starts at `offset` and records in `walk` what it finds. `pairing` says where the
  // items of a Reply are; null: everything is in the stream.
  Cursor(const Stream& stream, uint64_t offset, Walk& walk, Pairing* pairing = nullptr);

  static constexpr uint32_t kLeastNoStatus = 1 << 16;  // larger than any that NFS has

  bool stopped() const { return walk_.reason != Reason::none; }
  void stop(Reason reason);

  uint32_t word();                 // the next four bytes; 0 once stopped
  uint32_t count(uint32_t least);  // the same, of so many elements that follow, of `least` bytes or more each
  // The same, where no step of the walk depends on it.
  uint32_t number(Meaning meaning = Meaning::number);
  bool flag();    // an XDR bool; stops where it is neither 0 nor 1
  void status();  // one of NFS; stops where it cannot be one
  void skip(uint64_t count, Meaning meaning = Meaning::fixed);  // bytes that need not be seen
  // The same, where they are free numbers.
  void numbers(uint64_t count, Meaning meaning = Meaning::number);
  void opaque(Meaning meaning = Meaning::opaque);
  void item(ItemKind kind);  // opaque<> that may travel in a chunk
  bool at_end() const { return walk_.offset == stream_.length; }
  bool chunks_left() const { return next_chunk_ != stream_.chunks.size(); }  // Read chunks not yet met

  void want(ItemKind kind, uint32_t most);  // a Call asks for an eligible result of that many bytes
  void want_listed(uint32_t most);          // or for one that is not eligible
  void back_channel(const BackChannel& sizes);
  // What the walk notes of sessions; that it was not captured stops no walk.
  void session();            // sessionid4
  void said_of_session();    // flags, or a direction
  void session_destroyed();  // the result of DESTROY_SESSION

  // NFSv4: what follows belongs to this operation.
  void enter(uint32_t operation, uint32_t opcode, std::string_view name);
  void end();  // nothing may follow: stops where bytes are left

 private:
  uint32_t read_word(Meaning meaning);
  uint32_t word_in_pieces(uint64_t at);
  std::optional<uint32_t> seen_word();
  SessionStep& step();
  void pass(uint64_t count, Meaning meaning);
  void meet_limit(uint64_t count, Meaning meaning);
  void meet_chunk(uint64_t count, Meaning meaning);
  bool taken_out(uint32_t count);  // the next item of `count` bytes is in the next Read chunk
  void find_limit();
  void skip_pad(uint64_t count);  // before `count` bytes of opaque data

  const Stream& stream_;
  Walk& walk_;
  Pairing* pairing_;
  base::StretchReader bytes_;
  uint64_t limit_ = 0;      // where pass() has to look: at the next Read chunk, or the end of the stream
  size_t next_chunk_ = 0;   // of stream_.chunks
  uint64_t taken_out_ = 0;  // bytes of the chunks before it, where they are apart
};

}  // namespace steertag::nfs
