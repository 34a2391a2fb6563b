// ConnectionState: what the parts of one Conversation share: the connection, who listens, the memory that
// was advertised, the Calls without a Reply, and what went wrong so far. It outlives them, and those who
// listen.
#pragma once

#include "base/budget.h"
#include "flow/numbering.h"
#include "flow/pauses.h"
#include "flow/sink.h"
#include "flow/standing.h"
#include "flow/traffic.h"
#include "memory/advertised.h"
#include "nfs/call.h"
#include "rpc/agenda.h"
#include "rpc/exchange_fill.h"
#include "rpc/listeners.h"
#include "rpc/message_reader.h"
#include "rpc/open_calls.h"
#include "rpc/slots.h"

namespace steertag::rpc {

// Common: what all Conversations of one Analyzer share: the Sink that they report to, the
// Settings, the memory budget, pools and scratch memory, the numbers of connections and whose turn it is
// to report something. It outlives them all.
struct Common {
  Common(Sink& hears, Settings chosen)
      : sink(hears),
        settings(std::move(chosen)),
        course(settings.course != nullptr ? *settings.course : own),
        budget(settings.memory) {}

  Sink& sink;
  const Settings settings;
  Course own;  // used where Settings::course is null
  Course& course;
  base::Budget budget;  // of all that is held
  flow::Pauses pauses;  // so far; noted by the owner
  uint64_t drops = 0;  // how often so far the capture lost frames, of whichever connection; by the owner, too
  TrafficPool traffic{budget};
  SlotPool slots{budget};
  Numbering numbering{course.numbering};
  Agenda agenda{course.now};
  Unheard unheard;
  Standing unknown;  // of a message whose history is not known
  // Scratch memory for the current message: the walk of its arguments, its decoded form. While it is in use,
  // messages that were held back until now may be reported: they have a reader of their own.
  nfs::CallWalk walk;
  MessageReader reader, waiting_reader;
};

struct ConnectionState {
  // Both must outlive it.
  ConnectionState(track::Connection& followed, Common& all)
      : connection(followed),
        common(all),
        listeners{.messages = &all.unheard},
        advertised(all.budget, all.traffic, all.settings.payload_limit, reply_limit(all.settings)) {}

  track::Connection& connection;
  Common& common;
  Listeners listeners;
  memory::Advertised advertised;
  OpenCalls open;
  Disturbances disturbances;
};

}  // namespace steertag::rpc
