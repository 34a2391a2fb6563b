// Xdr: writes arguments and results of the upper layer, word by word, and keeps
// where the bulk items are. Used by nfs3.cc and nfs4.cc, which know which words
// follow which; contents that do not matter are made up here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scenario/rpc_message.h"
#include "wire/writer.h"

namespace steertag::scenario {

class Xdr {
 public:
  explicit Xdr(RpcMessage& message) : message_(message), writer_(message.stream) {}

  void u32(uint32_t value) { writer_("u32", value); }
  void u64(uint64_t value) { writer_("u64", value); }
  void words(std::initializer_list<uint32_t> values) {
    for (const uint32_t value : values) {
      u32(value);
    }
  }
  // opaque<> and string<>
  void opaque(Bytes bytes) {
    message_.opaques.push_back(
        {static_cast<uint32_t>(message_.stream.size()) + 4, static_cast<uint32_t>(bytes.size())});
    writer_.opaque("opaque", bytes);
  }
  void string(std::string_view text) {
    opaque(Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
  }
  // A bulk item: opaque<> of that many made-up bytes, which a chunk may carry.
  void bulk(uint32_t length) {
    message_.items.push_back({static_cast<uint32_t>(message_.stream.size()) + 4, length});
    opaque(pattern(length, 7));
  }
  // opaque[n], made up
  void fixed(size_t length, uint32_t seed) { writer_.array("fixed", pattern(length, seed)); }

 private:
  RpcMessage& message_;
  wire::Writer writer_;
};

// --- nfs3.cc (RFC 1813), nfsacl.cc, nfs4.cc and nfs4_more.cc (RFC 7530, RFC 8881, RFC 7862, RFC 8276) ---

namespace nfs3 {
void put_arguments(Xdr& xdr, uint32_t procedure, const BulkSizes& arguments, const BulkSizes& results);
void put_results(Xdr& xdr, uint32_t procedure, uint32_t status, const BulkSizes& results);
}  // namespace nfs3

namespace acl {
void put_arguments(Xdr& xdr, uint32_t procedure, const BulkSizes& arguments);
void put_results(Xdr& xdr, uint32_t procedure, uint32_t status, const BulkSizes& results);
}  // namespace acl

namespace nfs4 {
void put_arguments(Xdr& xdr, const Procedure& procedure, const BulkSizes& arguments,
                   const BulkSizes& results);
void put_results(Xdr& xdr, const Procedure& procedure, uint32_t status, const BulkSizes& results);

// Operations that are made of words, names and state ids only, but for `bulk` bytes of an extended attribute;
// what no operation is known for has neither arguments nor results.
void put_plain_argument(Xdr& xdr, uint32_t operation, uint32_t bulk);
void put_plain_result(Xdr& xdr, uint32_t operation, uint32_t bulk);

inline void state_id(Xdr& xdr) {
  xdr.fixed(16, 12);
}
}  // namespace nfs4

// A file name of `length` bytes that contains its cookie: "entry-7--------".
inline std::string entry_name(uint32_t length, uint64_t cookie) {
  std::string name = "entry-" + std::to_string(cookie);
  name.resize(length, '-');
  return name;
}

// Directory entries that fill exactly `room` bytes where that can be done, and
// at most that many in any case. `overhead`: bytes of one entry without its name.
// entry(name length, cookie) writes one.
template <typename Entry>
void fill_directory(uint32_t room, uint32_t overhead, Entry entry) {
  constexpr uint32_t kName = 16;  // bytes; the last name takes up what is left
  uint64_t cookie = 3;            // after "." and ".."
  while (room >= overhead + 4) {
    const bool last = room < 2 * (overhead + kName);
    uint32_t name = last ? (room - overhead) & ~3u : kName;
    name = name > 252 ? 252 : name;
    entry(name, cookie++);
    room -= overhead + name;
    if (last) {
      return;
    }
  }
}

}  // namespace steertag::scenario
