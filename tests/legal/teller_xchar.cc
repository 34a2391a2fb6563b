// Transport characteristics (xcharext-02): what the ends convey, request and change.
#include <algorithm>

#include "teller.h"

namespace steertag::legal {

bool Teller::can_use_extension(const At& at) const {
  return at.link.extension && !at.link.extension_refused && at.link.agreed;
}

// What counts from here on.
void Teller::take(At& at, bool of_client, const std::string& characteristic, uint32_t value) {
  Link& link = at.link;
  if (characteristic == "RBSIZ") {
    link.buffer[of_client ? 0 : 1] = value;
  } else if (characteristic == "REQREMINV" && of_client) {
    link.remote_invalidation = value != 0;
  } else if (characteristic == "BRS" && of_client) {
    link.backward_support = value;
  }
}

void Teller::introduce(At& at, bool client) {
  Link& link = at.link;
  std::string values;
  std::string fixed;
  const auto add = [&](const std::string& name, uint32_t value) {
    values += fmt::format(" {}={}", name, value);
    take(at, client, name, value);
  };
  if (dice_.chance(85)) {
    add("RBSIZ", dice_.one_of({4096u, 8192u, 16384u}));
    if (dice_.chance(25)) {
      fixed += " RBSIZ";
      link.fixed[client ? 0 : 1] = true;
    }
  }
  if (dice_.chance(70)) {
    add("REQREMINV", dice_.below(2));
  }
  if (client && dice_.chance(70)) {
    add("BRS", dice_.below(3));
  }
  if (dice_.chance(12)) {
    values += " 0x77=hex:0102";
    feature("unknown characteristic");
  }
  const uint32_t xid = client ? link.next_xid++ : link.next_back_xid++;
  line("{}.{}> initxch xid={}{}{} credit={}", link.name, client ? "client" : "server", xid, values,
       fixed.empty() ? "" : fmt::format(" nochg({})", fixed), dice_.from_to(4, 32));
  link.introduced[client ? 0 : 1] = true;
  feature(client ? "INITXCH of the client" : "INITXCH of the server");
  if (client && link.extension_refused) {
    line("{}.server> error v2 xid={} inval_option credit={}", link.name, xid, link.grant);
    link.extension = false;
    link.remote_invalidation.reset();
    link.backward_support.reset();
    link.buffer = {};
    feature("INVAL_OPTION for INITXCH");
  }
}

// One end asks the other to change something.
void Teller::request(At& at) {
  Link& link = at.link;
  const bool backward = dice_.chance(40);
  if (!can_use_extension(at) || !link.introduced[0] ||
      (backward ? link.back_outstanding != 0 || !link.introduced[1] : !can_call(at))) {
    return;
  }
  const bool of_client = backward;  // whose values are to change
  const uint32_t now = link.buffer[of_client ? 0 : 1].value_or(4096);
  // xcharext-02 §3.1: whoever asks for less sends no more than that from here on.
  const uint32_t least =
      at.open.empty() ? link.limit[of_client ? 1 : 0] : std::max(now, link.limit[of_client ? 1 : 0]);
  uint32_t wanted = std::max(least, dice_.one_of({4096u, 8192u, 16384u}));
  wanted = wanted == now ? wanted + 4096 : wanted;
  Open::Request made{backward, 0, wanted, std::nullopt, false};
  if (of_client && at.open.empty() && dice_.chance(40)) {
    made.invalidations = dice_.chance(50);
    feature("REQXCH of two characteristics");
  }
  made.xid = backward ? link.next_back_xid++ : link.next_xid++;
  (backward ? link.back_outstanding : link.outstanding) += 1;
  line("{}.{}> reqxch xid={} RBSIZ={}{} credit={}", link.name, backward ? "server" : "client", made.xid,
       wanted, made.invalidations ? fmt::format(" REQREMINV={:d}", *made.invalidations) : "", link.requested);
  feature(wanted < now ? "REQXCH for less" : backward ? "REQXCH of the server" : "REQXCH of the client");
  at.open.requests.push_back(made);
}

void Teller::respond(At& at, size_t which) {
  Link& link = at.link;
  Open::Request& request = at.open.requests[which];
  const bool client = request.backward;
  (request.backward ? link.back_outstanding : link.outstanding) -= 1;
  const uint32_t how = link.fixed[client ? 0 : 1] ? 1 : dice_.below(3);
  std::string done = how == 0 ? "0" : "", rejected = how == 1 ? "0" : "";
  // A Call that is open may name a handle: its Reply goes by what was in force then.
  if (request.invalidations && (at.open.rpcs.empty() && dice_.chance(60))) {
    done += " 1";
    take(at, client, "REQREMINV", *request.invalidations ? 1 : 0);
    feature("XCHAR_REQREMINV changed by request");
  } else if (request.invalidations) {
    rejected += " 1";
  }
  line("{}.{}> respxch xid={} done({}) rej({}) pend({}) credit={}", link.name, client ? "client" : "server",
       request.xid, done, rejected, how == 2 ? "0" : "", client ? link.back_grant : link.grant);
  feature(how == 0 ? "RESPXCH done" : how == 1 ? "RESPXCH rejected" : "RESPXCH pending");
  if (how == 2) {
    request.pending = true;
    return;
  }
  if (how == 0) {
    take(at, client, "RBSIZ", request.wanted);
  }
  at.open.requests.erase(at.open.requests.begin() + static_cast<ptrdiff_t>(which));
}

// The end of a pending request: the value that was asked for, or the one there was.
void Teller::settle(At& at, size_t which) {
  Link& link = at.link;
  const Open::Request request = at.open.requests[which];
  at.open.requests.erase(at.open.requests.begin() + static_cast<ptrdiff_t>(which));
  const bool client = request.backward;
  const uint32_t now = link.buffer[client ? 0 : 1].value_or(4096);
  const uint32_t value = dice_.chance(70) ? request.wanted : now;
  if (value > now && dice_.chance(30)) {  // not there yet
    line("{}.{}> updxch xid={} RBSIZ={} pendclr=0 credit={}", link.name, client ? "client" : "server",
         client ? link.next_xid++ : link.next_back_xid++, now + 1024, link.requested);
    feature("UPDXCH on the way");
  }
  line("{}.{}> updxch xid={} RBSIZ={} pendclr=1 credit={}", link.name, client ? "client" : "server",
       client ? link.next_xid++ : link.next_back_xid++, value, link.requested);
  take(at, client, "RBSIZ", value);
  feature("UPDXCH of a pending request");
}

// Without a request, and where it disturbs nobody: xcharext-02 §3.
void Teller::update(At& at) {
  Link& link = at.link;
  const bool client = dice_.chance(60);
  if (!can_use_extension(at) || !link.introduced[client ? 0 : 1] || !at.open.empty()) {
    return;
  }
  const uint32_t now = link.buffer[client ? 0 : 1].value_or(4096);
  std::string name = "RBSIZ";
  uint32_t value = now + 4096;
  if (client && dice_.chance(60)) {
    name = dice_.chance(50) ? "REQREMINV" : "BRS";
    value = dice_.below(name == "BRS" ? 3 : 2);
  } else if (link.fixed[client ? 0 : 1] || now > 60000) {
    return;
  }
  line("{}.{}> updxch xid={} {}={} pendclr=0 credit={}", link.name, client ? "client" : "server",
       client ? link.next_xid++ : link.next_back_xid++, name, value, link.requested);
  take(at, client, name, value);
  feature("UPDXCH without a request");
}

// Of an extension that the server does not know: version-two-02 §4.1.
void Teller::unknown_option(At& at) {
  if (at.link.version != 2 || !can_call(at)) {
    return;
  }
  const uint32_t xid = at.link.next_xid++;
  line("{}.client> option opttype=77 xid={} info=00010203 credit={}", at.link.name, xid, at.link.requested);
  line("{}.server> error v2 xid={} inval_option credit={}", at.link.name, xid, at.link.grant);
  feature("INVAL_OPTION for an unknown opttype");
}

}  // namespace steertag::legal
