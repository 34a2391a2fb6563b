// Targets: memory that sound messages and Read Requests of iWARP have named. Where the CRC of an FPDU is
// wrong, or is missing although its sender makes CRCs, bytes may have moved. Such an FPDU is shown only where
// its STag and its offset lie in this memory; otherwise they may be content (RFC 5041 §4.2, RFC 5044 §4.4).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "rpcrdma/header.h"
#include "track/connection.h"

namespace steertag::sanitize {

class Targets {
 public:
  static constexpr size_t kMost = 65536;  // handles of one connection; then the older half is forgotten

  void add(const track::Connection& connection, const rpcrdma::TransportHeader& header);
  // Where this FPDU, without its markers, is a Read Request: the memory that its Responses fill.
  void add_request(const track::Connection& connection, Bytes plain);
  // Whether the memory that this FPDU writes to, reads from or invalidates was named before; true where it
  // names none.
  bool named(const track::Connection& connection, Bytes plain) const;
  void forget(const track::Connection& connection) { of_.erase(&connection); }
  size_t size(const track::Connection& connection) const;  // handles

 private:
  struct Span {
    uint64_t begin = 0, end = 0;  // of all segments with this handle
  };
  using Spans = absl::flat_hash_map<uint32_t, Span>;
  struct Known {
    Spans latest, earlier;
    const Span* find(uint32_t handle) const;
  };
  void add(const track::Connection& connection, uint32_t handle, uint64_t offset, uint32_t length);

  absl::flat_hash_map<const track::Connection*, Known> of_;
};

}  // namespace steertag::sanitize
