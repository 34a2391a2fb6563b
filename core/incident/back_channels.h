// BackChannel: what was agreed on callbacks for a session of NFSv4.1: whether the client asked for a back
// channel, and whether the server granted it (CREATE_SESSION, BIND_CONN_TO_SESSION; RFC 8881 §18.36.3,
// §18.34.3). A BackChannelReader reads it of one Exchange, and keeps nothing but its memory. The watch in
// history/ judges message by message, for rules; this is for what is told when a capture is over.
#pragma once

#include <cstdint>
#include <optional>

#include "flow/exchange.h"
#include "flow/layout.h"
#include "frame.h"
#include "nfs/call.h"
#include "nfs/reply.h"

namespace steertag::incident {

struct BackChannel {
  bool asked = false, granted = false;
  Stamp at;  // not asked: the Call; else the Reply
};

// Whether a session cannot be called back, by these flags of SEQUENCE, and nothing else is wrong with it.
bool only_path_is_down(uint32_t sequence_flags);

class BackChannelReader {
 public:
  // Precondition: what Settings::for_reports keeps of an Exchange is there. Unset where the Exchange agrees
  // on nothing, or was not captured whole.
  std::optional<BackChannel> read(const flow::Exchange& exchange);

 private:
  flow::Layout layout_;
  nfs::CallWalk call_;
  nfs::ReplyWalk reply_;
};

}  // namespace steertag::incident
