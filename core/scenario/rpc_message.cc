#include "scenario/rpc_message.h"

#include <fmt/core.h>

#include <algorithm>

#include "rpcrdma/rpc.h"
#include "scenario/surgery.h"
#include "scenario/xdr.h"
#include "wire/writer.h"

namespace steertag::scenario {
namespace {

using rpcrdma::RpcHeader;

constexpr uint32_t kMaxMessage = 16 * 1024 * 1024;  // bytes of one RPC message

rpcrdma::Auth credential(const RpcSpec& spec) {
  rpcrdma::Auth auth;
  auth.flavor = spec.flavor;
  if (spec.flavor == rpcrdma::Flavor::gss) {
    rpcrdma::GssCredential gss;
    gss.version = 1;
    gss.seq = 1;
    gss.service = spec.service == rpcrdma::GssService{} ? rpcrdma::GssService::none : spec.service;
    const auto handle = pattern(8, 5);
    gss.handle = handle;
    wire::write(auth.body, gss);
  } else if (spec.flavor == rpcrdma::Flavor::sys) {  // stamp, machine name, uid, gid, gids
    RpcMessage body;
    Xdr xdr(body);
    xdr.u32(1);
    xdr.string("client");
    xdr.words({1000, 1000, 0});
    auth.body = std::move(body.stream);
  }
  return auth;
}

rpcrdma::Auth verifier(const RpcSpec& spec) {
  rpcrdma::Auth auth;
  if (spec.flavor == rpcrdma::Flavor::gss) {
    auth.flavor = rpcrdma::Flavor::gss;
    auth.body = pattern(28, 6);
  }
  return auth;
}

// RPCSEC_GSS, RFC 2203 §5.3.2: what follows the header is wrapped. Privacy
// hides the words that integrity shows; lengths and places stay as they are.
void wrap(const RpcSpec& spec, size_t header, RpcMessage& message) {
  using rpcrdma::GssService;
  if (spec.flavor != rpcrdma::Flavor::gss || spec.service < GssService::integrity) {
    return;
  }
  message.opaques.clear();  // they are not visible
  const size_t body = message.stream.size() - header;
  std::vector<uint8_t> front;
  wire::Writer writer(front);
  writer("length", static_cast<uint32_t>(body + 4));
  writer("seq", uint32_t{1});
  message.stream.insert(message.stream.begin() + static_cast<ptrdiff_t>(header), front.begin(), front.end());
  for (BulkItem& item : message.items) {
    item.position += static_cast<uint32_t>(front.size());
  }
  if (spec.service == GssService::integrity) {
    Xdr(message).opaque(pattern(28, 8));
    message.opaques.clear();
    return;
  }
  for (size_t i = header + 4; i < message.stream.size(); ++i) {
    message.stream[i] = static_cast<uint8_t>(message.stream[i] ^ (0xA5 + i));
  }
}

void patch(const RpcSpec& spec, RpcMessage& message, Problem& problem) {
  if (!spec.fields.empty()) {
    const std::vector<uint8_t> original = message.stream;
    std::vector<wire::Node> nodes;
    RpcHeader header;
    wire::outline(original, original.size(), header, nodes);
    for (const FieldPatch& field : spec.fields) {
      if (!set_field(nodes, field, 0, message.stream)) {
        problem.say(fmt::format("The RPC header has no field \"{}\" here; it has {}.", field.name,
                                field_names(nodes)));
      }
    }
  }
  if (spec.payload) {
    message.stream = *spec.payload;
    message.items.clear();
    message.opaques.clear();
  }
  if (spec.size) {
    message.stream.resize(*spec.size);
    const auto beyond = [&](const BulkItem& item) {
      return uint64_t{item.position} + item.length > message.stream.size();
    };
    std::erase_if(message.items, beyond);
    std::erase_if(message.opaques, beyond);
  }
}

bool fits(const RpcSpec& spec, const BulkSizes& arguments, const BulkSizes& results, size_t operations,
          Problem& problem) {
  uint64_t total =
      uint64_t{arguments.rest} * operations + uint64_t{results.rest} * operations + spec.size.value_or(0);
  for (const BulkSizes* sizes : {&arguments, &results}) {
    for (const uint32_t size : sizes->listed) {
      total += size;
    }
  }
  if (total > kMaxMessage) {
    problem.say(fmt::format("An RPC message holds at most {} bytes here; make the chunks or data= smaller.",
                            kMaxMessage));
    return false;
  }
  return true;
}

}  // namespace

RpcMessage build_call(const RpcSpec& spec, const Procedure& procedure, uint32_t xid,
                      const BulkSizes& arguments, const BulkSizes& results, Problem& problem) {
  RpcMessage message;
  if (!fits(spec, arguments, {}, procedure.operations.size() + 1, problem)) {
    return message;
  }
  RpcHeader header;
  header.xid = xid;
  header.rpcvers = 2;
  header.program = procedure.program;
  header.version = procedure.version;
  header.procedure = procedure.procedure;
  header.credential = credential(spec);
  header.verifier = verifier(spec);
  rpcrdma::encode(header, message.stream);

  const size_t length = message.stream.size();
  Xdr xdr(message);
  if (procedure.family == Family::nfs3) {
    nfs3::put_arguments(xdr, procedure.procedure, arguments, results);
  } else if (procedure.family == Family::acl) {
    acl::put_arguments(xdr, procedure.procedure, arguments);
  } else if (procedure.family == Family::config) {
    wire::write(message.stream, spec.asked);
  } else if (procedure.family != Family::other) {
    nfs4::put_arguments(xdr, procedure, arguments, results);
  }
  wrap(spec, length, message);
  patch(spec, message, problem);
  return message;
}

RpcMessage build_reply(const RpcSpec& spec, const RpcSpec& call, const Procedure& procedure, uint32_t xid,
                       const BulkSizes& results, Problem& problem) {
  RpcMessage message;
  if (!fits(spec, {}, results, procedure.operations.size() + 1, problem)) {
    return message;
  }
  RpcHeader header;
  header.xid = xid;
  header.type = rpcrdma::MsgType::reply;
  if (spec.auth_stat) {
    header.reply_stat = rpcrdma::ReplyStat::denied;
    header.reject_stat = rpcrdma::RejectStat::auth_error;
    header.auth_stat = *spec.auth_stat;
  } else {
    header.accept_stat = static_cast<rpcrdma::AcceptStat>(spec.accept_stat);
    header.verifier = verifier(call);
    header.low = header.high = procedure.version;
  }
  rpcrdma::encode(header, message.stream);

  const size_t length = message.stream.size();
  if (header.succeeded()) {
    Xdr xdr(message);
    if (procedure.family == Family::nfs3) {
      nfs3::put_results(xdr, procedure.procedure, spec.status, results);
    } else if (procedure.family == Family::acl) {
      acl::put_results(xdr, procedure.procedure, spec.status, results);
    } else if (procedure.family == Family::config) {
      wire::write(message.stream, spec.settled);
    } else if (procedure.family != Family::other) {
      nfs4::put_results(xdr, procedure, spec.status, results);
    }
    wrap(call, length, message);
  }
  patch(spec, message, problem);
  return message;
}

std::vector<uint8_t> reduce(const RpcMessage& message, const std::vector<bool>& travels) {
  std::vector<uint8_t> inlined;
  size_t from = 0;
  for (size_t i = 0; i < message.items.size() && i < travels.size(); ++i) {
    if (travels[i]) {
      const BulkItem& item = message.items[i];
      inlined.insert(inlined.end(), message.stream.begin() + static_cast<ptrdiff_t>(from),
                     message.stream.begin() + item.position);
      from = std::min<size_t>(message.stream.size(), item.position + (uint64_t{item.length} + 3) / 4 * 4);
    }
  }
  inlined.insert(inlined.end(), message.stream.begin() + static_cast<ptrdiff_t>(from), message.stream.end());
  return inlined;
}

std::vector<uint8_t> insert_pads(const RpcMessage& message, const rpcrdma::v1::Padding& padding,
                                 size_t front) {
  constexpr uint32_t kLargest = 65536;  // what a buffer may be aligned to
  std::vector<uint8_t> padded;
  size_t from = 0;
  const auto copy_to = [&](size_t to) {
    to = std::max(from, std::min(to, message.stream.size()));
    padded.insert(padded.end(), message.stream.begin() + static_cast<ptrdiff_t>(from),
                  message.stream.begin() + static_cast<ptrdiff_t>(to));
    from = to;
  };
  for (const BulkItem& opaque : message.opaques) {
    if (opaque.length != 0 && opaque.length >= padding.thresh && padding.align > 1 &&
        padding.align <= kLargest) {
      copy_to(opaque.position);
      const size_t past = (front + padded.size()) % padding.align;
      padded.resize(padded.size() + (padding.align - past) % padding.align);
    }
  }
  copy_to(message.stream.size());
  return padded;
}

std::vector<uint8_t> pattern(size_t length, uint32_t seed) {
  std::vector<uint8_t> bytes(length);
  for (size_t i = 0; i < length; ++i) {
    bytes[i] = static_cast<uint8_t>(i * 3 + (i >> 8) + seed);
  }
  return bytes;
}

}  // namespace steertag::scenario
