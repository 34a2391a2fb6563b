// ConnectionState: what the parts of one Conversation share: the connection, who listens, the memory that
// was advertised, the Calls without a Reply, and what went wrong so far. It outlives them, and those who
// listen.
#pragma once

#include "memory/advertised.h"
#include "rpc/common.h"
#include "rpc/listeners.h"
#include "rpc/open_calls.h"

namespace steertag::rpc {

struct ConnectionState {
  // Both must outlive it.
  ConnectionState(track::Connection& followed, Common& all)
      : connection(followed),
        common(all),
        listeners{.messages = &all.unheard},
        advertised(all.budget, all.traffic, all.settings.payload_limit) {}

  track::Connection& connection;
  Common& common;
  Listeners listeners;
  memory::Advertised advertised;
  OpenCalls open;
  Disturbances disturbances;
};

}  // namespace steertag::rpc
