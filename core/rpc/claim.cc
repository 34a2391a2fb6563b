#include "rpc/claim.h"

#include <algorithm>

namespace steertag::rpc {

void Claim::trust(Trust trust) {
  trust_ = std::max(trust_, trust);
}

Claim::State Claim::hear(rpcrdma::Likeness likeness) {
  if (state_ != State::open) {
    return state_;
  }
  if (trust_ == Trust::private_data) {
    return state_ = State::claimed;
  }
  if (likeness == rpcrdma::Likeness::yes) {
    ++score_;
    if (score_ >= (trust_ == Trust::port ? 1u : 2u)) {
      state_ = State::claimed;
    }
  } else if (likeness == rpcrdma::Likeness::no) {
    score_ = 0;
    waiting_.clear();
    waiting_bytes_ = 0;
    recharge();
    if (++misfits_ >= kMaxMisfits) {
      state_ = State::refused;
      take_incidents();
    }
  }
  return state_;
}

void Claim::wait(const Send& send, Direction direction, bool guessed) {
  while (!waiting_.empty() &&
         (waiting_.size() >= kMaxWaiting || waiting_bytes_ + send.bytes.size() > kMaxBytes)) {
    waiting_bytes_ -= waiting_.front().bytes.size();
    waiting_.erase(waiting_.begin());
  }
  Waiting& copy = waiting_.emplace_back();
  copy.number = waited_++;
  copy.send = send;
  copy.direction = direction;
  copy.guessed = guessed;
  copy.bytes.assign(send.bytes.begin(), send.bytes.end());
  copy.frames.assign(send.frames.begin(), send.frames.end());
  waiting_bytes_ += copy.bytes.size();
  recharge();
}

void Claim::wait(const Incident& incident) {
  if (state_ == State::open && incidents_.size() < kMaxIncidents) {
    incidents_.push_back({waited_, incident});
    recharge();
  }
}

void Claim::recharge() {
  account_.set(waiting_bytes_ + waiting_.size() * sizeof(Waiting) +
               incidents_.capacity() * sizeof(WaitingIncident));
}

std::vector<Claim::Waiting> Claim::take_waiting() {
  std::vector<Waiting> taken = std::move(waiting_);
  waiting_.clear();
  waiting_bytes_ = 0;
  recharge();
  for (Waiting& w : taken) {
    w.send.bytes = w.bytes;
    w.send.frames = w.frames;
  }
  return taken;
}

}  // namespace steertag::rpc
