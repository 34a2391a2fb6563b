// Disguise: an RPC message as it is written in a sanitized capture, of the same length. What the walk over it
// calls structure stays; everything else gets other bytes, the same for the same bytes (key.h), so that what
// was sent twice still was. What no walk has reached counts as one field.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/stretch.h"
#include "nfs/marks.h"
#include "nfs/walk.h"
#include "rpcrdma/rpc.h"
#include "sanitize/key.h"

namespace steertag::sanitize {

class Disguise final : public nfs::Marks {
 public:
  // Of a message in these parts, which may be gone later.
  Disguise(const Key& key, std::span<const base::Stretch> stretches);
  // The nth stretch is there to carry data: what turns out to be that, or is not read, becomes zeros.
  void carries_data(size_t nth) { parts_[nth].data = true; }

  // The RPC header at the front: all but credentials and verifiers stays.
  void take_header(const nfs::Stream& stream);
  // nfs::Marks, for the walk behind it.
  void rewind(uint64_t offset) override;
  void mark(uint64_t offset, uint64_t length, nfs::Meaning meaning) override;
  // These bytes are structure in another reading of the message; done() stays where it is.
  void keep(uint64_t offset, uint64_t length);
  // What is left is structure, or one field.
  void finish(nfs::Meaning rest = nfs::Meaning::opaque);

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
  template <typename What>
  void each_run(uint64_t offset, uint64_t length, const What& what, Into into = Into::all);
  void hide(uint64_t offset, uint64_t length, Into into = Into::all);
  void hide_auth(const rpcrdma::Auth& auth);
  bool hide_sys(uint64_t offset, Bytes body);
  void hide_gss(uint64_t offset, Bytes body);

  const Key& key_;
  uint64_t length_ = 0;
  std::vector<Part> parts_;  // by stretch
  std::vector<uint8_t> original_, image_;
  uint64_t done_ = 0;
  std::vector<uint8_t> field_;
};

}  // namespace steertag::sanitize
