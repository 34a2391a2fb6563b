// Teller: makes one Session, line by line. It plays both ends of one or two connections and does only
// what the documents allow at that moment: RFC 8166, 8167, 8267 and 8797, version-two-02 and
// xcharext-02, or RFC 5666 for what only that has. What it does next is up to Dice.
#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "dice.h"
#include "session.h"

namespace steertag::legal {

enum class Model : uint8_t { one, two, refused_two, rfc5666 };

class Teller {
 public:
  Teller(uint64_t seed, uint64_t number);
  Session tell();

 private:
  struct Open {  // of one connection
    std::vector<size_t> rpcs;
    struct Request {  // a REQXCH
      bool backward = false;
      uint32_t xid = 0;
      uint32_t wanted = 0;                // XCHAR_RBSIZ
      std::optional<bool> invalidations;  // XCHAR_REQREMINV
      bool pending = false;               // it was answered so
    };
    std::vector<Request> requests;
    struct Owed {  // an RDMA_DONE
      bool backward = false;
      uint32_t xid = 0;
      std::string chunk;
    };
    std::vector<Owed> dones;
    bool empty() const { return rpcs.empty() && requests.empty() && dones.empty(); }
  };
  struct At {
    Link link;
    Open open;
    std::array<uint32_t, 2> agreed_limit{};  // by private data
  };

  // teller.cc
  void settings();
  void begin(At& at);
  void first_exchange(At& at);
  void negotiate(At& at);
  void step(At& at);
  void rest(const At& at);
  void reconnect(At& at);
  void settle_dues(At& at);
  void finish(At& at);
  template <typename... Args>
  size_t line(fmt::format_string<Args...> format, Args&&... args) {
    session_.lines.push_back({fmt::format(format, std::forward<Args>(args)...), false});
    return session_.lines.size() - 1;
  }
  void feature(std::string name) { session_.features.insert(std::move(name)); }

  // teller_calls.cc
  void call(At& at);
  void callback(At& at);
  void send(At& at, Rpc rpc);
  Rpc begin_rpc(At& at, bool backward);
  void small(const At& at, Rpc& rpc);
  void read(Rpc& rpc);
  void write(const At& at, Rpc& rpc);
  void path(const At& at, Rpc& rpc);
  void listing(const At& at, Rpc& rpc);
  void attribute(const At& at, Rpc& rpc);
  void compound(Rpc& rpc, std::string_view operations, uint32_t data);
  void three(Rpc& rpc, std::string_view procedure, uint32_t data);
  void finish_call(const At& at, Rpc& rpc);
  void send_again(At& at, Rpc& rpc);
  void retry(At& at, Rpc rpc);
  uint32_t limit(const At& at, bool to_server) const;
  Chunk chunk(const Rpc& rpc, char kind, uint32_t total);
  Chunk whole(const Rpc& rpc);
  bool can_call(const At& at) const;

  // teller_answers.cc
  void answer(At& at, size_t which);
  void succeed(At& at, Rpc& rpc);
  void move(Rpc& rpc);
  std::string return_words(At& at, Rpc& rpc);
  void fail(At& at, Rpc& rpc);
  bool too_small(At& at, const Rpc& rpc);
  bool leave_to_be_read(At& at, Rpc& rpc);
  static void open_channel(At& at, const Rpc& rpc);
  void confirm(At& at, size_t which);
  std::string grant(At& at, bool backward, uint32_t more);

  // teller_xchar.cc
  void introduce(At& at, bool client);
  void request(At& at);
  void respond(At& at, size_t which);
  void settle(At& at, size_t which);
  void update(At& at);
  void unknown_option(At& at);
  void take(At& at, bool of_client, const std::string& characteristic, uint32_t value);
  bool can_use_extension(const At& at) const;

  Dice dice_;
  Session session_;
  std::vector<At> links_;
  Model model_ = Model::one;
  uint32_t minor_ = 0;       // of NFSv4
  bool three_ = false;       // NFSv3
  bool persistent_ = false;  // one registration for many RPCs
};

}  // namespace steertag::legal
