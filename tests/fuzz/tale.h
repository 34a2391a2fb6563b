// tell(): a scenario (core/scenario/README.md) from a fuzzer's bytes, by a small grammar in
// which every choice is a byte, so that nearly all inputs are traffic worth following:
// connections that come and go, Calls with chunks of all kinds, several at a time, callbacks,
// RDMA by hand or all at once, packets lost, resent, seen twice or late.
#pragma once

#include <string>

#include "input.h"

namespace steertag::fuzz {

struct Tale {
  std::string text;
  bool kept = false;    // nobody breaks a rule in it
  bool smooth = false;  // and the network loses nothing
};

Tale tell(Input& input);

}  // namespace steertag::fuzz
