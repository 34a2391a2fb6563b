// Learned: what messages say of their connection as a whole, entered into track::Connection,
// where everybody finds it: who is the client, which version is spoken, how many credits
// were granted and used.
#pragma once

#include "flow/message.h"
#include "flow/outstanding.h"
#include "track/connection.h"

namespace steertag::flow {

class Learned {
 public:
  explicit Learned(track::Connection& connection) : connection_(connection) {}

  void note_client(const Message& message);
  void note_version(const Message& message);
  // `now`: with the message among them.
  void note_credits(const Message& message, const Outstanding& now);
  bool version_settled() const { return version_settled_; }  // by a non-error Reply

 private:
  track::Connection& connection_;
  bool version_settled_ = false;
};

}  // namespace steertag::flow
