// What `steertag schema` describes, as structs of your own. A member that does not apply is unset, empty, 0
// or false.
// Made of the records in core/report/record, which say each member once, by scripts/update-expected.
// clang-format off
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <steertag/version.h>

namespace steertag::v0 {

struct StatDeliveredUs {
  uint64_t min = 0;  // Whole microseconds.
  uint64_t mean = 0;  // Whole microseconds.
  uint64_t p50 = 0;  // Whole microseconds.
  uint64_t p90 = 0;  // Whole microseconds.
  uint64_t p99 = 0;  // Whole microseconds.
  uint64_t p999 = 0;  // Whole microseconds.
  uint64_t max = 0;  // Whole microseconds.
};

struct StatPhases {
  std::optional<uint64_t> earlier;  // Until the Call was sent for the last time.
  std::optional<uint64_t> call;  // Whole microseconds.
  std::optional<uint64_t> start;  // Whole microseconds.
  std::optional<uint64_t> read;  // Whole microseconds.
  std::optional<uint64_t> serve;  // Whole microseconds.
  std::optional<uint64_t> write;  // Whole microseconds.
  std::optional<uint64_t> finish;  // Whole microseconds.
  std::optional<uint64_t> reply;  // Whole microseconds.
};

struct StatWaitedOn {
  uint64_t responder = 0;  // RPCs that waited longest on it.
  uint64_t requester = 0;  // RPCs that waited longest on it.
  uint64_t network = 0;  // RPCs that waited longest on it.
  uint64_t data = 0;  // RPCs that waited longest on it.
};

// A group of RPCs (from stats), with --interval of those whose Call was sent in one interval. Which of op,
// conn, client, server, file, user there are is what --by says.
struct Stat {
  // What the RPC was sent for: the operation that counts of a COMPOUND, the procedure of other programs.
  std::string op;
  std::string protocol;  // Whose operation it is: NFSv4, NFSACLv3, or program and version by number.
  uint32_t conn = 0;  // The number of the connection.
  std::string client;  // An IPv4 or IPv6 address, a GID as one, or lid:N.
  std::string server;  // An IPv4 or IPv6 address, a GID as one, or lid:N.
  std::string file;  // The file that they are about; left out for those of which it is not known.
  std::optional<uint32_t> user;  // The user id of AUTH_SYS; left out for those that have none.
  bool rest = false;  // All RPCs of the groups and intervals beyond those that are kept.
  uint64_t count = 0;  // RPCs; a Call that was sent again is one with its first.
  // Of them: a status of NFS that is not OK, refused by RPC, or an error of the transport.
  uint64_t failed = 0;
  uint64_t unanswered = 0;  // Of them: no Reply.
  uint64_t retries = 0;  // How many times a Call was sent again.
  uint64_t args_bytes = 0;  // Bytes of the RPC Calls, chunks included.
  uint64_t results_bytes = 0;  // Bytes of the RPC Replies, chunks included.
  uint64_t timed = 0;  // RPCs whose time is known; times and phases are of these.
  std::optional<StatDeliveredUs> delivered_us;  // From the first Call to the accepted Reply, in microseconds.
  // The mean of each phase, in microseconds; one that never occurred is left out.
  std::optional<StatPhases> phases;
  // The mean of what went by waiting for what was lost, or refused by an RNR NAK.
  std::optional<uint64_t> recovery_us;
  std::optional<StatWaitedOn> waited_on;  // How many RPCs waited longest on whom or what.
  // How long those whose Reply certainly did not come waited together, until nothing more could come.
  std::optional<uint64_t> waiting_us;
  std::optional<uint64_t> longest_waiting_us;  // The longest of them.
};

}  // namespace steertag::v0
