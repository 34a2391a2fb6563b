// CallbackWatch: listens to what a client sends for the announcement that it
// takes NFSv4 callbacks on the same connection (RFC 8167 §6 leaves it to the
// upper layer to say so). History tells it of every message and of gaps.
//
// It never says `unannounced` where an announcement may have been missed.
// Nothing is walked on a connection whose setup was not captured, nor once the
// announcement was heard.
#pragma once

#include "flow/message.h"
#include "nfs/call.h"

namespace steertag::flow {

class CallbackWatch {
 public:
  void note(const Message& message);
  void note_gap();
  // Of a connection that began before the capture, only what was heard is certain.
  Callbacks state(const track::Connection& connection) const {
    return state_ == Callbacks::unannounced && !connection.begins_in_capture() ? Callbacks::perhaps : state_;
  }

 private:
  Callbacks state_ = Callbacks::unannounced;
  nfs::CallWalk walk_;
};

}  // namespace steertag::flow
