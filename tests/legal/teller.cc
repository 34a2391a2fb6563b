#include "teller.h"

#include <algorithm>

namespace steertag::legal {

using rules::Profile;

Teller::Teller(uint64_t seed, uint64_t number) : dice_(seed * 0x2545F4914F6CDD1D + number) {
  const uint32_t model = dice_.below(100);
  model_ = model < 42   ? Model::one
           : model < 78 ? Model::two
           : model < 84 ? Model::refused_two
                        : Model::rfc5666;
  three_ = dice_.chance(40);
  minor_ = dice_.below(3);
  persistent_ = dice_.chance(12);
}

Session Teller::tell() {
  settings();
  const uint32_t count = dice_.chance(20) ? 2 : 1;
  for (uint32_t i = 0; i < count; ++i) {
    At& at = links_.emplace_back();
    at.link.name = static_cast<char>('a' + i);
    session_.settings +=
        fmt::format("connection {} client=10.0.0.{} server=10.0.0.2\n", at.link.name, i == 0 ? 1 : 3);
    begin(at);
  }
  feature(count == 2 ? "two connections" : "one connection");
  const uint32_t steps = dice_.from_to(6, 26);
  for (uint32_t i = 0; i < steps; ++i) {
    step(links_[dice_.below(links_.size())]);
  }
  for (At& at : links_) {
    finish(at);
  }
  return std::move(session_);
}

void Teller::settings() {
  const uint32_t which = dice_.below(100);
  const std::string_view fabric = which < 45 ? "roce2" : which < 85 ? "iwarp" : "roce1";
  session_.settings = fmt::format("fabric {}\n", fabric);
  feature(fmt::format("fabric {}", fabric));
  if (fabric != "roce1" && dice_.chance(20)) {
    session_.settings += "ipv6\n";
    feature("IPv6");
  }
  if (dice_.chance(10)) {
    session_.settings += "vlan 100\n";
    feature("VLAN");
  }
  if (fabric != "roce1" && dice_.chance(8)) {
    session_.settings += "tunnel vxlan\n";
    feature("tunnel");
  }
  session_.settings += fmt::format("pace {}us\n", dice_.one_of({20u, 200u, 2000u, 5000u}));
  session_.profiles = {Profile::rfc5666};
  if (model_ != Model::rfc5666) {
    session_.profiles = {Profile::deployed, Profile::strict, Profile::rfc5666};
  }
  if (model_ == Model::two || model_ == Model::refused_two) {
    session_.profiles.erase(Profile::rfc5666);  // which knows no version two
  }
  feature(model_ == Model::one           ? "version one"
          : model_ == Model::two         ? "version two"
          : model_ == Model::refused_two ? "version two refused"
                                         : "profile rfc5666");
}

void Teller::begin(At& at) {
  Link& link = at.link;
  const auto size = [&] { return 1024 * dice_.one_of({1u, 2u, 4u, 4u, 8u, 16u}); };
  std::string words;
  if (dice_.chance(25)) {
    words = " none";
    feature("no private data");
  } else {
    const std::array<uint32_t, 2> sends{size(), size()}, receives{size(), size()};
    link.private_data = true;
    link.announced = {dice_.chance(60), dice_.chance(60)};
    link.limit = {std::min(sends[0], receives[1]), std::min(sends[1], receives[0])};
    words = fmt::format(" client(R={:d} send={} receive={}) server(R={:d} send={} receive={})",
                        link.announced[0], sends[0], receives[0], link.announced[1], sends[1], receives[1]);
    feature("private data");
  }
  link.depth = dice_.one_of({1u, 2u, 16u});
  words += fmt::format(" depth={} mtu={} segment={}", link.depth, dice_.one_of({256u, 1024u, 4096u}),
                       dice_.one_of({0u, 0u, 700u, 1460u}));
  words += std::string(dice_.one_of({"", "", " markers", " nocrc", " rtr=send", " rtr=write", " rtr=read"}));
  link.version = model_ == Model::two ? 2 : 1;
  link.requested = dice_.one_of({16u, 32u, 128u});
  at.agreed_limit = link.limit;
  // Where markers are, nobody knows without the setup, and a few FPDUs are lost.
  if (dice_.chance(5) && words.find("markers") == std::string::npos) {
    session_.settings.pop_back();
    session_.settings += words + "\n";  // for the connection after it
    feature("setup not captured");
  } else {
    line("{}.client> connect{}", link.name, words);
  }
  first_exchange(at);
}

// What comes before a Reply has granted credits and, in version two, settled the version.
void Teller::first_exchange(At& at) {
  Link& link = at.link;
  const bool two = link.version == 2;
  link.extension = two && dice_.chance(75);
  link.extension_refused = link.extension && dice_.chance(12);
  // version-two-02 §5.2.3: it should; RFC 8797 §4.1: it may.
  link.invalidates = two || (link.announced[0] && link.announced[1] && dice_.chance(75));
  if (model_ == Model::refused_two) {
    negotiate(at);
  }
  if (link.extension && dice_.chance(30)) {
    introduce(at, true);
    feature("INITXCH first of all");
  }
  Rpc rpc = begin_rpc(at, false);
  rpc.first = true;
  if (model_ == Model::rfc5666 && dice_.chance(40)) {
    // RFC 5666 §6.2 and §11: first of all, and under a security flavor.
    const uint32_t sizes = std::max(1024u, std::min(link.limit[0], link.limit[1]));
    rpc.procedure = "conf_rdma";
    rpc.words = fmt::format(" auth=sys maxcall_sendsize={0} maxreply_sendsize={0} maxrdmaread={1}", sizes,
                            link.depth);
    feature("CONF_RDMA");
  } else {
    const bool session = !three_ && minor_ != 0 && dice_.chance(45);
    session ? compound(rpc, "CREATE_SESSION", 0) : small(at, rpc);
    rpc.words += fmt::format(" credit={}", link.requested);
  }
  const bool configures = rpc.procedure == "conf_rdma";
  if (configures) {
    const uint32_t sizes = std::max(1024u, std::min(link.limit[0], link.limit[1]));
    link.limit = {sizes, sizes};
  }
  send(at, std::move(rpc));
  Rpc& sent = session_.rpcs[at.open.rpcs.front()];
  link.grant = dice_.from_to(2, 32);
  sent.answer_line = configures ? line("{}reply xid={} credit={} maxcall_sendsize={} align=4 maxrdmaread={}",
                                       sent.responder(), sent.xid, link.grant,
                                       std::max(1024u, std::min(link.limit[0], link.limit[1])), link.depth)
                                : line("{}reply xid={} credit={}", sent.responder(), sent.xid, link.grant);
  sent.end = Rpc::End::success;
  open_channel(at, sent);
  at.open.rpcs.clear();
  link.outstanding = 0;
  link.agreed = true;
  if (two) {  // version-two-02 §2.3
    link.limit = {std::max(4096u, link.limit[0]), std::max(4096u, link.limit[1])};
  }
  if (link.extension && !link.extension_refused && dice_.chance(80)) {
    introduce(at, false);
  }
  if (link.extension && !link.introduced[0] && dice_.chance(90)) {
    introduce(at, true);
  }
  rest(at);
}

// version-two-02 §6.2: a client that would like version two meets a server that has version one only.
void Teller::negotiate(At& at) {
  const Link& link = at.link;
  line("{}.client> call xid={} v2 nfs3 NULL credit={}", link.name, 9000, link.requested);
  if (dice_.chance(85)) {
    line("{}.server> error xid={} vers(1 1) credit={}", link.name, 9000, dice_.from_to(1, 32));
    feature("ERR_VERS");
  } else {  // the loss of the first message tells as much
    session_.lines.push_back({"wait 6000ms", false});
    feature("unanswered probe of version two");
  }
}

void Teller::step(At& at) {
  const uint32_t choice = dice_.below(100);
  const Open& open = at.open;
  if (choice < 40 && can_call(at)) {
    call(at);
  } else if (choice < 70 && !open.rpcs.empty()) {
    answer(at, dice_.below(open.rpcs.size()));
  } else if (choice < 79 && at.link.back_channel) {
    callback(at);
  } else if (choice < 86 && at.link.extension) {
    if (!open.requests.empty()) {
      const size_t which = dice_.below(open.requests.size());
      open.requests[which].pending ? settle(at, which) : respond(at, which);
    } else if (dice_.chance(70)) {
      request(at);
    } else {
      update(at);
    }
  } else if (choice < 90 && !open.dones.empty()) {
    confirm(at, dice_.below(open.dones.size()));
  } else if (choice < 92) {
    unknown_option(at);
  } else if (choice < 95) {
    reconnect(at);
  } else if (choice < 97) {
    const bool idle =
        std::all_of(links_.begin(), links_.end(), [](const At& one) { return one.open.empty(); });
    session_.lines.push_back(
        {fmt::format("wait {}ms", dice_.one_of({1u, 40u, 1500u, idle ? 40000u : 1u})), false});
  } else if (can_call(at)) {
    call(at);
  }
  rest(at);
}

void Teller::rest(const At& at) {
  if (at.open.empty() && at.link.agreed) {
    session_.rests.push_back({session_.lines.size() - 1, at.link});
  }
}

// The connection ends, in order or not, and the client goes on with another one. What was open is sent
// again, with the XID it had: RFC 8166 §3.3.1, and memory of its own.
void Teller::reconnect(At& at) {
  const bool reset = dice_.chance(30);
  if (!reset) {
    settle_dues(at);
  }
  std::vector<Rpc> again;
  for (const size_t open : at.open.rpcs) {
    const Rpc& rpc = session_.rpcs[open];
    const uint32_t least = std::max(rpc.version == 2 ? 4096u : 0u, at.agreed_limit[0]);
    const bool fits = rpc.chunks() || rpc.data + 470 < least;  // without what the server had conveyed
    if (!rpc.backward && !rpc.sent_again && fits) {
      again.push_back(rpc);
    }
  }
  feature(at.open.rpcs.empty() ? "reconnect" : "reconnect with open RPCs");
  line("{}.client> disconnect{}", at.link.name, reset ? " reset" : "");
  session_.lines.push_back({fmt::format("wait {}ms", dice_.one_of({1u, 200u, 6000u})), false});
  Link fresh;
  fresh.name = at.link.name;
  fresh.version = at.link.version;
  fresh.private_data = at.link.private_data;
  fresh.announced = at.link.announced;
  fresh.limit = at.agreed_limit;
  fresh.depth = at.link.depth;
  fresh.requested = at.link.requested;
  fresh.next_xid = at.link.next_xid + 1;
  fresh.next_back_xid = at.link.next_back_xid + 1;
  at.link = fresh;
  at.open = {};
  // Whoever connects draws other numbers to begin with; else a retransmitted RPC would be packet for packet a
  // copy of the one before.
  const auto number = [&] { return dice_.below(1 << 24); };
  line("{}.client> connect psn={}/{} seq={}/{}", at.link.name, number(), number(), number(), number());
  first_exchange(at);
  for (const Rpc& rpc : again) {
    if (can_call(at) && !rpc.wrapped) {
      retry(at, rpc);
    }
  }
}

// What the ends owe each other before they may part in peace.
void Teller::settle_dues(At& at) {
  while (!at.open.dones.empty()) {
    confirm(at, 0);
  }
  while (!at.open.requests.empty()) {
    at.open.requests.front().pending ? settle(at, 0) : respond(at, 0);
  }
}

void Teller::finish(At& at) {
  while (!at.open.empty()) {
    if (!at.open.rpcs.empty()) {
      answer(at, 0);
    } else {
      settle_dues(at);
    }
  }
  rest(at);
  if (dice_.chance(85)) {
    line("{}.client> disconnect", at.link.name);
    feature("orderly end");
  } else {
    feature("capture ends first");
  }
}

Session tell(uint64_t seed, uint64_t number) {
  return Teller(seed, number).tell();
}

}  // namespace steertag::legal
