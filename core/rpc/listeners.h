// Listeners to the life of the RPCs of one connection. That life does not depend on them. history/ listens
// where rules ask, timing/ where reports do. Both add what they know to each report. A method does nothing
// unless it is overridden.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "flow/incident.h"
#include "flow/message.h"
#include "rdma/op.h"
#include "rpc/slots.h"

namespace steertag::rpc {

// Hears of what the transport conveys, piece by piece.
class TransportListener {
 public:
  // A piece that its receiver accepted; a Send takes effect later. `exchange`: the RPC that an RDMA Read or
  // Write is for, null where none is known.
  virtual void on_piece(const rdma::RdmaOp& /*op*/, Exchange* /*exchange*/) {}
  virtual void on_fault(const rdma::Fault& /*fault*/) {}
  virtual void on_gap() {}
  virtual void on_retransmission(Side /*from*/, const Stamp& /*at*/) {}
  virtual rdma::Arrivals* arrivals() { return nullptr; }  // null: it does not ask
  virtual size_t bytes() const { return 0; }              // that it holds

 protected:
  ~TransportListener() = default;
};

// Hears each message, and says what went before it.
class MessageListener {
 public:
  // It is going to be reported: sets Message::standing. `early`: what went before is not to be known of it.
  virtual void introduce(Message& /*message*/, bool /*early*/) {}
  virtual void on_message(const Message& /*message*/) {}  // it takes effect: before Exchanges hears of it
  // Something that `from` sent is missing, or could not be read.
  virtual void on_doubt(Side /*from*/) {}
  // What was taken for the Reply of `from` with that XID was a Call.
  virtual void on_misread(Side /*from*/, uint32_t /*xid*/) {}
  // `by` has acknowledged all that its peer has sent.
  virtual void on_acknowledged(Side /*by*/, const Stamp& /*at*/) {}
  // It is going to be reported: adds what is known of the connection.
  virtual void on_incident(Incident& /*incident*/) {}
  // How a Call with that XID was answered lately, if it is known: for certain, or by nothing but its XID.
  enum class Answered : uint8_t { no, yes, by_xid };
  virtual Answered answered(Side /*requester*/, uint32_t /*xid*/) const { return Answered::no; }
  virtual void expect() const {}              // a message comes soon: prefetches
  virtual size_t bytes() const { return 0; }  // that it holds

 protected:
  ~MessageListener() = default;
};

// Hears what becomes of each RPC.
class ExchangeListener {
 public:
  virtual void on_call(Slot& /*slot*/, const Message& /*call*/) {}  // before it is among the open ones
  // What was taken for a Reply may have been this Call: Slot::instead.
  virtual void on_perhaps_call(Slot& /*slot*/, const Message& /*call*/) {}
  virtual void on_reply(Slot& /*slot*/, const Message& /*reply*/) {}
  virtual void on_reopened(Slot& /*slot*/) {}            // what was taken for its Reply was none
  virtual void on_effect(const Message& /*message*/) {}  // on the open Calls; after all of these
  virtual void on_over(Slot& /*slot*/) {}                // it is about to be reported
  // It was reported. True: the Slot is the listener's now, which gives it back when it is done.
  virtual bool keep(Slot& /*slot*/) { return false; }
  virtual bool keeps_any() const { return false; }
  // Nothing more comes, or there is no room: what becomes of those that it keeps.
  enum class Fate : uint8_t { reported, forgotten };
  virtual void let_go(Fate /*fate*/) {}

 protected:
  ~ExchangeListener() = default;
};

// Stands where messages have no listener.
class Unheard final : public MessageListener {};

// Those of one connection.
struct Listeners {
  TransportListener* transport = nullptr;
  MessageListener* messages;                        // never null
  std::array<ExchangeListener*, 2> exchanges = {};  // as many as there are
  bool ask_for_incidents = false;

  // Calls that method of those who listen.
  template <typename... Heard, typename... With>
  void tell(void (TransportListener::*method)(Heard...), With&&... with) const {
    if (transport != nullptr) {
      (transport->*method)(with...);
    }
  }
  template <typename... Heard, typename... With>
  void tell(void (ExchangeListener::*method)(Heard...), With&&... with) const {
    for (ExchangeListener* one : exchanges) {
      if (one != nullptr) {
        (one->*method)(with...);
      }
    }
  }
  // Whether `asks` is true of one of them.
  template <typename Asks>
  bool any(const Asks& asks) const {
    return std::any_of(exchanges.begin(), exchanges.end(),
                       [&](ExchangeListener* one) { return one != nullptr && asks(*one); });
  }
};

}  // namespace steertag::rpc
