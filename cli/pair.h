// Pair: two traces in one run, read one after the other. The process opens all of their files and gives up
// its rights before it reads the first byte of either. One of them is in memory at a time. diff has one, and
// report has one where it sets a capture against another.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/output.h"
#include "host/reading.h"
#include "options.h"
#include "product/product.h"

namespace steertag::cli {

class Pair {
 public:
  struct Side {
    const ReadingOptions& options;
    const product::MakeProduct& make;
  };

  // What a Side refers to, and `output`, outlive it.
  Pair(const Side& first, const Side& second, host::Output& output);

  // The output is open. Throws Failure where a capture cannot be read, or connections are to be shared out:
  // `what` needs all of them.
  void open(std::string_view what);
  // Reads both, unless interrupted. `each` is called when one was read, and concluded: it takes what it
  // wants, and then the trace is forgotten. Throws Failure, and ReaderGone where there is no use in going on.
  void read(const std::function<void(host::Reading&)>& each);

  bool interrupted() const { return interrupted_; }
  bool failed() const { return failed_; }  // less than was asked for could be read

 private:
  void enter_sandbox() const;

  const ReadingOptions& options_;  // of the first
  host::Output& output_;
  std::array<std::optional<host::Reading>, 2> readings_;
  bool interrupted_ = false, failed_ = false;
};

// Each of two lists of captures, as Pair wants it; both are read as `reading` says. Throws Failure where both
// are standard input.
std::array<ReadingOptions, 2> side_by_side(const ReadingOptions& reading,
                                           const std::vector<std::string>& first,
                                           const std::vector<std::string>& second);

}  // namespace steertag::cli
