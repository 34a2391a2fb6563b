// Seen: what a capture without any RPC-over-RDMA holds instead, and what its owner
// may try: the answer to "why does it find nothing?". It is given every connection
// at its end; the Analyzer has counted the rest.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer.h"
#include "report/json_writer.h"
#include "track/connection.h"

namespace steertag::report {

class Seen {
 public:
  // Ports that connections are distinguished by, of all transports: the first in their order.
  static constexpr size_t kMaxPorts = 16;

  void note(const track::Connection& connection);
  void add(const Seen& other);
  // The same in between, as numbers: five of each transport and port.
  std::vector<uint64_t> numbers() const;
  bool add(std::span<const uint64_t> numbers);  // false: they are none

  // For people: one to three lines, "what, and what else" first, then advice.
  std::vector<std::string> text(const Counters& counters) const;
  // For programs: the elements of "seen".
  void json(JsonWriter& json, const Counters& counters) const;

 private:
  struct Group {  // of one transport and port
    uint64_t connections = 0, without_setup = 0, rejected = 0;
  };
  using Key = std::pair<std::string_view, uint32_t>;  // transport, port (0: not known)

  Group* group(const Key& key);

  std::map<Key, Group> groups_;
};

}  // namespace steertag::report
