// RPC messages of NFS, written word by word, and the walks over them, for the
// tests of this folder.
#pragma once

#include <cstdint>
#include <vector>

#include "nfs/reply.h"
#include "rpcrdma/rpc.h"

namespace made {

using namespace steertag;
using nfs::Fit;
using nfs::ItemKind;
using nfs::Placed;
using nfs::Reason;

// Operations of NFSv4, RFC 8881 §18.
constexpr uint32_t kGetAttr = 9, kPutFh = 22, kRead = 25, kReadLink = 27, kWrite = 38;

class Message {
 public:
  std::vector<uint8_t> bytes;

  template <typename... Words>
  Message& words(Words... values) {
    (word(static_cast<uint32_t>(values)), ...);
    return *this;
  }
  Message& zeros(size_t count) {  // words
    bytes.resize(bytes.size() + 4 * count);
    return *this;
  }
  Message& fill(size_t count, uint8_t value = 0x41) {  // bytes, padded
    bytes.resize(bytes.size() + count, value);
    bytes.resize((bytes.size() + 3) / 4 * 4);
    return *this;
  }
  Message& opaque(size_t count) { return words(count).fill(count); }
  Message& add(const Message& other) {
    bytes.insert(bytes.end(), other.bytes.begin(), other.bytes.end());
    return *this;
  }

 private:
  void word(uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<uint8_t>(value >> shift));
    }
  }
};

// The headers: 40 bytes and 24.
inline Message call(uint32_t version, uint32_t procedure, uint32_t program = 100003) {
  return Message().words(0x1234, 0, 2, program, version, procedure, 0, 0, 0, 0);
}
inline Message reply(uint32_t accept_stat = 0) {
  return Message().words(0x1234, 1, 0, 0, 0, accept_stat);
}

// A COMPOUND without a tag.
inline Message compound_of(uint32_t minor_version, uint32_t operations) {
  return call(4, 1).words(0, minor_version, operations);
}
inline Message compound_reply(uint32_t results) {
  return reply().words(0, 0, results);
}

inline nfs::Stream stream(const Message& message) {
  return {message.bytes, nullptr, message.bytes.size()};
}

inline nfs::CallWalk walk(const Message& message) {
  nfs::CallWalk into;
  nfs::walk_call(stream(message), into);
  return into;
}

inline nfs::ReplyWalk walk(const Message& message, const nfs::CallWalk& asked,
                           const std::vector<uint64_t>& returned = {}) {
  nfs::ReplyWalk into;
  nfs::walk_reply(stream(message), asked, returned, into);
  return into;
}

}  // namespace made
