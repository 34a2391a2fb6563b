#include "flow/versions.h"

namespace steertag::flow {

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

}  // namespace steertag::flow
