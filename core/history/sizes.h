// Sizes: works out how many bytes a Send of each end may have, from the private data of the setup
// (RFC 8797 §4.2), from what CONF_RDMA has settled (RFC 5666 §6.2), and in version two from what
// the receiver has reported (xcharext-02 §3.1).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "flow/message.h"
#include "flow/standing.h"
#include "history/in_force.h"
#include "history/terms.h"

namespace steertag::history {

class Sizes {
 public:
  explicit Sizes(const track::Connection& connection) : connection_(connection) {}

  // By both ends' private data; unset where the capture does not hold both.
  std::optional<uint32_t> inline_threshold(Side from) const;
  // For this message. `agreed`: the version that was agreed upon, 0: none; `receiver`: what the receiver has
  // reported.
  std::optional<uint32_t> send_limit(const Message& message, uint32_t agreed, const Terms& receiver) const;
  // The same for all messages of an end in that version, as far as is known, and what sets it.
  std::optional<Limit> limit(Side from, uint32_t version, const Terms& receiver) const;
  // What CONF_RDMA has settled of `side`, if anything.
  const std::optional<Configured>& configured(Side side) const { return ends_[rdma::index(side)].configured; }
  // A message that the snaplen cut may have been a newer CONF_RDMA.
  bool may_be_configured() const { return may_be_configured_; }

  // Whether messages of the client can have been under way before this one.
  enum class Before : uint8_t { nothing, messages };
  void note(const Message& message, Before before);

 private:
  struct End {
    std::optional<Configured> configured;
    uint32_t asked_xid = 0;  // its newest CONF_RDMA Call
    std::optional<rpcrdma::config::Request> asked;
  };
  void note_reply(const Message& message, Before before);
  std::optional<uint32_t> configured_limit(const Message& message, std::optional<uint32_t> by_setup) const;

  const track::Connection& connection_;
  std::array<End, 2> ends_;
  bool may_be_configured_ = false;
};

}  // namespace steertag::history
