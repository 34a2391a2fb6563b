// SPDX-License-Identifier: GPL-2.0-or-later
#include "handover.h"

#include <epan/conversation.h>
#include <epan/exceptions.h>
extern "C" {
#include <epan/show_exception.h>  // not self-contained in every version
}

#include <algorithm>

#include "fields.h"
#include "items.h"
#include "notebook.h"
#include "preferences.h"
#include "session.h"
#include "streams.h"

namespace steertag::plugin {
namespace {

dissector_handle_t rpc_handle;

// Whom the RPC dissector takes to be talking.
struct Talk {
  const ConnectionNote* connection;
  rdma::Side from;
  rdma::Side requester;
  // A Call is shown where RDMA Reads have completed it, and counts from where it was sent.
  uint32_t frame;  // 0: this frame
  int64_t time_ns;
};

void set_address(address* into, const base::Address& from) {
  switch (from.kind) {
    case base::Address::Kind::ipv4:  // kept as an IPv6 address that maps it
      return ::set_address(into, AT_IPv4, 4, from.octets.data() + 12);
    case base::Address::Kind::lid:
      return ::set_address(into, AT_IB, 16, from.octets.data());
    case base::Address::Kind::ipv6:
    case base::Address::Kind::gid:
      return ::set_address(into, AT_IPv6, 16, from.octets.data());
    case base::Address::Kind::none:
      return clear_address(into);
  }
}

// What is changed for the RPC dissector, and restored afterwards.
struct Disguise {
  address src, dst;
  port_type ptype;
  uint32_t srcport, destport, num;
  bool in_error_packet;
  nstime_t abs_ts;
  decltype(packet_info::use_conv_addr_port_endpoints) use_endpoints;
  decltype(packet_info::conv_elements) elements;
};

Disguise disguise(packet_info* pinfo, const Talk& talk) {
  const Disguise was{pinfo->src,
                     pinfo->dst,
                     pinfo->ptype,
                     pinfo->srcport,
                     pinfo->destport,
                     pinfo->num,
                     static_cast<bool>(pinfo->flags.in_error_pkt),
                     pinfo->abs_ts,
                     pinfo->use_conv_addr_port_endpoints,
                     pinfo->conv_elements};
  set_address(&pinfo->src, talk.connection->ends[rdma::index(talk.from)].address);
  set_address(&pinfo->dst, talk.connection->ends[rdma::index(rdma::other(talk.from))].address);
  pinfo->ptype = talk.connection->transport == rdma::Transport::iwarp ? PT_IWARP_MPA : PT_IBQP;
  // One conversation for each connection and each direction of calling: XIDs are unique only within it. Ports
  // are reused, and may be unknown; the connection's number is never reused and always known.
  const uint32_t port = talk.connection->number * 2 + static_cast<uint32_t>(rdma::index(talk.requester));
  pinfo->srcport = port;
  pinfo->destport = port;
  pinfo->use_conv_addr_port_endpoints = false;
  pinfo->conv_elements = nullptr;
  if (talk.frame != 0) {
    pinfo->num = talk.frame;
    pinfo->abs_ts = nstime_of(talk.time_ns);
    // The taps of RPC see a Call and its Reply through one and the same record. In one frame it would be
    // the Reply's both times, and each RPC counted twice: this Call is hidden from them.
    pinfo->flags.in_error_pkt |= talk.from == talk.requester;
  }
  return was;
}

void undisguise(packet_info* pinfo, const Disguise& was) {
  pinfo->src = was.src;
  pinfo->dst = was.dst;
  pinfo->ptype = was.ptype;
  pinfo->srcport = was.srcport;
  pinfo->destport = was.destport;
  pinfo->num = was.num;
  pinfo->flags.in_error_pkt = was.in_error_packet;
  pinfo->abs_ts = was.abs_ts;
  pinfo->use_conv_addr_port_endpoints = was.use_endpoints;
  pinfo->conv_elements = was.elements;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wvolatile"  // inside TRY
#pragma GCC diagnostic ignored "-Wdeprecated-volatile"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wclobbered"

// Nothing here has a destructor: what TRY catches arrives by longjmp.
void call_rpc(tvbuff_t* tvb, packet_info* pinfo, proto_tree* root, const Talk& talk) {
  if (rpc_handle == nullptr || talk.connection == nullptr) {
    return;
  }
  const Disguise was = disguise(pinfo, talk);
  TRY {
    call_dissector(rpc_handle, tvb, pinfo, root);
  }
  CATCH_BOUNDS_AND_DISSECTOR_ERRORS {
    show_exception(tvb, pinfo, root, EXCEPT_CODE, GET_MESSAGE);
  }
  FINALLY {
    undisguise(pinfo, was);
  }
  ENDTRY;
}

#pragma GCC diagnostic pop

// The RPC messages reassembled for one frame have no more bytes than this in total: a frame of many Sends may
// claim kMaxStream for each.
constexpr uint64_t kMostInFrame = 16 * kMaxStream;
uint64_t in_frame;

// Null where that would be more.
tvbuff_t* stream_tvb(tvbuff_t* parent, packet_info* pinfo, const Stream& stream, const char* name) {
  if (stream.bytes.empty() || in_frame + stream.bytes.size() > kMostInFrame) {
    return nullptr;
  }
  in_frame += stream.bytes.size();
  const Size length = static_cast<Size>(stream.bytes.size());
  uint8_t* bytes = static_cast<uint8_t*>(wmem_alloc0(pinfo->pool, length));
  stream.bytes.copy(bytes);
  // More than there is, where the continuation is unknown: the dissector sees that something is cut off.
  const int reported = static_cast<int>(length) + (stream.open ? 4 : 0);
  tvbuff_t* tvb = tvb_new_child_real_data(parent, bytes, length, reported);
  add_new_data_source(pinfo, tvb, name);
  return tvb;
}

void add_stream(proto_tree* tree, tvbuff_t* tvb, const Stream& stream) {
  generated(proto_tree_add_uint(tree, hf::payload, tvb, 0, static_cast<int>(stream.bytes.size()),
                                static_cast<uint32_t>(stream.bytes.size())));
  if (stream.missing != 0) {
    generated(proto_tree_add_uint64(tree, hf::missing, tvb, 0, 0, stream.missing));
  }
}

}  // namespace

void begin_handover() {
  in_frame = 0;
}

void register_handover() {
  rpc_handle = find_dissector_add_dependency("rpc", proto);
}

void hand_over(const Place& place, packet_info* pinfo, proto_tree* root, proto_tree* tree,
               const MessageNote& message) {
  if (!takes(message.version) || message.by_read) {
    return;
  }
  const bool elsewhere = message.frame != pinfo->num;  // reported late: it was sent in an earlier frame
  const Talk talk{message.connection, message.from, message.requester.value_or(message.from),
                  elsewhere ? message.frame : 0, message.time_ns};
  if (message.stream >= 0) {
    const Stream& stream = session::notebook()->rpcs[static_cast<size_t>(message.stream)].stream;
    if (tvbuff_t* tvb = stream_tvb(place.tvb, pinfo, stream, "RPC message")) {
      add_stream(tree, tvb, stream);
      call_rpc(tvb, pinfo, root, talk);
    }
  } else if (message.carries_rpc && message.header_length < place.captured) {
    const int length = static_cast<int>(message.length - message.header_length);
    const int captured = static_cast<int>(std::min(place.captured, message.length) - message.header_length);
    call_rpc(tvb_new_subset_length_caplen(place.tvb, place.offset + static_cast<int>(message.header_length),
                                          captured, length),
             pinfo, root, talk);
  }
}

void hand_over(tvbuff_t* frame, packet_info* pinfo, proto_tree* root, const RpcNote& rpc) {
  tvbuff_t* tvb = takes(rpc.version)
                      ? stream_tvb(frame, pinfo, rpc.stream, rpc.reply ? "RPC Reply" : "RPC Call")
                      : nullptr;
  if (tvb == nullptr) {
    return;
  }
  if (root != nullptr) {
    proto_item* item =
        generated(proto_tree_add_protocol_format(root, proto, tvb, 0, 0, "RPC over RDMA, the %s of frame %u",
                                                 rpc.reply ? "Reply" : "Call", rpc.frame));
    proto_tree* tree = proto_item_add_subtree(item, ett_of(Part::protocol));
    add_uint(tree, tvb, rpc.reply ? hf::reply_in : hf::call_in, rpc.frame);
    add_stream(tree, tvb, rpc.stream);
  }
  call_rpc(tvb, pinfo, root, Talk{rpc.connection, rpc.from, rpc.from, rpc.frame, rpc.time_ns});
}

}  // namespace steertag::plugin
