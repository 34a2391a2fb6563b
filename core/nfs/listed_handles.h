// ListedHandles: the file handles in what READDIR of NFSv4 returns. Where a Call asks for it, the attributes
// of an entry (fattr4) have its handle (RFC 8881 §18.23, §5.8.1.19). A walk passes attributes unseen, since
// their bitmap decides what they are; whoever wants the handle asks here, when the walk is over.
//
// What was not captured is not there, and neither is what stands behind an attribute of unknown length.
#pragma once

#include <cstdint>
#include <optional>

#include "nfs/cursor.h"
#include "nfs/walk.h"

namespace steertag::nfs {

class ListedHandles {
 public:
  explicit ListedHandles(const Stream& stream);  // which outlives it
  ListedHandles(const ListedHandles&) = delete;
  ListedHandles& operator=(const ListedHandles&) = delete;

  struct Place {
    uint64_t at = 0, length = 0;  // in the stream; its bytes may be missing
  };
  // The handle of an entry whose attributes begin at `offset`, which never goes back. Unset: there is none.
  std::optional<Place> find(uint64_t offset);

 private:
  Stream stream_;
  Walk walk_;
  Cursor at_;
};

}  // namespace steertag::nfs
