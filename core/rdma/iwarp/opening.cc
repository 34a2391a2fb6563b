#include "rdma/iwarp/opening.h"

#include <algorithm>

#include "wire/reader.h"

namespace steertag::rdma::iwarp {
namespace {

constexpr size_t kMostWrong = 4;  // bytes of a key that is still taken for one

// How many bytes differ from those that a key begins with.
size_t wrong_bytes(Bytes begin, const std::array<uint8_t, 16>& key) {
  size_t wrong = 0;
  for (size_t i = 0; i < std::min(begin.size(), key.size()); ++i) {
    wrong += begin[i] != key[i] ? 1 : 0;
  }
  return wrong;
}

}  // namespace

bool opens_like_request(Bytes payload) {
  return payload.size() >= kRequestKey.size() &&
         std::equal(kRequestKey.begin(), kRequestKey.end(), payload.begin());
}

bool opens_like_mpa(Bytes payload) {
  return payload.size() >= kReplyKey.size() && payload[0] == kReplyKey[0] &&
         (opens_like_request(payload) || std::equal(kReplyKey.begin(), kReplyKey.end(), payload.begin()));
}

uint32_t Opening::add(const link::StreamBytes& bytes) {
  if (have_ == 0) {
    begin_ = bytes.offset;
  }
  uint32_t used = 0;
  while (state_ == State::incomplete && used < bytes.length) {
    const uint32_t taken = std::min(wanted_ - have_, bytes.length - used);
    const Bytes part = slice(bytes.captured, used, taken);
    if (!cut_) {
      // A peer that announces more private data than there may be is followed
      // to its end, but not remembered.
      const size_t room = SetupFrame::kSize + SetupFrame::kMaxPrivateData - bytes_.size();
      const Bytes kept = slice(part, 0, room);
      bytes_.insert(bytes_.end(), kept.begin(), kept.end());
      cut_ = kept.size() < taken;
    }
    have_ += taken;
    used += taken;
    judge();
  }
  return used;
}

void Opening::judge() {
  const bool header_cut = cut_ && bytes_.size() < SetupFrame::kSize;
  if (header_cut || std::min(wrong_bytes(bytes_, kRequestKey), wrong_bytes(bytes_, kReplyKey)) > kMostWrong) {
    state_ = State::refused;
    return;
  }
  if (have_ == SetupFrame::kSize) {
    wire::read(bytes_, frame_);
    wanted_ = SetupFrame::kSize + frame_.pd_length;
  }
  if (have_ == wanted_ && have_ >= SetupFrame::kSize) {
    state_ = State::complete;
  }
}

bool Opening::like_request() const {
  return wrong_bytes(frame_.key, kRequestKey) <= wrong_bytes(frame_.key, kReplyKey);
}

SetupHalf Opening::setup() const {
  SetupHalf setup;
  setup.seen = true;
  setup.private_data_whole = !cut_;
  setup.private_data = slice(bytes_, SetupFrame::kSize);
  if (frame_.enhanced() && frame_.pd_length >= EnhancedWord::kSize) {
    EnhancedWord word;
    if (!wire::read(setup.private_data, word)) {
      if (word.ird() != EnhancedWord::kNotNegotiated) {
        setup.responder_resources = word.ird();
      }
      if (word.ord() != EnhancedWord::kNotNegotiated) {
        setup.initiator_depth = word.ord();
      }
    }
    setup.private_data = slice(setup.private_data, EnhancedWord::kSize);
  }
  return setup;
}

void Opening::release() {
  std::vector<uint8_t>().swap(bytes_);
}

}  // namespace steertag::rdma::iwarp
