// Parcel: what one thread has to say of a capture, on its way to the thread that writes, form by form
// (Channels in crew.h). It holds about a megabyte: a thread that has more to say waits until that has been
// taken. Two threads share it, one that fills it and one that takes; neither allocates where it waits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "product/records.h"
#include "report/buffer.h"

namespace steertag::host {

class Parcel {
 public:
  static constexpr size_t kMost = 1 << 20;  // bytes, and one more record

  explicit Parcel(size_t channels) {
    for (size_t i = 0; i < channels; ++i) {
      channels_.emplace_back(*this);
    }
  }

  // Whoever fills it.
  product::Records& channel(size_t number) { return channels_[number]; }
  void finish() { set(State::done); }
  void starve() noexcept { set(State::starved); }  // there is no memory for the rest

  // Whoever takes.
  enum class State : uint8_t { filling, full, done, starved };
  // Waits until there is a reason to take.
  State wait() const {
    State now = state_;
    for (; now == State::filling; now = state_) {
      state_.wait(State::filling);
    }
    return now;
  }
  // Hands what there is to into(channel, text). Then a full one is filled again.
  template <typename Into>
  void take(const Into& into) {
    for (size_t i = 0; i < channels_.size(); ++i) {
      into(i, report::view(channels_[i].buffer()));
      channels_[i].buffer().clear();
    }
    if (state_ == State::full) {
      set(State::filling);
    } else if (state_ == State::done) {  // it stays until all captures are done, its memory does not
      for (Channel& channel : channels_) {
        channel.buffer() = report::Buffer();
      }
    }
  }
  // Nobody takes any more: what is said from now on is lost.
  void abandon() {
    abandoned_ = true;
    State full = State::full;
    state_.compare_exchange_strong(full, State::filling);
    state_.notify_all();
  }

 private:
  class Channel final : public product::Records {
   public:
    explicit Channel(Parcel& parcel) : parcel_(parcel) {}
    report::Buffer& buffer() override { return buffer_; }
    void record_done() override {
      if (buffer_.size() > kMost) {
        parcel_.make_room();
      }
    }

   private:
    Parcel& parcel_;
    report::Buffer buffer_;
  };

  void make_room() {
    if (!abandoned_) {
      set(State::full);
      while (state_ == State::full && !abandoned_) {
        state_.wait(State::full);
      }
    }
    if (abandoned_) {
      for (Channel& channel : channels_) {
        channel.buffer().clear();
      }
    }
  }
  void set(State state) noexcept {
    state_ = state;
    state_.notify_all();
  }

  std::deque<Channel> channels_;
  std::atomic<State> state_ = State::filling;
  std::atomic<bool> abandoned_ = false;
};

}  // namespace steertag::host
