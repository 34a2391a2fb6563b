// Term: one value of a transport characteristic (xcharext-02), as one end of a connection reported it
// or asked its peer for it in an RDMA2_OPTIONAL message. What each end has said in all is kept as
// history::Terms; what became of one request is a Negotiation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rpcrdma/xchar.h"

namespace steertag::flow {

namespace xchar = rpcrdma::xchar;

struct Term {
  xchar::Id which{};
  std::optional<uint32_t> number;  // of a known characteristic
  uint64_t digest = 0;             // of the data; equal data, equal digests
  bool valid = true;               // the data fits the characteristic's type, if that is known
  // Without a number: the data, as much as is kept of it, and how long it is.
  static constexpr size_t kMaxData = 64;
  std::vector<uint8_t> data = {};
  size_t length = 0;
};

Term term_of(const xchar::Value& value);

}  // namespace steertag::flow
