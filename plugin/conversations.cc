// What Wireshark knows of conversations, for RPC over RDMA: a table of connections, with what their RPC
// messages and chunks came to (Statistics > Conversations and Endpoints, tshark -z conv,rpcrdma and
// -z endpoints,rpcrdma), and two filters that the menu of a frame offers: its connection, and its RPC with
// all that RDMA moved for it.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "compat.h"

#include <epan/conversation_filter.h>
#include <epan/conversation_table.h>

#include <type_traits>
#include <utility>

#include "fields.h"
#include "notebook.h"
#include "session.h"
#include "show.h"

namespace steertag::plugin {
namespace {

// What a frame belongs to; the connection is null where that is not known.
struct Membership {
  const ConnectionNote* connection = nullptr;
  std::optional<uint32_t> xid;
};

Membership of(const MessageNote& message) {
  return {message.connection, message.xid};
}

Membership of(const Notebook& book, const Note& note) {
  switch (note.kind) {
    case Note::Kind::message:
    case Note::Kind::piece:
      return of(book.messages[note.index]);
    case Note::Kind::placement:
      return {book.placements[note.index].connection, book.placements[note.index].xid};
    case Note::Kind::ack: {
      const RpcTimes& times = book.times[book.acks[note.index].times];
      return {times.connection, times.xid};
    }
    case Note::Kind::loss:
      return {book.losses[note.index].connection, std::nullopt};
    case Note::Kind::repeat:
    case Note::Kind::copied:
      return {book.repeats[note.index].connection, std::nullopt};
    default:
      return {};
  }
}

// The first RPC of a frame, or else the first connection.
Membership of_frame(const packet_info* pinfo) {
  Membership found;
  if (const Notebook* const book = session::notebook()) {
    for (const Note& note : book->of_frame.of(pinfo->num)) {
      const Membership one = of(*book, note);
      if (one.connection != nullptr && (found.connection == nullptr || (!found.xid && one.xid))) {
        found = one;
      }
    }
  }
  return found;
}

bool has_connection(packet_info* pinfo) {
  return of_frame(pinfo).connection != nullptr;
}

bool has_rpc(packet_info* pinfo) {
  return of_frame(pinfo).xid.has_value();
}

char* connection_filter(packet_info* pinfo) {
  const Membership member = of_frame(pinfo);
  return member.connection == nullptr ? nullptr
                                      : ws_strdup_printf("rpcrdma.conn == %u", member.connection->number);
}

char* rpc_filter(packet_info* pinfo) {
  const Membership member = of_frame(pinfo);
  return !member.xid ? nullptr
                     : ws_strdup_printf(
                           "rpcrdma.conn == %u && (rpcrdma.xid == 0x%08x || "
                           "rpcrdma.placement.xid == 0x%08x)",
                           member.connection->number, *member.xid, *member.xid);
}

// --- the table

const char* address_field(const address& of, conv_filter_type_e filter) {
  const bool four = of.type == AT_IPv4;
  if (!four && of.type != AT_IPv6) {
    return CONV_FILTER_INVALID;
  }
  switch (filter) {
    case CONV_FT_SRC_ADDRESS:
      return four ? "ip.src" : "ipv6.src";
    case CONV_FT_DST_ADDRESS:
      return four ? "ip.dst" : "ipv6.dst";
    case CONV_FT_ANY_ADDRESS:
      return four ? "ip.addr" : "ipv6.addr";
    default:
      return CONV_FILTER_INVALID;
  }
}

const char* conversation_field(conv_item_t* item, conv_filter_type_e filter) {
  return address_field(item->src_address, filter);
}

const char* endpoint_field(endpoint_item_t* item, conv_filter_type_e filter) {
  return address_field(item->myaddress, filter);
}

ct_dissector_info_t conversation_fields = {conversation_field};
et_dissector_info_t endpoint_fields = {endpoint_field};

// A message or chunk data, of which a frame may have several; it counts with the first.
struct Counted {
  const ConnectionNote* connection = nullptr;
  rdma::Side from = rdma::Side::a;
  uint32_t port(rdma::Side side) const { return connection->ends[rdma::index(side)].port.value_or(0); }
};

// `latest`: the table and the frame that were counted last. Wireshark serves one table after the other.
using Latest = std::pair<const void*, uint32_t>;

Counted counted(const packet_info* pinfo, const conv_hash_t* table, Latest& latest, const void* data) {
  const auto [message, placement, finding] = *static_cast<const Tapped*>(data);
  // What became known in a later frame is not counted there, whose addresses may be others.
  const bool own = message != nullptr     ? message->frame == pinfo->num
                   : placement != nullptr ? placement->frame == pinfo->num
                                          : false;
  const bool fresh = table->conv_array == nullptr || table->conv_array->len == 0;
  const Latest now(table, pinfo->num);
  if (!own || (!fresh && latest == now)) {
    return {};
  }
  latest = now;
  return message != nullptr ? Counted{message->connection, message->from}
                            : Counted{placement->connection, placement->from};
}

void add_conversation(conv_hash_t* table, packet_info* pinfo, const Counted& one) {
  add_conversation_table_data_with_conv_id(table, &pinfo->src, &pinfo->dst, one.port(one.from),
                                           one.port(rdma::other(one.from)), one.connection->number, 1,
                                           static_cast<int>(pinfo->fd->pkt_len), &pinfo->rel_ts,
                                           &pinfo->abs_ts, &conversation_fields, CONVERSATION_NONE);
}

void add_endpoints(conv_hash_t* table, packet_info* pinfo, const Counted& one) {
  const int bytes = static_cast<int>(pinfo->fd->pkt_len);
  add_endpoint_table_data(table, &pinfo->src, one.port(one.from), true, 1, bytes, &endpoint_fields,
                          ENDPOINT_NONE);
  add_endpoint_table_data(table, &pinfo->dst, one.port(rdma::other(one.from)), false, 1, bytes,
                          &endpoint_fields, ENDPOINT_NONE);
}

template <auto add>
tap_packet_status hear(void* table, packet_info* pinfo, epan_dissect_t*, const void* data, tap_flags_t) {
  static Latest latest;
  auto* const of = static_cast<conv_hash_t*>(table);
  const Counted one = counted(pinfo, of, latest, data);
  if (one.connection == nullptr) {
    return TAP_PACKET_DONT_REDRAW;
  }
  add(of, pinfo, one);
  return TAP_PACKET_REDRAW;
}

// In some versions of Wireshark these callbacks have a second argument, which is of no use here.
template <typename Callback>
struct Adapted;
template <typename Result, typename... More>
struct Adapted<Result (*)(packet_info*, More...)> {
  template <auto function>
  static Result call(packet_info* pinfo, More...) {
    return function(pinfo);
  }
};

template <auto valid, auto build, typename Register = decltype(&register_conversation_filter)>
void offer_filter(const char* name) {
  const Register offer = register_conversation_filter;
  const is_filter_valid_func is_valid = Adapted<is_filter_valid_func>::template call<valid>;
  const build_filter_string_func filter = Adapted<build_filter_string_func>::template call<build>;
  if constexpr (std::is_invocable_v<Register, const char*, const char*, is_filter_valid_func,
                                    build_filter_string_func>) {
    offer("rpcrdma", name, is_valid, filter);
  } else {
    offer("rpcrdma", name, is_valid, filter, nullptr);
  }
}

}  // namespace

void register_conversations() {
  register_conversation_table(proto, false, hear<add_conversation>, hear<add_endpoints>);
  offer_filter<has_connection, connection_filter>("RPC-over-RDMA connection");
  offer_filter<has_rpc, rpc_filter>("RPC over RDMA, with its chunks");
}

}  // namespace steertag::plugin
