// CallbackWatch: listens to what a client sends for the announcement that it
// takes NFSv4 callbacks on the same connection (RFC 8167 §6 leaves it to the
// upper layer to say so). History passes it every message and gap.
//
// It never says `unannounced` where an announcement may have been missed, and no
// sizes where larger ones may have been agreed on. Nothing is walked on a
// connection whose setup was not captured, nor, once the announcement was heard,
// what holds no CREATE_SESSION.
#pragma once

#include "flow/message.h"
#include "flow/standing.h"
#include "nfs/call.h"

namespace steertag::flow {

class CallbackWatch {
 public:
  // `walk` is refilled.
  void note(const Message& message, nfs::CallWalk& walk);
  void note_gap();
  // Of a connection that began before the capture, only what was heard is certain.
  Callbacks state(const track::Connection& connection) const {
    return state_ == Callbacks::unannounced && !connection.begins_in_capture() ? Callbacks::perhaps : state_;
  }
  // The largest that the client has set for a session of this connection (RFC 8881 §18.36.3).
  std::optional<nfs::BackChannel> sizes(const track::Connection& connection) const {
    return sizes_known_ && connection.begins_in_capture() ? sizes_ : std::nullopt;
  }

 private:
  bool worth_a_walk(Bytes payload) const;
  void note_session(const nfs::CallWalk& walk);

  Callbacks state_ = Callbacks::unannounced;
  std::optional<nfs::BackChannel> sizes_;
  bool sizes_known_ = true;  // none were missed
};

}  // namespace steertag::flow
