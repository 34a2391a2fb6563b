#include "history/versions.h"

namespace steertag::history {
namespace {

// Whether the sender of `message` had acknowledged something before, at `heard`.
bool knew(const Message& message, const std::optional<Stamp>& heard) {
  return heard && captured_before(*heard, message.frames.front());
}

}  // namespace

void Versions::note_agreement(const Message& reply) {
  if (!agreed_) {
    agreed_ = Established<uint32_t>{reply.header->version, reply.at};
    agreed_by_ = reply.from;
  }
}

void Versions::note_refusal(Side requester, VersionRange range, const Stamp& at) {
  refused_[rdma::index(requester)] = {Established<VersionRange>{range, at}, {}};
}

void Versions::note_acknowledged(Side by, const Stamp& at) {
  if (agreed_ && !agreed_heard_ && by != agreed_by_) {
    agreed_heard_ = at;
  }
  Refused& refused = refused_[rdma::index(by)];
  if (refused.range && !refused.heard) {
    refused.heard = at;
  }
}

bool Versions::agreed_known(const Message& message) const {
  return agreed_ && (message.from == agreed_by_ || knew(message, agreed_heard_));
}

bool Versions::refused_known(const Message& message, Side requester) const {
  return message.from == requester && knew(message, refused_[rdma::index(requester)].heard);
}

std::optional<VersionRange> refused_versions(const Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (message.decoded.stop) {
    return std::nullopt;
  }
  if (h.error_v1 && h.error_v1->code == rpcrdma::v1::ErrorCode::vers) {
    return VersionRange{h.error_v1->vers_low, h.error_v1->vers_high};
  }
  if (h.error_v2 && h.error_v2->code == rpcrdma::v2::ErrorCode::vers) {
    return VersionRange{h.error_v2->vers_low, h.error_v2->vers_high};
  }
  return std::nullopt;
}

}  // namespace steertag::history
