#include "rdma/read_depth.h"

#include <algorithm>

namespace steertag::rdma {

std::optional<ReadDepth::Peak> ReadDepth::peak(const Turn& turn, const Stamp& requested) {
  const uint64_t since = std::min<uint64_t>(completed_ - turn.completed, completions_.size());
  if (since + 1 <= peak_) [[likely]] {
    return std::nullopt;
  }
  Peak found;
  for (size_t i = completions_.size() - since; i < completions_.size(); ++i) {
    const Completion& completion = completions_[i];
    if (completion.read < turn.number && captured_before(requested, completion.at) && found.reads++ == 1) {
      found.first_done = completion.at;
    }
  }
  if (found.reads <= peak_) {
    return std::nullopt;
  }
  peak_ = found.reads;
  return found;
}

void ReadDepth::count(const Turn& turn, const Turn& oldest, const Stamp& at) {
  completions_.add({turn.number, completed_++, at},
                   [&](const Completion& completion) { return completion.place < oldest.completed; });
}

}  // namespace steertag::rdma
