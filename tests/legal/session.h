// Session: traffic that keeps the rules, as lines of a scenario (core/scenario/README.md), with
// what there is to know of it: its RPCs, its moments of rest, its features. A fault (faults.h) is
// planted by changing some of the lines.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rules/rule.h"

namespace steertag::legal {

struct Chunk {
  std::string name;  // "@w3"; empty for a chunk without segments
  std::vector<uint32_t> lengths;
  uint32_t handle = 0;  // of all segments; 0: each has its own

  uint32_t total() const {
    uint32_t sum = 0;
    for (const uint32_t length : lengths) {
      sum += length;
    }
    return sum;
  }
  std::string text(std::string_view kind) const;  // "write(@w3 100 200)"
};

struct Rpc {
  enum class End : uint8_t { open, success, failure, rejected };  // rejected: by an RDMA_ERROR

  std::string link;  // "a"
  bool backward = false;
  uint32_t version = 1, xid = 0;
  std::string procedure;  // "nfs3 READ data=100"
  std::vector<Chunk> reads, writes;
  std::optional<Chunk> whole, reply;  // the Position-Zero Read chunk; the Reply chunk
  std::string words;                  // credential, credits, rdma_inv_handle, ...
  std::string inv;                    // the handle that a Call of version two names: "@w3.1"
  uint32_t data = 0;                  // bytes of the result that it asks for, or of the argument
  uint32_t room = 0;                  // of a Send in the direction of the Reply
  bool protected_by_gss = false;
  bool wrapped = false;  // conveyed by an option, or as RDMA_MSGP
  bool first = false;    // before the version is agreed upon
  bool sent_again = false;

  size_t call_line = 0, answer_line = 0;
  bool left = false;          // the Reply is left to be read: it is over with an RDMA_DONE
  std::vector<size_t> moves;  // lines with its RDMA operations
  End end = End::open;
  bool nomsg = false;             // the Reply is in its chunk
  bool invalidates = false;       // the Reply does
  bool regrants = false;          // another number of credits than before
  bool in_burst = false;          // its RDMA operations are
  std::vector<uint32_t> written;  // bytes, by Write chunk

  bool chunks() const { return !reads.empty() || !writes.empty() || whole || reply; }
  bool plain() const { return !chunks() && !wrapped && !sent_again; }
  std::string requester() const { return link + (backward ? ".server> " : ".client> "); }
  std::string responder() const { return link + (backward ? ".client> " : ".server> "); }
  std::string call_text() const;
};

// What the ends of a connection know of it.
struct Link {
  std::string name;
  uint32_t version = 1;
  std::array<uint32_t, 2> limit{1024, 1024};  // bytes of a Send, to the server and to the client
  std::array<bool, 2> announced{};            // R of the private data
  bool private_data = false;
  bool agreed = false;                 // a Reply has fixed the version, and granted credits
  bool invalidates = false;            // the server, where it may
  uint32_t grant = 1, requested = 32;  // credits
  uint32_t back_grant = 1;
  uint32_t outstanding = 0, back_outstanding = 0;  // Calls and REQXCHs
  bool back_channel = false;
  uint32_t next_xid = 1, next_back_xid = 1;
  uint32_t depth = 16;  // of Reads
  // Characteristics that were conveyed, of client and server.
  bool extension = false, extension_refused = false;
  std::array<std::optional<uint32_t>, 2> buffer;
  std::optional<bool> remote_invalidation;  // of the client
  std::optional<uint32_t> backward_support;
  std::array<bool, 2> fixed{};       // XCHAR_RBSIZ is in optixch_nochg
  std::array<bool, 2> introduced{};  // INITXCH was sent
};

// A moment in which nothing is outstanding on a connection.
struct Rest {
  size_t line = 0;  // it comes after this one
  Link link;
};

struct Line {
  std::string text;
  bool dropped = false;
};

struct Session {
  std::string settings;
  std::vector<Line> lines;
  std::vector<Rpc> rpcs;
  std::vector<Rest> rests;
  std::set<std::string> features;
  std::set<rules::Profile> profiles;  // under which nobody can object to it

  std::string text() const;
};

// The same seed and number give the same session.
Session tell(uint64_t seed, uint64_t number);

// Without these, the test has not tried what it is to try.
const std::vector<std::string>& expected_features();

}  // namespace steertag::legal
