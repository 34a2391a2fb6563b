// Disguise: an RPC message as it is written in a sanitized capture, of the same length. What the walk over it
// calls structure, or a number, stays; everything else gets other bytes, the same for the same bytes (key.h),
// so that what was sent twice still was. What no walk has reached counts as one field.
//
// A walk that one wrong word has misled reads names as if they were structure. It comes upon a word that
// cannot be before long: so a message that is not valid to its end keeps no free number, nor that word.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/stretch.h"
#include "nfs/marks.h"
#include "nfs/walk.h"
#include "rpcrdma/rpc.h"
#include "sanitize/key.h"

namespace steertag::sanitize {

constexpr uint32_t kWord = 4;  // bytes
// A word that leads a reading on (a discriminant, a count, an opcode) and then shows that it was none stays
// below this: it may be new. Text read as a word is above.
constexpr uint32_t kLeastStrange = 256;
constexpr uint32_t kLeastCount = 65536;      // the same of a count of more bytes than there are
constexpr uint32_t kLeastHuge = 1 << 24;     // the same of any message
constexpr uint32_t kLeastText = 0x20000000;  // the first character of text is no control character

class Disguise final : public nfs::Marks {
 public:
  // Of a message in these parts, which may be gone later.
  Disguise(const Key& key, std::span<const base::Stretch> stretches);
  // The nth stretch is there to carry data: what turns out to be that, or is not read, becomes zeros.
  void carries_data(size_t nth) { parts_[nth].data = true; }

  // The RPC header at the front: all but credentials, verifiers and what is in a part that carries data
  // stays. `xid`: of the transport header.
  void take_header(const nfs::Stream& stream, uint32_t xid);
  // A status of NFS, MOUNT or NLM, if it can be one.
  void keep_status(uint64_t offset);
  // nfs::Marks, for the walk behind it.
  void rewind(uint64_t offset) override;
  void mark(uint64_t offset, uint64_t length, nfs::Meaning meaning) override;
  // These bytes are structure in another reading of the message; done() stays where it is.
  void keep(uint64_t offset, uint64_t length);
  // The walk has shown that the message is not valid. Its numbers may be parts of anything, and become zeros;
  // so may the word that stopped it.
  void doubt(const nfs::Walk& walk);
  bool doubted() const { return doubted_; }
  // What is left is one field.
  void finish();

  uint64_t done() const { return done_; }  // bytes from the front that are settled
  // What is to be written in place of the nth stretch, as far as that goes; zeros behind it.
  Bytes bytes(size_t nth) const { return slice(image_, parts_[nth].at, parts_[nth].written); }

 private:
  struct Part {
    uint64_t begin = 0;  // in the message
    size_t at = 0;       // in original_ and image_
    size_t length = 0;
    size_t written = 0;  // bytes from its front on that something was written into
    bool data = false;
  };
  enum class Into : uint8_t { all, messages };  // those parts that do not carry data
  // Calls what(at, bytes) for each run of bytes that is at hand.
  void each_run(uint64_t offset, uint64_t length, const auto& what, Into into = Into::all);
  void hide(uint64_t offset, uint64_t length, Into into, const Key& key);
  void hide(uint64_t offset, uint64_t length, Into into = Into::all) { hide(offset, length, into, key_); }
  void clear(uint64_t offset, uint64_t length);    // zeros
  bool at_hand(uint64_t offset, uint64_t length);  // all of these words, each in one part of the message
  std::optional<uint32_t> word_at(uint64_t offset);
  void keep_below(uint32_t bound, uint64_t offset);  // a word that is less, and lies in one part; else hide()
  void hide_unless_zero(uint64_t offset, uint64_t length, Into into = Into::all);
  bool hide_huge(uint64_t offset, uint64_t length);  // whether there was one
  bool of_dots(uint64_t offset, uint64_t length);
  void read_header(const nfs::Stream& stream, uint32_t xid);
  void hide_what_is_no_header(bool right_xid);
  void hide_auth(const rpcrdma::Auth& auth, bool credential);  // or verifier
  bool hide_sys(uint64_t offset, Bytes body);
  void hide_gss(uint64_t offset, Bytes body);

  const Key& key_;
  uint64_t length_ = 0;
  std::vector<Part> parts_;  // by stretch
  std::vector<uint8_t> original_, image_;
  uint64_t done_ = 0;
  std::vector<uint8_t> field_;
  struct Number {
    uint64_t offset = 0, length = 0;
    bool in_file = false;  // an offset in a file, or a count of its bytes
  };
  std::vector<Number> numbers_;  // that were kept, in order of their offsets
  std::vector<uint64_t> words_;  // of structure, ascending
  bool doubted_ = false;
};

}  // namespace steertag::sanitize
