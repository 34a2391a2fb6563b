// Disguise: an RPC message as it is written in a sanitized capture, of the same length. What the walk over it
// calls structure stays; everything else gets other bytes, the same for the same bytes (key.h), so that what was
// sent twice still was. What no walk has reached counts as one field.
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
  // The longest message; what is behind becomes zeros.
  static constexpr uint64_t kMost = 4 << 20;

  Disguise(const Key& key, std::span<const base::Stretch> stretches, uint64_t length);

  // The RPC header at the front: all but credentials and verifiers stays.
  void take_header(const nfs::Stream& stream);
  // nfs::Marks, for the walk behind it.
  void rewind(uint64_t offset) override;
  void mark(uint64_t offset, uint64_t length, nfs::Meaning meaning) override;
  // What is left is structure, or one field.
  void finish(nfs::Meaning rest = nfs::Meaning::opaque);

  Bytes bytes() const { return image_; }

 private:
  void keep(uint64_t offset, uint64_t length);
  void hide(uint64_t offset, uint64_t length);
  void hide_auth(const rpcrdma::Auth& auth);
  bool hide_sys(uint64_t offset, Bytes body);
  void hide_gss(uint64_t offset, Bytes body);

  const Key& key_;
  std::vector<uint8_t> original_, image_;
  uint64_t done_ = 0;  // bytes from the front that are settled
};

}  // namespace steertag::sanitize
