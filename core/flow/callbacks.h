// CallbackWatch: detects whether a client has announced, by CREATE_SESSION or
// BIND_CONN_TO_SESSION, that it accepts NFSv4 callbacks on this connection (RFC 8167 §6 leaves
// that to the upper layer), and the largest callback sizes that it has set for a session.
// History passes it every message and gap.
//
// Where an announcement may have been missed it answers `perhaps`, never `unannounced`; where
// larger sizes may have been set, it gives none. To save work it parses nothing on a connection
// whose setup was not captured, and after the announcement only what seems to contain one of
// the two operations.
#pragma once

#include "flow/message.h"
#include "flow/standing.h"
#include "nfs/call.h"

namespace steertag::flow {

class CallbackWatch {
 public:
  // `walk` is scratch memory.
  void note(const Message& message, nfs::CallWalk& walk);
  void note_gap();
  // On a connection that began before the capture, an announcement may have been missed.
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
  bool sizes_known_ = true;  // no message that may have set others was missed
};

}  // namespace steertag::flow
