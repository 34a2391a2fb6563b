// Sending: credentials, handles that may be invalidated, extensions; callbacks; Calls that are sent again.
#include <algorithm>

#include "teller.h"

namespace steertag::legal {
namespace {

constexpr uint32_t kApart = 100'000;  // beyond the XIDs of any session

}  // namespace

// The words behind it, once its chunks are known.
void Teller::finish_call(const At& at, Rpc& rpc) {
  const Link& link = at.link;
  if (model_ == Model::rfc5666 && rpc.whole) {
    rpc.xid += kApart;  // else it looks like the Reply to a callback with its XID, left to be read
  }
  rpc.words += fmt::format(" credit={}", link.requested);
  std::vector<Chunk*> all;
  for (std::vector<Chunk>* list : {&rpc.reads, &rpc.writes}) {
    for (Chunk& one : *list) {
      all.push_back(&one);
    }
  }
  if (rpc.reply) {
    all.push_back(&*rpc.reply);
  }
  std::erase_if(all, [](const Chunk* one) { return one->lengths.empty(); });
  if (!all.empty() && persistent_) {  // reminv §4: such a handle is not for one RPC only
    for (Chunk* one : all) {
      one->handle = 0x5001;
    }
    feature("one registration for many RPCs");
  } else if (!all.empty() && rpc.version == 2 && !persistent_ && link.remote_invalidation.value_or(true) &&
             dice_.chance(70)) {
    const Chunk& one = **(all.begin() + dice_.below(all.size()));
    rpc.inv = fmt::format("{}.{}", one.name, dice_.from_to(1, static_cast<uint32_t>(one.lengths.size())));
    feature("rdma_inv_handle");
  }
  if (rpc.version == 2 && !rpc.chunks() && dice_.chance(4)) {
    rpc.words += " option(88 info=0102)";
    rpc.wrapped = true;
    feature("Call conveyed by an option");
  } else if (model_ == Model::rfc5666 && rpc.procedure.find("WRITE data") != std::string::npos &&
             !rpc.chunks() && !rpc.protected_by_gss && rpc.data + 700 < link.limit[0]) {
    rpc.words +=
        fmt::format(" msgp(align={} thresh={})", dice_.one_of({4u, 16u, 128u}), dice_.from_to(64, 200));
    rpc.wrapped = true;
    feature("RDMA_MSGP");
  }
}

void Teller::call(At& at) {
  Rpc rpc = begin_rpc(at, false);
  const uint32_t flavor = dice_.below(100);
  rpc.protected_by_gss = flavor >= 90;
  rpc.words = flavor < 45   ? ""
              : flavor < 85 ? " auth=sys"
              : flavor < 90 ? " auth=krb5"
              : flavor < 95 ? " auth=krb5i"
                            : " auth=krb5p";
  feature(flavor < 45 ? "AUTH_NONE" : "credential" + rpc.words);
  const uint32_t kind = dice_.below(100);
  if (kind < 34) {
    small(at, rpc);
  } else if (kind < 56) {
    read(rpc);
  } else if (kind < 76) {
    write(at, rpc);
  } else if (kind < 84) {
    path(at, rpc);
  } else if (kind < 95 || (!three_ && minor_ != 2)) {
    listing(at, rpc);
  } else {
    attribute(at, rpc);
  }
  finish_call(at, rpc);
  send(at, std::move(rpc));
}

void Teller::callback(At& at) {
  Link& link = at.link;
  // RFC 8167 §4.1: one until a Reply has granted more.
  if (link.back_outstanding >= std::min(link.back_grant, 4u) || link.backward_support == 0u) {
    return;
  }
  Rpc rpc = begin_rpc(at, true);
  if (!at.open.rpcs.empty() && dice_.chance(50)) {
    const Rpc& other = session_.rpcs[at.open.rpcs.front()];
    const bool taken = std::any_of(at.open.rpcs.begin(), at.open.rpcs.end(), [&](size_t open) {
      return session_.rpcs[open].backward && session_.rpcs[open].xid == other.xid;
    });
    if (!other.backward && !taken && other.xid >= link.next_back_xid) {
      rpc.xid = other.xid;
      link.next_back_xid = rpc.xid + 1;
      feature("callback with the XID of an open Call");
    }
  }
  const std::string_view name =
      dice_.one_of({"CB_RECALL", "CB_GETATTR", "CB_RECALL_ANY", "CB_RECALL_SLOT", "CB_SEQUENCE"});
  rpc.procedure = fmt::format("cb {} minor={}", name, minor_);
  rpc.words = fmt::format(" credit={}", dice_.from_to(1, 8));
  feature(fmt::format("callback {}", name));
  const bool chunks = rpc.version == 1 || link.backward_support == 2u;
  if (chunks && model_ != Model::rfc5666 && dice_.chance(25)) {
    rpc.whole = whole(rpc);
    feature("Long Call of the backward direction");
  }
  send(at, std::move(rpc));
}

void Teller::send(At& at, Rpc rpc) {
  rpc.call_line = line("{}", rpc.call_text());
  (rpc.backward ? at.link.back_outstanding : at.link.outstanding) += 1;
  session_.rpcs.push_back(std::move(rpc));
  at.open.rpcs.push_back(session_.rpcs.size() - 1);
  if (at.open.rpcs.size() >= 4) {
    feature("four RPCs at a time");
  }
  Rpc& sent = session_.rpcs.back();
  if (sent.procedure.find("DESTROY_SESSION") != std::string::npos) {
    at.link.back_channel = false;
  }
  if (!sent.first && !sent.backward && sent.plain() && can_call(at) && dice_.chance(3)) {
    send_again(at, sent);
  }
}

// RFC 5531 §8: the client waits in vain, and sends the same Call once more.
void Teller::send_again(At& at, Rpc& rpc) {
  if (rpc.words.find("krb5") != std::string::npos) {
    return;  // which would have another sequence number
  }
  session_.lines.push_back({"wait 1500ms", false});
  line("{}", rpc.call_text());
  rpc.sent_again = true;
  at.link.outstanding += 1;
  feature("Call sent again");
}

// The same over another connection, with other memory.
void Teller::retry(At& at, Rpc rpc) {
  const auto rename = [](Chunk& one) { one.name += one.name.empty() ? "" : "x"; };
  for (std::vector<Chunk>* list : {&rpc.reads, &rpc.writes}) {
    std::for_each(list->begin(), list->end(), rename);
  }
  for (std::optional<Chunk>* one : {&rpc.whole, &rpc.reply}) {
    if (*one) {
      rename(**one);
    }
  }
  const bool writes = !rpc.writes.empty() && !rpc.writes[0].lengths.empty();
  rpc.inv = rpc.inv.empty() || !writes ? "" : rpc.writes[0].name;
  if (!at.link.remote_invalidation.value_or(true)) {
    rpc.inv.clear();
  }
  rpc.moves.clear();
  rpc.written.clear();
  rpc.first = false;
  feature("retry over the next connection");
  send(at, std::move(rpc));
}

}  // namespace steertag::legal
