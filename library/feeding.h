// What Analysis and Report have in common: the engine's Frame of one that a program hands over, the Settings
// of a program in the engine's words, and guarded(), through which nothing is thrown.
// An object whose State is gone has run out of memory.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "frame.h"
#include "product/policy.h"
#include "product/settings.h"
#include "steertag/analysis.h"

namespace steertag::library {

// `number`: from 1. Its bytes are those of `frame`.
Frame engine_frame(const v0::Frame& frame, uint64_t number);

product::Settings reading_of(const v0::Settings& settings);
// `error`: becomes why there is none, where a rule is named that does not exist.
product::Policy policy_of(const v0::Settings& settings, std::string& error);

// Calls what(*state), unless there is an error. Where memory runs out, the state is abandoned as it is: a
// table that could not grow is in no order that its destructor knows.
template <typename State, typename What>
void guarded(std::unique_ptr<State>& state, const What& what) {
  if (state == nullptr || !state->error.empty()) {
    return;
  }
  try {
    what(*state);
  } catch (const std::bad_alloc&) {
    static_cast<void>(state.release());  // NOLINT(bugprone-unused-return-value)
  }
}

// What make() returns; where memory runs out, what `Made` begins with.
template <typename Made, typename Make>
Made quietly(const Make& make) {
  try {
    return make();
  } catch (const std::bad_alloc&) {
    return {};
  }
}
template <typename State, typename... Arguments>
std::unique_ptr<State> made(const Arguments&... arguments) {
  return quietly<std::unique_ptr<State>>([&] { return std::make_unique<State>(arguments...); });
}

// What error() returns: of an object without a State, that memory ran out.
template <typename State>
const std::string& error_of(const std::unique_ptr<State>& state) {
  static const std::string out_of_memory = "out of memory";
  if (state == nullptr) {
    return out_of_memory;
  }
  return state->error;
}

}  // namespace steertag::library
