// GrantTrend: how the credits that a Responder grants to a Requester develop (RFC 8166 §3.3.1): the newest,
// the largest, and a reduction that has not been taken back. Rules and reports ask whether a Requester was
// held back by it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "frame.h"

namespace steertag::history {

class GrantTrend {
 public:
  // The latest reduction that no raise has followed.
  struct Reduced {
    Stamp at;
    uint32_t before = 0, now = 0;  // before the first of several in a row; since the latest
    uint64_t confirmed = 0;        // by so many further grants
  };

  // A grant of 0 is none.
  void note(uint32_t credit, const Stamp& at) {
    if (credit == 0) {
      return;
    }
    if (credit > newest_) {
      reduced_.reset();
    } else if (credit < newest_) {
      reduced_ = Reduced{at, reduced_ ? reduced_->before : newest_, credit};
    } else if (reduced_) {
      ++reduced_->confirmed;
    }
    newest_ = credit;
    largest_ = std::max(largest_, credit);
  }
  // What may have raised the grant to this.
  void note_raise(uint32_t credit) {
    reduced_.reset();
    largest_ = std::max(largest_, credit);
  }
  // A Reply may be missing: it may have raised the grant.
  void note_gap() { reduced_.reset(); }

  uint32_t largest() const { return largest_; }  // ever; 0: none
  const std::optional<Reduced>& reduced() const { return reduced_; }

 private:
  uint32_t newest_ = 0, largest_ = 0;
  std::optional<Reduced> reduced_;
};

}  // namespace steertag::history
