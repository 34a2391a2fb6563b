// RPC messages for scenarios: headers, arguments and results of the procedures
// in procedures.h, correct and consistent with the chunks. A message is made
// whole; what travels in chunks of its own is taken out afterwards
// (reduce()), so that Positions come out right.
//
// Contents are made up, the same on every run; only lengths carry meaning.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "scenario/arguments.h"
#include "scenario/script.h"

namespace steertag::scenario {

// A DDP-eligible item, or one that a wrong scenario treats as such: its place
// in the whole message, without the count before and the pad after.
struct BulkItem {
  uint32_t position = 0;  // bytes from the start of the RPC message
  uint32_t length = 0;    // bytes
};

struct RpcMessage {
  std::vector<uint8_t> stream;    // the whole message
  std::vector<BulkItem> items;    // ascending
  std::vector<BulkItem> opaques;  // all opaque<> and string<> of the arguments or results, ascending
};

// How long the bulk items are, in order; `rest` for those that are not listed.
struct BulkSizes {
  std::vector<uint32_t> listed;
  uint32_t rest = 0;
  SessionSpec session = {};  // not bulk, but it goes the same way

  uint32_t at(size_t i) const { return i < listed.size() ? listed[i] : rest; }
};

// `arguments`: what the Call carries (WRITE data, paths). `results`: what it
// asks for (READ count, room for directory entries).
RpcMessage build_call(const RpcSpec& spec, const Procedure& procedure, uint32_t xid,
                      const BulkSizes& arguments, const BulkSizes& results, Problem& problem);

// The Reply to a Call of `procedure`; `call` gives its flavor.
RpcMessage build_reply(const RpcSpec& spec, const RpcSpec& call, const Procedure& procedure, uint32_t xid,
                       const BulkSizes& results, Problem& problem);

// The message without the first `taken` bulk items that `travels` names.
std::vector<uint8_t> reduce(const RpcMessage& message, const std::vector<bool>& travels);

// The message with pad before its opaque data, as RFC 5666 §3.9 has it in an RDMA_MSGP; `front`: bytes of the
// transport header, where places are counted from the start of the Send.
std::vector<uint8_t> insert_pads(const RpcMessage& message, const rpcrdma::v1::Padding& padding,
                                 size_t front);

// Made-up content of `length` bytes.
std::vector<uint8_t> pattern(size_t length, uint32_t seed);

}  // namespace steertag::scenario
