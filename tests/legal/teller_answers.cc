// Answers: what moves by RDMA, and the Reply or the error that ends an RPC.
#include <algorithm>

#include "teller.h"

namespace steertag::legal {
namespace {

constexpr uint32_t kOverhead = 470;

bool has(const Rpc& rpc, std::string_view text) {
  return rpc.procedure.find(text) != std::string::npos;
}

// Whether only one operation is to fail, and nothing before it has results.
bool fails_alone(const Rpc& rpc) {
  return !has(rpc, "nfs4") || !rpc.chunks() ||
         !(has(rpc, "GETATTR") || has(rpc, "READ READ") || has(rpc, "WRITE WRITE"));
}

}  // namespace

// RFC 5666 §3.8: the RDMA_DONEs that are due take credits, too.
std::string Teller::grant(At& at, bool backward, uint32_t more) {
  Link& link = at.link;
  const auto dones = static_cast<uint32_t>(at.open.dones.size()) + more;
  if (backward) {
    link.back_grant = dice_.chance(60) ? link.back_grant : dice_.from_to(1, 8);
    link.back_grant = std::max(link.back_grant, dones + 1);
    return fmt::format(" credit={}", link.back_grant);
  }
  if (dice_.chance(40)) {
    const uint32_t before = link.grant;
    link.grant = dice_.chance(50) ? dice_.from_to(1, 8) : dice_.from_to(1, 64);
    feature(link.grant < before ? "grant reduced" : "grant raised");
  }
  link.grant = std::max(link.grant, dones + 1);  // RFC 5666 §11
  return fmt::format(" credit={}", link.grant);
}

void Teller::answer(At& at, size_t which) {
  const size_t number = at.open.rpcs[which];
  if (which != 0) {
    feature("Replies out of order");
  }
  at.open.rpcs.erase(at.open.rpcs.begin() + static_cast<ptrdiff_t>(which));
  Rpc& rpc = session_.rpcs[number];
  (rpc.backward ? at.link.back_outstanding : at.link.outstanding) -= rpc.sent_again ? 2 : 1;
  const uint32_t end = dice_.below(100);
  if (end < 6 && too_small(at, rpc)) {
    return;
  }
  if (end >= 6 && end < 16) {
    fail(at, rpc);
  } else {
    succeed(at, rpc);
  }
}

// What moves through its chunks.
void Teller::move(Rpc& rpc) {
  const auto add = [&](std::string text) {
    rpc.moves.push_back(session_.lines.size());
    session_.lines.push_back({rpc.responder() + text, false});
  };
  const auto get = [&](const Chunk& one) {
    if (one.total() > 200 && one.lengths.size() == 1 && dice_.chance(25)) {
      const uint32_t part = one.total() / 2;
      add(fmt::format("read {} {}", one.name, part));
      add(fmt::format("read {} {} skip={}", one.name, one.total() - part, part));
      feature("chunk read in parts");
    } else {
      add(fmt::format("read {}", one.name));
    }
  };
  if (rpc.whole) {
    get(*rpc.whole);
  }
  std::for_each(rpc.reads.begin(), rpc.reads.end(), get);
  for (const Chunk& one : rpc.writes) {
    uint32_t length = one.lengths.empty() ? 0 : rpc.data;
    if (length != 0 && !has(rpc, "READLINK") && dice_.chance(20) && rpc.writes.size() == 1) {
      length = dice_.chance(25) ? 0 : dice_.below(length);
      feature(length == 0 ? "unused Write chunk" : "Write chunk with less than was asked for");
    }
    rpc.written.push_back(length);
    if (length > 300 && one.lengths.size() == 1 && dice_.chance(25)) {
      add(fmt::format("write {} {}", one.name, length / 3));
      add(fmt::format("write {} {} skip={}", one.name, length - length / 3, length / 3));
      feature("chunk written in parts");
    } else if (length != 0) {
      add(fmt::format("write {} {}", one.name, length));
    }
  }
  const uint32_t beside = rpc.writes.empty() ? rpc.data : 0;
  if (rpc.reply && (beside + kOverhead > rpc.room || dice_.chance(50))) {
    add(fmt::format("write {}", rpc.reply->name));
    rpc.nomsg = true;
    feature("Long Reply");
  } else if (rpc.reply) {
    feature("unused Reply chunk");
  }
}

// What the line of a successful Reply has, beside the credits.
std::string Teller::return_words(At& at, Rpc& rpc) {
  std::string words;
  const bool empty =
      std::any_of(rpc.writes.begin(), rpc.writes.end(), [](const Chunk& c) { return c.lengths.empty(); });
  if (empty) {
    words = fmt::format(" data={}", rpc.data);
  } else if (rpc.writes.empty() && rpc.data > 1 && !has(rpc, "WRITE") && !has(rpc, "SETXATTR") &&
             dice_.chance(15)) {
    words = fmt::format(" data={}", dice_.from_to(1, rpc.data));
    feature("less than was asked for");
  }
  const Chunk* first = !rpc.reads.empty()                                      ? &rpc.reads[0]
                       : !rpc.writes.empty() && !rpc.writes[0].lengths.empty() ? &rpc.writes[0]
                       : rpc.reply                                             ? &*rpc.reply
                                                                               : nullptr;
  if (rpc.version == 1 && at.link.invalidates && !persistent_ && first != nullptr && dice_.chance(80)) {
    const auto last = static_cast<uint32_t>(first->lengths.size());
    words += fmt::format(" invalidate={}.{}", first->name, dice_.from_to(1, last));
    rpc.invalidates = true;
    feature("Send With Invalidate, version one");
  } else if (rpc.version == 2 && !rpc.inv.empty()) {
    rpc.invalidates = at.link.invalidates;
    words += at.link.invalidates ? "" : " plain";
    feature(at.link.invalidates ? "Send With Invalidate, version two" : "rdma_inv_handle left alone");
  }
  if (rpc.version == 2 && !rpc.chunks() && (rpc.wrapped || dice_.chance(2))) {
    words += dice_.chance(50) && rpc.wrapped ? "" : " option(88 info=03)";
    rpc.wrapped = true;
    feature("Reply conveyed by an option");
  } else if (model_ == Model::rfc5666 && has(rpc, "READ data") && rpc.plain() && !rpc.protected_by_gss &&
             words.empty() && rpc.data + 700 < rpc.room) {
    words += fmt::format(" msgp(align={} thresh={})", dice_.one_of({4u, 32u}), dice_.from_to(64, 200));
    rpc.wrapped = true;
    feature("RDMA_MSGP Reply");
  }
  return words;
}

// RFC 8881 §18.36.3, §18.34.3: both ask for a back channel, and are granted one.
void Teller::open_channel(At& at, const Rpc& rpc) {
  at.link.back_channel =
      (at.link.back_channel || has(rpc, "CREATE_SESSION") || has(rpc, "BIND_CONN_TO_SESSION")) &&
      !has(rpc, "DESTROY_SESSION");
}

void Teller::succeed(At& at, Rpc& rpc) {
  rpc.end = Rpc::End::success;
  const uint32_t granted = at.link.grant, granted_back = at.link.back_grant;
  if (leave_to_be_read(at, rpc)) {
    return;
  }
  const size_t before = session_.lines.size();
  move(rpc);
  const std::string words = return_words(at, rpc);
  rpc.answer_line = line("{}reply xid={}{}{}", rpc.responder(), rpc.xid, words, grant(at, rpc.backward, 0));
  rpc.regrants = granted != at.link.grant || granted_back != at.link.back_grant;
  // Two or more lines that are under way together, as one.
  if (rpc.moves.size() > 1 && at.link.depth == 16 && dice_.chance(20)) {
    session_.lines[before].text = fmt::format("{}burst\n", rpc.responder()) + session_.lines[before].text;
    session_.lines[rpc.moves.back()].text += "\nend";
    rpc.in_burst = true;
    feature("RDMA operations in one burst");
  }
  if (rpc.sent_again && dice_.chance(50)) {
    line("{}reply xid={}{}{}", rpc.responder(), rpc.xid, words, fmt::format(" credit={}", at.link.grant));
    feature("both copies answered");
  }
  open_channel(at, rpc);
  if (rpc.backward) {
    feature(fmt::format("callback answered, version {}", rpc.version));
  }
}

// RFC 5666 §3.5: what has no room in the Call's chunks, or the whole Reply, stays in the Responder's memory.
bool Teller::leave_to_be_read(At& at, Rpc& rpc) {
  const bool possible = model_ == Model::rfc5666 && !rpc.chunks() && !rpc.wrapped && !rpc.sent_again;
  const auto due = static_cast<uint32_t>(at.open.dones.size() + 1);
  if (!possible || dice_.chance(55) || due > 6) {
    return false;
  }
  const std::string name = fmt::format("@{}g{}", rpc.link, rpc.backward ? 5000 + rpc.xid : rpc.xid);
  const bool item =
      (has(rpc, "nfs3 READ data") || has(rpc, "READLINK")) && has(rpc, "nfs3") && !rpc.protected_by_gss;
  std::string chunks = fmt::format(" read({} pos=0)", name);
  if (item) {
    Chunk one = chunk(rpc, 'g', rpc.data);
    chunks = one.text("read");
    feature("result left to be read");
  } else {
    feature(rpc.backward ? "Reply left to be read, backward" : "Reply left to be read");
  }
  rpc.wrapped = rpc.left = true;
  rpc.answer_line = line("{}reply xid={}{}{}", rpc.responder(), rpc.xid, chunks, grant(at, rpc.backward, 2));
  at.open.dones.push_back({rpc.backward, rpc.xid, name});
  open_channel(at, rpc);
  return true;
}

void Teller::confirm(At& at, size_t which) {
  const Open::Owed owed = at.open.dones[which];
  at.open.dones.erase(at.open.dones.begin() + static_cast<ptrdiff_t>(which));
  const std::string_view who = owed.backward ? "server" : "client";
  line("{}.{}> read {}", at.link.name, who, owed.chunk);
  line("{}.{}> done xid={} credit={}", at.link.name, who, owed.xid, at.link.requested);
  feature("RDMA_DONE");
}

void Teller::fail(At& at, Rpc& rpc) {
  rpc.end = Rpc::End::failure;
  if (rpc.whole) {  // RFC 8166 §3.5.3: it is not known what is asked for before it was read
    rpc.moves.push_back(line("{}read {}", rpc.responder(), rpc.whole->name));
  }
  std::string words;
  const uint32_t how = dice_.below(100);
  if (how < 60 && fails_alone(rpc) && !has(rpc, "NULL")) {
    words = fmt::format(" status={}", dice_.one_of({1u, 2u, 5u, 13u, 70u, 10008u}));
    feature("NFS error");
  } else if (how < 80) {
    words = fmt::format(" accept_stat={}", dice_.from_to(1, 5));
    feature("RPC error");
  } else {
    words = fmt::format(" auth_stat={}", dice_.from_to(1, 5));
    feature("RPC denied");
  }
  if (rpc.version == 2 && !rpc.inv.empty() && !at.link.invalidates) {
    words += " plain";
  }
  rpc.invalidates = rpc.version == 2 && !rpc.inv.empty() && at.link.invalidates;
  const bool empty =
      std::any_of(rpc.writes.begin(), rpc.writes.end(), [](const Chunk& c) { return c.lengths.empty(); });
  if (empty) {
    words += " data=0";
  }
  rpc.answer_line = line("{}reply xid={}{}{}", rpc.responder(), rpc.xid, words, grant(at, rpc.backward, 0));
}

// The Reply does not fit the Reply chunk: an error of the transport, and the client tries with more room.
bool Teller::too_small(At& at, const Rpc& failed) {
  if (!failed.reply || !failed.writes.empty() || failed.first) {
    return false;
  }
  Rpc rpc = failed;
  Rpc& before = session_.rpcs[static_cast<size_t>(&failed - session_.rpcs.data())];
  if (rpc.whole) {
    line("{}read {}", rpc.responder(), rpc.whole->name);
  }
  std::string code = "chunk";
  if (rpc.version == 2) {
    const std::vector<uint32_t>& lengths = rpc.reply->lengths;
    code = fmt::format("cant_reply processed=1 index={} needed={}", lengths.size(), lengths.back() + 4096);
  }
  before.answer_line = line("{}error xid={} {} credit={}", rpc.responder(), rpc.xid, code, at.link.grant);
  before.end = Rpc::End::rejected;
  feature(rpc.version == 2 ? "RDMA2_ERR_CANT_REPLY" : "ERR_CHUNK");
  if (rpc.version == 1) {  // RFC 8267 §3.1: another RPC
    rpc.xid = at.link.next_xid++;
  }
  rpc.reply->lengths.back() += 8192;
  if (can_call(at)) {
    retry(at, std::move(rpc));
  }
  return true;
}

}  // namespace steertag::legal
