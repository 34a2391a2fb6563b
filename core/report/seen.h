// Seen: what a capture without any RPC-over-RDMA holds instead, and what its owner
// may try: the answer to "why does it find nothing?". It is given every connection
// at its end, and what did not become one; the Analyzer has counted the rest.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer.h"
#include "attempt/attempt.h"
#include "track/connection.h"

namespace steertag::report {

class Seen {
 public:
  // Ports that connections are distinguished by, of all transports: the first in their order.
  static constexpr size_t kMaxPorts = 16;

  void note(const track::Connection& connection);
  void note(const attempt::Attempt& attempt);
  void add(const Seen& other);
  // The same in between, as numbers: five of each transport and port, and of the attempts.
  std::vector<uint64_t> numbers() const;
  bool add(std::span<const uint64_t> numbers);  // false: they are none

  // For people: one to three lines, "what, and what else" first, then advice.
  std::vector<std::string> text(const Counters& counters) const;
  // For programs: connections of a transport and port, or frames of a protocol.
  struct Sight {
    std::string_view protocol, transport;
    uint32_t port = 0;         // 0: not known
    std::string_view usually;  // what is served on it; empty: nothing in particular
    uint64_t connections = 0;
    std::optional<uint64_t> without_setup;  // of connections
    uint64_t rejected = 0, frames = 0;
  };
  std::vector<Sight> all(const Counters& counters) const;

 private:
  struct Group {  // of one transport and port
    uint64_t connections = 0, without_setup = 0, rejected = 0;
  };
  using Key = std::pair<std::string_view, uint32_t>;  // transport, port (0: not known)

  Group* group(const Key& key);

  std::map<Key, Group> groups_;
  uint64_t attempts_ = 0;   // those that are told apart
  std::string an_attempt_;  // one of them, in a sentence; empty where that is not known
};

}  // namespace steertag::report
