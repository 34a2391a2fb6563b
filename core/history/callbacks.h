// CallbackWatch: detects whether an NFSv4 server may send callbacks on this connection, and the largest sizes
// that the client has set for them. RFC 8167 §6 leaves it to the upper layer: a client asks for a back
// channel by CREATE_SESSION or BIND_CONN_TO_SESSION, the server's Reply grants it or not, and DESTROY_SESSION
// ends it (RFC 8881 §18.36.3, §18.34.3, §18.37.3). History passes it every message and gap.
//
// A client that has asked is ready for callbacks, so they are `announced` until the answer. Where an
// announcement or an answer may have been missed it says `perhaps`, never `unannounced`; where larger sizes
// may have been set, it gives none. To save work it parses nothing on a connection whose setup was not
// captured, and after the announcement only what seems to contain one of these operations.
#pragma once

#include <cstddef>
#include <vector>

#include "flow/message.h"
#include "nfs/call.h"
#include "nfs/reply.h"

namespace steertag::history {

class CallbackWatch {
 public:
  static constexpr size_t kMaxKept = 64;  // sessions, and Calls without an answer: the oldest gives way

  // `walk` is scratch memory.
  void note(const Message& message, nfs::CallWalk& walk);
  void note_gap();
  BackChannelStanding standing(const track::Connection& connection) const {
    return {state(connection), none_, sizes(connection)};
  }
  size_t bytes() const { return asked_.capacity() * sizeof(Asked) + bound_.capacity() * sizeof(bound_[0]); }

 private:
  // A Call of the client whose answer decides something.
  struct Asked {
    uint32_t xid = 0;
    bool back = false;       // it asks for a back channel
    bool only_ends = false;  // all that it says of sessions is that this one is to be destroyed:
    std::optional<uint64_t> ended = {};
  };

  bool announced() const;
  // On a connection that began before the capture, an announcement may have been missed.
  Callbacks state(const track::Connection& connection) const;
  // The largest that the client has set for a session of this connection (RFC 8881 §18.36.3).
  std::optional<nfs::BackChannel> sizes(const track::Connection& connection) const {
    return sizes_known_ && connection.begins_in_capture() ? sizes_ : std::nullopt;
  }
  bool names_bound(Bytes session) const;
  bool worth_a_walk(Bytes payload) const;
  void note_call(const Message& call, const nfs::CallWalk& walk);
  void note_sizes(const nfs::CallWalk& walk);
  void note_reply(const Message& reply, nfs::CallWalk& walk);
  void note_granted(const nfs::CallWalk& call, const nfs::ReplyWalk& results, const Stamp& at);
  void bind(std::optional<uint64_t> session);
  void end(std::optional<uint64_t> session, const Stamp& at);

  std::vector<Asked> asked_;
  std::vector<std::optional<uint64_t>> bound_;  // sessions with a back channel here; unset: which is unknown
  bool doubt_ = false;                          // there may be others
  std::optional<NoBackChannel> none_;
  std::optional<nfs::BackChannel> sizes_;
  bool sizes_known_ = true;  // no message that may have set others was missed
};

}  // namespace steertag::history
