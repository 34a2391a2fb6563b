// Notes: what the arguments of a Call, or the results of a Reply, say of files: handles, names, which bytes.
// It listens to a walk over the message (nfs/marks.h), and reads afterwards what stood there, as far as it
// was captured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/list.h"
#include "nfs/marks.h"
#include "nfs/walk.h"

namespace steertag::files {

struct Note {
  uint32_t operation = 0;  // NFSv4: 0-based index in the COMPOUND; otherwise 0
  nfs::Meaning meaning{};  // handle, name, offset, count
  uint64_t at = 0, length = 0;
  bool captured = false;
  std::string text;    // handle, name
  std::string listed;  // name that a READDIR of NFSv4 returned: the handle that came with it; empty: none
  uint64_t value = 0;  // offset, count
};

class Notes final : public nfs::Marks {
 public:
  static constexpr size_t kMostNotes = 1024;  // of one message; of more than that the first
  static constexpr size_t kMostText = 256;    // bytes of one; longer ones count as not captured

  void clear();
  // nfs::Marks. The bytes of an item, which a WRITE of NFSv4 has, count as their number.
  void rewind(uint64_t offset) override;
  void mark(uint64_t offset, uint64_t length, nfs::Meaning meaning) override;
  void enter(uint32_t operation) override;

  // The walk over `stream` is over.
  void read(const nfs::Stream& stream);
  // The same, of results of a COMPOUND: names are those that READDIR returns, with their attributes.
  void read_listed(const nfs::Stream& stream);

  std::span<const Note> all() const { return {notes_.begin(), notes_.end()}; }
  // Those of one operation.
  std::span<const Note> of(uint32_t operation) const;
  // Operations that the walk came to.
  uint32_t entered() const { return entered_; }

 private:
  base::List<Note> notes_;
  uint32_t entered_ = 0;
};

// The first of them that means this, if it was captured; null: there is none.
const Note* first(std::span<const Note> notes, nfs::Meaning meaning);

}  // namespace steertag::files
