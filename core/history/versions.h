// Versions: which version of the protocol the two ends of a connection have agreed upon, which
// versions were refused, and whether the sender of a message is known to have known that when it
// sent it (RFC 8166 §4.2.2, version-two-02 §6).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "flow/message.h"
#include "flow/standing.h"

namespace steertag::history {

class Versions {
 public:
  // By the first non-error Reply in the version of its Call.
  void note_agreement(const Message& reply);
  // An ERR_VERS has told `requester` which versions its peer speaks.
  void note_refusal(Side requester, VersionRange range, const Stamp& at);
  // `by` has acknowledged all that its peer has sent.
  void note_acknowledged(Side by, const Stamp& at);

  const std::optional<Established<uint32_t>>& agreed() const { return agreed_; }
  uint32_t agreed_version() const { return agreed_ ? agreed_->value : 0; }  // 0: none
  const std::optional<Established<VersionRange>>& refused(Side requester) const {
    return refused_[rdma::index(requester)].range;
  }
  // Whether the sender of the message knew of it.
  bool agreed_known(const Message& message) const;
  bool refused_known(const Message& message, Side requester) const;

 private:
  struct Refused {
    std::optional<Established<VersionRange>> range;
    std::optional<Stamp> heard;  // when its receiver is known to have it
  };
  std::optional<Established<uint32_t>> agreed_;
  Side agreed_by_ = Side::a;           // the sender of that Reply
  std::optional<Stamp> agreed_heard_;  // when its receiver is known to have it
  std::array<Refused, 2> refused_;     // by Requester
};

// The versions that an ERR_VERS says are supported; unset where they were not sent, or not captured.
std::optional<VersionRange> refused_versions(const Message& message);

}  // namespace steertag::history
