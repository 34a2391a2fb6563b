// KeptMessages: has each Exchange keep its Call and its Reply as messages, so that rules can compare the two
// after their frames are gone (KeptMessage). It remembers nothing itself, so one does for all
// connections.
#pragma once

#include "rpc/listeners.h"

namespace steertag::history {

class KeptMessages final : public rpc::ExchangeListener {
 public:
  void on_call(rpc::Slot& slot, const Message& call) override;
  void on_perhaps_call(rpc::Slot& slot, const Message& call) override { on_call(slot, call); }
  void on_reply(rpc::Slot& slot, const Message& reply) override;
};

}  // namespace steertag::history
