#include "rpcrdma/config.h"

#include "wire/reader.h"

namespace steertag::rpcrdma::config {
namespace {

// RPCSEC_GSS integrity puts two words in front: the length of the rest, and a number (RFC 2203 §5.3.2.2).
constexpr uint32_t kIntegrityFront = 8;
constexpr uint32_t kStructure = 12;  // bytes of either structure

// A Reply does not say what its Call was protected by, but the length in front of it does: that of the
// structure and the number. Encrypted data is longer.
bool integrity(const RpcHeader& header, Bytes body) {
  if (header.call()) {
    const auto gss = gss_credential(header.credential);
    return gss && wrapped(header.credential) && gss->service == GssService::integrity;
  }
  return header.verifier.flavor == Flavor::gss && body.size() >= 4 &&
         wire::big_endian<uint32_t>(body.data()) == kStructure + 4;
}

// What a flavor that is not known does to the body is not known either.
bool hidden(const RpcHeader& header, Bytes body) {
  if (text(header.call() ? header.credential.flavor : header.verifier.flavor).empty()) {
    return true;
  }
  if (header.call()) {
    const auto gss = gss_credential(header.credential);
    const bool shown = gss && gss->proc == GssProc::data &&
                       (gss->service == GssService::none || gss->service == GssService::integrity);
    return header.credential.flavor == Flavor::gss && !shown;
  }
  return header.verifier.flavor == Flavor::gss && body.size() > kStructure && !integrity(header, body);
}

template <typename Structure>
std::optional<Structure> structure(Bytes body) {
  Structure read;
  return wire::read(body, read) ? std::nullopt : std::optional(read);
}

}  // namespace

std::optional<Found> find(const RpcHeader& header, Bytes message, uint32_t header_length) {
  const Bytes body = slice(message, header_length);
  if (hidden(header, body)) {
    return std::nullopt;
  }
  const uint32_t front = integrity(header, body) ? kIntegrityFront : 0;
  Found found;
  found.at = header_length + front;
  if (header.call()) {
    found.asked = structure<Request>(slice(body, front));
  } else if (header.succeeded()) {
    found.settled = structure<Reply>(slice(body, front));
  }
  return found.asked || found.settled ? std::optional(found) : std::nullopt;
}

void outline(const Found& found, Bytes message, uint32_t front, std::vector<wire::Node>& into) {
  const size_t first = into.size();
  const Bytes body = slice(message, found.at);
  if (found.asked) {
    Request request;
    wire::outline(body, body.size(), request, into);
  } else {
    Reply reply;
    wire::outline(body, body.size(), reply, into);
  }
  for (size_t i = first; i < into.size(); ++i) {
    into[i].at.offset += front + found.at;
  }
}

}  // namespace steertag::rpcrdma::config
