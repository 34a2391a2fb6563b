// IwarpTable::Flow: one TCP connection in the table. Its Connection is reported to the Observer
// as soon as the TcpConnection reports something of RDMA, that is when the stream has proved to
// be iWARP. Only for the .cc files of IwarpTable.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "rdma/iwarp/tcp_connection.h"
#include "rdma/unit.h"
#include "track/iwarp_table.h"
#include "track/tcp_setup.h"

namespace steertag::track {

struct IwarpTable::Flow final : rdma::Listener {
  Flow(IwarpTable& owner, bool first_from_low)
      : table(owner), a_is_low(first_from_low), tcp(*this, owner.options_), account(owner.budget_) {}

  // Its buffers are charged at once, the rest now and then.
  void charge() {
    const size_t holds = tcp.held_bytes();
    if (holds != held || measured.due()) [[unlikely]] {
      held = holds;
      account.set(sizeof(Flow) + early_marks.capacity() * sizeof(Congestion) + tcp.bytes());
    }
  }

  Side side(bool from_low) const { return from_low == a_is_low ? Side::a : Side::b; }

  rdma::Listener& listener() {
    if (heard_by == nullptr) {
      connection.seen_from_start = tcp.from_start();
      heard_by = &table.observer_.on_open(connection);
      tcp.report_to(heard_by->arrivals());
      for (const Side from : {Side::a, Side::b}) {
        if (const std::optional<Stamp>& gap = early_gaps[rdma::index(from)]) {
          heard_by->on_gap(from, *gap);
        }
      }
      for (const Congestion& early : early_marks) {
        table.observer_.on_congestion(connection, early);
      }
      early_marks = {};
    }
    return *heard_by;
  }

  void on_setup(Side half, const rdma::SetupHalf& said, const Stamp& at) override {
    note_setup(connection, half, said, at);
    connection.client = tcp.initiator();
    if (half != connection.client) {
      setup.replied = true;
      setup.rejected = tcp.mpa().rejected;
      setup.reply = at;
      setup.reply_data.assign(said.private_data.begin(), said.private_data.end());
    }
    connection.seen_from_start = tcp.from_start();
    listener().on_setup(half, said, at);
    if (half == connection.client && half == setup.syn_from) {
      tell_syns(half);
    }
  }
  // What is wrong with it.
  void note_reply() {
    const rdma::iwarp::MpaFacts& mpa = tcp.mpa();
    setup.reply_invalid = mpa.reply_invalid;
    if (const std::optional<Side> client = tcp.initiator()) {
      const Side server = rdma::other(*client);
      setup.reply_begun = mpa.begun[rdma::index(server)] && connection.end(server).gaps == 0;
    }
  }
  // Each time that its SYN was sent again.
  void tell_syns(Side client) {
    rdma::Arrivals* const arrivals = listener().arrivals();
    if (arrivals == nullptr || setup.syns.size() < 2) {
      return;
    }
    const auto unanswered = [&](const Stamp& syn) {
      return !setup.accepted || captured_before(syn, *setup.accepted);
    };
    const auto last = std::find_if(setup.syns.rbegin(), setup.syns.rend(), unanswered);
    rdma::SetupAgain again{.from = client,
                           .number = setup.syn_sequence,
                           .bytes = 0,
                           .first = setup.syns.front(),
                           .before = {},
                           .at = setup.syns.front(),
                           .accepted = {}};
    for (size_t i = 1; i < setup.syns.size(); ++i) {
      again.before = std::exchange(again.at, setup.syns[i]);
      again.accepted = unanswered(again.at) ? std::optional(*last) : std::nullopt;
      arrivals->on_setup_again(again);
    }
  }
  void on_op(const rdma::RdmaOp& op) override { listener().on_op(op); }
  // Of what is no evidence of iWARP, nobody hears who has not heard of the connection.
  void on_unit(const rdma::Unit& unit) override {
    if (heard_by != nullptr || unit.legible) {
      listener();
      table.observer_.on_unit(connection, unit);
    }
  }
  void on_fault(const rdma::Fault& fault) override {
    if (!setup.terminate) {
      setup.terminate = fault;
    }
    note_closings();
    note_end(fault.from);
    listener().on_fault(fault);
  }
  void on_gap(Side from, const Stamp& at) override {
    ++connection.end(from).gaps;
    if (heard_by != nullptr) {
      heard_by->on_gap(from, at);
    } else {
      early_gaps[rdma::index(from)] = at;
    }
  }
  void on_retransmission(Side from, const Stamp& at) override {
    note_retransmission(connection.end(from), at);
    listener().on_retransmission(from, at);
  }
  void on_acknowledged(Side by, const Stamp& at) override {
    connection.end(by).acknowledged_ns = at.time_ns;
    if (heard_by != nullptr) {
      heard_by->on_acknowledged(by, at);
    }
  }
  void on_room(Side by, bool room, const Stamp& at) override {
    note_room(connection.end(by), room, at);
    if (rdma::Arrivals* const arrivals = listener().arrivals(); arrivals != nullptr) {
      arrivals->on_room(by, room, at);
    }
  }
  void on_anomaly(const rdma::Anomaly& anomaly) override { listener().on_anomaly(anomaly); }
  void on_mark(bool from_low, const Stamp& at) {
    const Congestion mark{Congestion::Kind::marked, side(from_low), at};
    note_congestion(connection, mark);
    if (heard_by != nullptr) {
      table.observer_.on_congestion(connection, mark);
    } else if (early_marks.size() < kMaxEarlyMarks) {
      early_marks.push_back(mark);
    }
  }
  // What its ends have done so far to end it.
  void note_closings() {
    const rdma::iwarp::Closings& closings = tcp.closings();
    if (closings.first) {
      setup.on_closing(closings.first->by, closings.first->reset, closings.first->at);
      note_end(closings.first->by);
    }
    if (closings.reset) {
      connection.reset.make() = Reset{closings.reset->by, closings.reset->at};
    }
  }
  // By a FIN, RST or Terminate: who was first.
  void note_end(Side by) {
    if (!connection.ended_by) {
      connection.ended_by = by;
    }
  }
  void on_end(rdma::EndReason reason, const Stamp& at) override {
    note_closings();
    const bool both = tcp.closings().finished[0] && tcp.closings().finished[1];
    if (reason == rdma::EndReason::fin && !both && connection.one_direction()) {
      return;  // what the other end did is not known
    }
    // The end of a stream that never was iWARP is nobody's business.
    if (heard_by != nullptr && !connection.ended) {
      connection.ended = reason;
      if (reason == rdma::EndReason::fin) {
        connection.end_confirmed = both;
      }
      heard_by->on_end(reason, at);
    }
  }

  IwarpTable& table;
  bool a_is_low;
  Connection connection;
  rdma::Listener* heard_by = nullptr;
  std::array<std::optional<Stamp>, 2> early_gaps;  // before the connection was reported; by Side
  std::vector<Congestion> early_marks;             // likewise
  TcpSetup setup;
  rdma::iwarp::TcpConnection tcp;
  base::Account account;
  base::Occasion measured;
  size_t held = 0;  // TcpConnection::held_bytes() when it was charged
};

}  // namespace steertag::track
