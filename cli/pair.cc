#include "pair.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "host/failure.h"
#include "host/sandbox.h"

namespace steertag::cli {

Pair::Pair(const Side& first, const Side& second, host::Output& output)
    : options_(first.options), output_(output) {
  readings_[0].emplace(first.options, first.make, output);
  readings_[1].emplace(second.options, second.make, output);
}

void Pair::open(std::string_view what) {
  for (auto& reading : readings_) {
    reading->prepare({});
  }
  if (options_.shard) {
    throw host::Failure(fmt::format("--shard: {} needs all connections in one run", what));
  }
  enter_sandbox();
  for (auto& reading : readings_) {
    reading->open();
  }
}

void Pair::enter_sandbox() const {
  if (!options_.sandbox) {
    return;
  }
  std::vector<std::string> again;
  for (const auto& reading : readings_) {
    const std::vector<std::string> more = reading->trace().read_again();
    again.insert(again.end(), more.begin(), more.end());
  }
  host::enter_sandbox(
      {.read_again = std::move(again), .folders = output_.folders(), .pager = output_.paged()});
}

void Pair::read(const std::function<void(host::Reading&)>& each) {
  for (auto& reading : readings_) {
    reading->begin();
    if (!interrupted_) {
      reading->read();
      output_.check();
    }
    reading->finish();
    interrupted_ |= reading->interrupted();
    failed_ |= reading->failed();
    reading->conclude();
    reading->last_words();
    each(*reading);
    reading.reset();
  }
}

std::array<ReadingOptions, 2> side_by_side(const ReadingOptions& reading,
                                           const std::vector<std::string>& first,
                                           const std::vector<std::string>& second) {
  const auto from_input = [](const std::vector<std::string>& captures) {
    return std::find(captures.begin(), captures.end(), "-") != captures.end();
  };
  if (from_input(first) && from_input(second)) {
    throw host::Failure("standard input: can be read only once");
  }
  std::array<ReadingOptions, 2> sides = {reading, reading};
  sides[0].captures = first;
  sides[1].captures = second;
  sides[0].others = second.size();
  sides[1].others = first.size();
  return sides;
}

}  // namespace steertag::cli
