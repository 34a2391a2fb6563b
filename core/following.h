// Following: one connection as a Follower follows it: the life of its RPCs, and who listens to that. Here,
// and nowhere else, it is decided who does: history::History where rules ask, timing::Timekeeper where
// reports do.
#pragma once

#include <memory>

#include "flow/sink.h"
#include "history/history.h"
#include "rpc/conversation.h"
#include "timing/timekeeper.h"

namespace steertag {

class Following {
 public:
  // What all of one Analyzer share; it outlives them.
  struct Shared {
    Shared(flow::Sink& sink, const flow::Settings& settings)
        : rpc(sink, settings),
          timing(settings.for_files ? timing::SubjectReader::Files::asked
                                    : timing::SubjectReader::Files::unasked) {}

    rpc::Common rpc;
    history::Shared history;
    timing::Shared timing;
  };

  Following(track::Connection& connection, Shared& shared)
      : shared_(shared), state_(connection, shared.rpc), listening_(state_, shared), conversation_(state_) {}

  rpc::Conversation& conversation() { return conversation_; }
  void on_claimed();  // the connection carries RPC-over-RDMA

  // Null where it was not asked for.
  const history::History* history() const { return listening_.history.get(); }
  const timing::Transit* transit() const {
    return listening_.times != nullptr ? &listening_.times->transit() : nullptr;
  }

 private:
  struct Listening {
    Listening(rpc::ConnectionState& state, Shared& shared);
    std::unique_ptr<history::History> history;
    std::unique_ptr<timing::Timekeeper> times;
  };

  Shared& shared_;
  rpc::ConnectionState state_;
  Listening listening_;
  rpc::Conversation conversation_;  // the first to go
};

}  // namespace steertag
