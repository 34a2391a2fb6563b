// Inflater: decompresses one piece after the other, for Stream alone. A file
// may hold several gzip members or zstd frames after one another.
// Memory: the window of the format; a zstd frame that needs more than 128 MiB is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/bytes.h"

namespace steertag::host {

class Inflater {
 public:
  virtual ~Inflater() = default;

  struct Step {
    size_t used = 0, made = 0;  // bytes consumed and produced
    std::string trouble{};      // why no more can be decompressed
    bool ended = false;         // what follows is no longer compressed data (padding): ignore it
  };
  virtual Step step(Bytes in, uint8_t* out, size_t size) = 0;

  // Whether the data may end here: between two members or frames.
  virtual bool at_boundary() const = 0;
};

std::unique_ptr<Inflater> gunzip();
std::unique_ptr<Inflater> unzstd();

}  // namespace steertag::host
