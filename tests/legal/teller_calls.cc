// Calls: what they are about, and which memory they advertise for it.
#include <algorithm>

#include "teller.h"

namespace steertag::legal {
namespace {

// What headers, credentials and the rest of the message take up at most.
constexpr uint32_t kOverhead = 470;

struct Body {
  std::string_view operations;
  uint32_t first, last;  // minor versions
  bool sequence = true;
};
constexpr Body kBodies[] = {
    {"PUTFH GETATTR", 0, 2},
    {"PUTROOTFH GETFH GETATTR", 0, 2},
    {"PUTFH LOOKUP GETFH GETATTR", 0, 2},
    {"PUTFH LOOKUPP GETFH", 0, 2},
    {"PUTFH ACCESS GETATTR", 0, 2},
    {"PUTFH OPEN GETFH ACCESS GETATTR", 0, 2},
    {"PUTFH OPEN GETFH", 0, 2},
    {"PUTFH CLOSE", 0, 2},
    {"PUTFH COMMIT", 0, 2},
    {"PUTFH SETATTR GETATTR", 0, 2},
    {"PUTFH REMOVE", 0, 2},
    {"PUTFH SAVEFH PUTFH RENAME", 0, 2},
    {"PUTFH SAVEFH PUTFH LINK RESTOREFH GETATTR", 0, 2},
    {"PUTFH LOCK", 0, 2},
    {"PUTFH LOCKU", 0, 2},
    {"PUTFH DELEGRETURN", 0, 2},
    {"PUTFH SECINFO", 0, 2},
    {"SETCLIENTID", 0, 0},
    {"SETCLIENTID_CONFIRM", 0, 0},
    {"RENEW", 0, 0},
    {"TEST_STATEID", 1, 2},
    {"RECLAIM_COMPLETE", 1, 2},
    {"EXCHANGE_ID", 1, 2, false},
    {"CREATE_SESSION", 1, 2, false},
    {"CREATE_SESSION", 1, 2, false},
    {"CREATE_SESSION", 1, 2, false},
    {"BIND_CONN_TO_SESSION", 1, 2, false},
    {"DESTROY_SESSION", 1, 2, false},
    {"DESTROY_CLIENTID", 1, 2, false},
    {"PUTFH ALLOCATE", 2, 2},
    {"PUTFH DEALLOCATE", 2, 2},
    {"PUTFH SEEK", 2, 2},
    {"PUTFH SAVEFH PUTFH COPY", 2, 2},
    {"PUTFH SAVEFH PUTFH CLONE", 2, 2},
    {"PUTFH REMOVEXATTR", 2, 2},
};
constexpr std::string_view kThree[] = {"NULL",   "GETATTR", "SETATTR",  "LOOKUP", "ACCESS", "CREATE",
                                       "MKDIR",  "MKNOD",   "REMOVE",   "RMDIR",  "RENAME", "LINK",
                                       "FSSTAT", "FSINFO",  "PATHCONF", "COMMIT"};

}  // namespace

bool Teller::can_call(const At& at) const {
  // RFC 5666 §3.8: an RDMA_DONE takes a credit, too.
  const auto used = at.link.outstanding + at.open.dones.size() + at.open.rpcs.size();
  return at.link.agreed && used + 1 < at.link.grant && at.open.rpcs.size() < 7;
}

// Bytes of a Send. Beyond what the ends have agreed on the receiver may have conveyed more (xcharext-02
// §3.1), unless the sender has asked for less.
uint32_t Teller::limit(const At& at, bool to_server) const {
  const uint32_t agreed = at.link.limit[to_server ? 0 : 1];
  uint32_t conveyed = can_use_extension(at) ? at.link.buffer[to_server ? 1 : 0].value_or(0) : 0;
  for (const Open::Request& request : at.open.requests) {
    conveyed = request.backward != to_server ? std::min(conveyed, request.wanted) : conveyed;
  }
  return std::max(agreed, conveyed);
}

Rpc Teller::begin_rpc(At& at, bool backward) {
  Rpc rpc;
  rpc.link = at.link.name;
  rpc.backward = backward;
  rpc.version = at.link.version;
  rpc.xid = backward ? at.link.next_back_xid++ : at.link.next_xid++;
  rpc.room = at.link.limit[backward ? 0 : 1];
  return rpc;
}

void Teller::three(Rpc& rpc, std::string_view procedure, uint32_t data) {
  const bool acl = procedure.ends_with("ACL");
  rpc.procedure = fmt::format("{} {}", acl ? "nfsacl" : "nfs3", procedure) +
                  (data != 0 ? fmt::format(" data={}", data) : "");
  rpc.data = data;
  feature(fmt::format("{} {}", acl ? "NFSACL" : "NFSv3", procedure));
}

void Teller::compound(Rpc& rpc, std::string_view operations, uint32_t data) {
  const bool sequence = minor_ != 0 && operations.starts_with("PUTFH");
  rpc.procedure = fmt::format("nfs4 minor={} ops({}{})", minor_, sequence ? "SEQUENCE " : "", operations) +
                  (data != 0 ? fmt::format(" data={}", data) : "");
  rpc.data = data;
  for (std::string_view left = operations; !left.empty();) {
    const std::string_view name = left.substr(0, left.find(' '));
    feature(fmt::format("NFSv4.{} {}", minor_, name));
    left.remove_prefix(std::min(left.size(), name.size() + 1));
  }
}

Chunk Teller::chunk(const Rpc& rpc, char kind, uint32_t total) {
  Chunk made;
  made.name = fmt::format("@{}{}{}", rpc.link, kind, rpc.backward ? 5000 + rpc.xid : rpc.xid);
  const uint32_t most = std::min(4u, total / 32);
  const uint32_t count = std::max(1u, dice_.from_to(0, most));
  for (uint32_t i = 0; i + 1 < count; ++i) {
    const uint32_t left = total - made.total();
    const uint32_t length = dice_.from_to(16, left - 16 * (count - i - 1)) & (kind == 'r' ? ~0u : ~3u);
    made.lengths.push_back(length);
  }
  made.lengths.push_back(total - made.total());
  const std::string_view name = kind == 'r' || kind == 'q'   ? "Read chunk"
                                : kind == 'w' || kind == 'v' ? "Write chunk"
                                : kind == 'l'                ? "Reply chunk"
                                                             : "Read chunk of a Reply";
  feature(count > 1 ? fmt::format("{} of several segments", name) : std::string(name));
  return made;
}

Chunk Teller::whole(const Rpc& rpc) {
  Chunk made;
  made.name = fmt::format("@{}p{}", rpc.link, rpc.backward ? 5000 + rpc.xid : rpc.xid);
  feature("Position-Zero Read chunk");
  return made;
}

void Teller::small(const At& at, Rpc& rpc) {
  if (dice_.chance(2)) {
    rpc.procedure = fmt::format("rpc({})", dice_.one_of({"100005 3 0", "100021 4 0", "400122 1 7"}));
    feature("another program");
    return;
  }
  if (three_) {
    return dice_.chance(6) ? three(rpc, "GETACL", 24) : three(rpc, kThree[dice_.below(std::size(kThree))], 0);
  }
  const Body* body = nullptr;
  do {
    body = &kBodies[dice_.below(std::size(kBodies))];
  } while (minor_ < body->first || minor_ > body->last ||
           (body->operations == "DESTROY_SESSION" && at.link.back_outstanding != 0));
  compound(rpc, body->operations, 0);
  if (body->sequence && minor_ != 0 && !body->operations.starts_with("PUTFH")) {
    rpc.procedure = fmt::format("nfs4 minor={} ops(SEQUENCE {})", minor_, body->operations);
  }
}

void Teller::read(Rpc& rpc) {
  const uint32_t inlined = rpc.room - std::min(rpc.room, kOverhead);
  const auto ask = [&](uint32_t data) {
    three_ ? three(rpc, "READ", data)
           : compound(rpc, dice_.one_of({"PUTFH READ", "PUTFH READ GETATTR"}), data);
  };
  const uint32_t variant = rpc.protected_by_gss ? 4 * dice_.below(2) : dice_.below(8);
  switch (variant) {
    case 0:
      return ask(dice_.from_to(1, inlined));
    case 4:  // all of the Reply goes where the Reply chunk is
      ask(dice_.from_to(1, 7000));
      rpc.reply = chunk(rpc, 'l', (rpc.data + kOverhead + 64) & ~3u);
      return;
    case 5:  // a chunk without segments asks for the data inline
      ask(dice_.from_to(1, inlined));
      rpc.writes.push_back({});
      feature("empty Write chunk");
      return;
    case 6:
      if (!three_) {
        compound(rpc, "PUTFH READ READ", dice_.from_to(16, inlined));
        rpc.writes = {chunk(rpc, 'w', rpc.data + 3), chunk(rpc, 'v', rpc.data + 64)};
        if (dice_.chance(40)) {
          rpc.writes[0] = {};
          feature("empty Write chunk");
        }
        session_.profiles.erase(
            rules::Profile::strict);  // RFC 8267 §6.4.2: the client knows the server's limits
        feature("two Write chunks");
        return;
      }
      [[fallthrough]];
    default:
      ask(dice_.from_to(1, 12000));
      rpc.writes.push_back(chunk(rpc, 'w', std::max(16u, rpc.data + dice_.one_of({0u, 0u, 1u, 100u}))));
      if (dice_.chance(15)) {
        rpc.reply = chunk(rpc, 'l', 2048);
        feature("Write chunk and Reply chunk");
      }
  }
}

void Teller::write(const At& at, Rpc& rpc) {
  const uint32_t inlined = limit(at, true) - std::min(limit(at, true), kOverhead);
  const auto ask = [&](uint32_t data) {
    three_ ? three(rpc, "WRITE", data)
           : compound(rpc, dice_.one_of({"PUTFH WRITE", "PUTFH WRITE GETATTR"}), data);
  };
  const uint32_t variant = rpc.protected_by_gss ? 4 * dice_.below(2) : dice_.below(8);
  switch (variant) {
    case 0:
      ask(dice_.from_to(1, inlined));
      if (rpc.data > at.link.limit[0]) {
        feature("Send as long as XCHAR_RBSIZ allows");
      }
      return;
    case 4:
      ask(dice_.from_to(1, 7000));
      rpc.whole = whole(rpc);
      return;
    case 5:
      ask(dice_.from_to(1, 7000));
      rpc.whole = whole(rpc);
      rpc.reads.push_back(chunk(rpc, 'r', rpc.data));
      feature("Position-Zero Read chunk and another");
      return;
    case 6:
      if (!three_) {
        compound(rpc, "PUTFH WRITE WRITE", dice_.from_to(64, 3000));
        rpc.reads = {chunk(rpc, 'r', rpc.data), chunk(rpc, 'q', rpc.data)};
        session_.profiles.erase(rules::Profile::strict);
        feature("two Read chunks");
        return;
      }
      [[fallthrough]];
    default:
      ask(dice_.from_to(1, 12000));
      rpc.reads.push_back(chunk(rpc, 'r', rpc.data));
  }
}

void Teller::path(const At& at, Rpc& rpc) {
  const bool reading = dice_.chance(50);
  const uint32_t limit = reading ? rpc.room : at.link.limit[0];
  const uint32_t length = dice_.from_to(1, 900);
  three_ ? three(rpc, reading ? "READLINK" : "SYMLINK", length)
         : compound(rpc, reading ? "PUTFH READLINK" : "PUTFH CREATE GETFH GETATTR", length);
  const bool fits = length + kOverhead <= limit;
  if (reading && !rpc.protected_by_gss && dice_.chance(50)) {
    rpc.writes.push_back(chunk(rpc, 'w', 1024));
  } else if (reading && !fits) {
    rpc.reply = chunk(rpc, 'l', 2048);
  } else if (!reading && !rpc.protected_by_gss && dice_.chance(50)) {
    rpc.reads.push_back(chunk(rpc, 'r', length));
  } else if (!reading && !fits) {
    rpc.whole = whole(rpc);
  }
}

void Teller::listing(const At& at, Rpc& rpc) {
  const uint32_t inlined = rpc.room - std::min(rpc.room, kOverhead);
  const bool fits = dice_.chance(30);
  const uint32_t data = fits ? dice_.from_to(48, inlined) : dice_.from_to(200, 8000);
  if (three_) {
    three(rpc, dice_.one_of({"READDIR", "READDIRPLUS", "GETACL"}), data);
  } else {
    compound(rpc,
             minor_ == 2
                 ? dice_.one_of({"PUTFH READDIR", "PUTFH READ_PLUS", "PUTFH GETXATTR", "PUTFH LISTXATTRS"})
                 : "PUTFH READDIR",
             data);
  }
  if (!fits || rpc.procedure.find("LISTXATTRS") != std::string::npos) {
    rpc.reply = chunk(rpc, 'l', (data + kOverhead + 256) & ~3u);
  }
  if (!fits && at.link.limit[0] > 1024 && dice_.chance(15)) {
    rpc.whole = whole(rpc);  // nothing forbids it
    feature("Long Call with a Long Reply");
  }
}

// An ACL, or an extended attribute: it is never reduced.
void Teller::attribute(const At& at, Rpc& rpc) {
  const uint32_t inlined = at.link.limit[0] - std::min(at.link.limit[0], kOverhead);
  const bool fits = dice_.chance(40);
  const uint32_t data = fits ? dice_.from_to(12, inlined) : dice_.from_to(200, 6000);
  three_ ? three(rpc, "SETACL", data) : compound(rpc, "PUTFH SETXATTR", data);
  if (!fits) {
    rpc.whole = whole(rpc);
  }
}

}  // namespace steertag::legal
