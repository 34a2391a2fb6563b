// Learned: enters into the track::Connection what messages show about the connection as a whole:
// which end is the client, which version is spoken, how many credits were granted and used. Rules
// and reports find it there.
#pragma once

#include "flow/message.h"
#include "rpc/open_calls.h"
#include "track/connection.h"

namespace steertag::rpc {

class Learned {
 public:
  explicit Learned(track::Connection& connection) : connection_(connection) {}

  void note_client(const Message& message);
  void note_version(const Message& message);
  // `now` includes the message.
  void note_credits(const Message& message, const Outstanding& now);
  bool version_settled() const { return version_settled_; }  // by a non-error Reply

 private:
  track::Connection& connection_;
  bool version_settled_ = false;
  bool client_assumed_ = false;  // by Replies
};

}  // namespace steertag::rpc
