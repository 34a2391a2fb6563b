// FirstCopies: when RDMA Read Responses of one direction were first seen, so that one that comes again names
// its first copy. Responses fills it where Outlet::arrivals is set. Places (Sequence::place_of) only grow,
// also where a QP is set up again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/newest.h"
#include "frame.h"

namespace steertag::rdma::roce {

class FirstCopies {
 public:
  static constexpr size_t kMost = 4096;  // Responses that are remembered

  // Those that came before `needed` give way first. A Response that fills a hole is not remembered.
  void add(uint64_t place, const Stamp& at, const Stamp& needed) {
    if (newest_.size() == 0 || newest_[newest_.size() - 1].place < place) {
      newest_.add({place, at}, [&](const Copy& copy) { return captured_before(copy.at, needed); });
    }
  }
  // The place in front of that which is remembered; UINT64_MAX: none is.
  uint64_t previous(uint64_t place) const {
    const size_t found = first_from(place);
    return found != 0 ? newest_[found - 1].place : UINT64_MAX;
  }
  std::optional<Stamp> find(uint64_t place) const {  // unset where it is not remembered
    const size_t found = first_from(place);
    const bool remembered = found < newest_.size() && newest_[found].place == place;
    return remembered ? std::optional(newest_[found].at) : std::nullopt;
  }
  // The first one behind that place; unset: none came.
  std::optional<Stamp> behind(uint64_t place) const {
    const size_t found = first_from(place + 1);
    return found < newest_.size() ? std::optional(newest_[found].at) : std::nullopt;
  }
  size_t bytes() const { return newest_.bytes(); }  // of the heap

 private:
  struct Copy {
    uint64_t place = 0;
    Stamp at;
  };

  size_t first_from(uint64_t place) const {
    return newest_.partition([&](const Copy& copy) { return copy.place < place; });
  }

  base::Newest<Copy, kMost> newest_;  // by place
};

}  // namespace steertag::rdma::roce
