// Which facts are plain, and which rules are asked about them.
#include "rules/shortlists.h"

#include <catch2/catch.hpp>
#include <string>
#include <variant>
#include <vector>

#include "rules/audit.h"
#include "rules/made.h"
#include "support/compiled.h"

using namespace steertag;
using namespace steertag::rules;
using scenario::Fabric;

namespace {

// What is plain of some traffic: a word for each message, RDMA operation and Exchange.
class Traits final : public Observer {
 public:
  std::string said;
  void on(const Event& event) override {
    if (const auto* seen = std::get_if<MessageSeen>(&event)) {
      say(seen->message.direction == flow::Direction::call ? "call" : "reply",
          plain::traits_of(seen->message));
    } else if (const auto* access = std::get_if<AccessSeen>(&event)) {
      say("op", plain::traits_of(access->access));
    } else if (const auto* done = std::get_if<ExchangeDone>(&event)) {
      say("rpc", plain::traits_of(done->exchange));
    }
  }

 private:
  void say(const char* what, plain::Traits traits) {
    said += std::string(what) + (traits == 0 ? "!" : "") + ((traits & plain::reads) != 0 ? "+reads" : "") +
            ((traits & plain::writes) != 0 ? "+writes" : "") +
            ((traits & plain::reply_chunk) != 0 ? "+reply" : "") + " ";
  }
};

std::string plain_of(const std::string& traffic) {
  Traits traits;
  Heard heard;
  Audit audit(traits, heard);
  support::feed_to_end(audit, support::compiled("client> connect\nclient> call nfs3 NULL\nserver> reply\n" +
                                                    traffic + "client> disconnect\n",
                                                Fabric::roce2));
  return traits.said.substr(std::string("call! reply! ").size());
}

Outcome nothing(const flow::Message&, Report&) {
  return Outcome::not_applicable;
}

struct Listing {
  std::vector<Tally> tallies{3};
  Shortlists<CheckMessage> lists{tallies};
  Rule always, of_reads, of_sound;
  Listing() {
    of_sound.needs = needs_both_ways;
    lists.enter(nothing, always, 0, kinds::calls | kinds::replies, {});
    lists.enter(nothing, of_reads, 1, kinds::calls, plain::asked_with(plain::reads));
    lists.enter(nothing, of_sound, 2, kinds::calls, plain::kept);
  }
};

}  // namespace

TEST_CASE("plain: the Call and the Reply of a settled connection, and what moves their data") {
  CHECK(plain_of("client> call nfs3 GETATTR\nserver> reply\n") == "call rpc reply rpc ");
  CHECK(plain_of("client> call nfs3 READ write(@data 4096)\nserver> write @data\nserver> reply\n") ==
        "call+writes rpc op+writes reply+writes rpc+writes ");
  CHECK(plain_of("client> call nfs3 WRITE read(@data 4096)\nserver> read @data\nserver> reply\n") ==
        "call+reads rpc op+reads reply rpc+reads ");
}

TEST_CASE("plain: not what is of another version, without an answer, sent twice or astray") {
  const auto says = [](const std::string& traffic, std::string_view word) {
    return plain_of(traffic).find(word) != std::string::npos;
  };
  CHECK(says("client> call xid=7 nfs3 GETATTR\nclient> call xid=7 nfs3 GETATTR\n", "call! "));
  CHECK(says("client> call nfs3 GETATTR\n", "rpc! "));
  CHECK(says("version 2\nclient> call nfs3 GETATTR\nserver> reply\n", "call! "));
  CHECK(says("client> call nfs3 READ write(@data 0x8f01:4096@0x10000)\nserver> write 0x8f01:4096@0x11000\n",
             "op! "));
}

TEST_CASE_METHOD(Listing, "shortlists: a plain fact is shown to the rules that do not know it") {
  const auto& reads = lists.next({.kind = 0, .traits = plain::plain | plain::reads});
  CHECK(reads.asked.size() == 2);
  CHECK(reads.kept.size() == 1);
  const auto& none = lists.next({.kind = 0, .traits = plain::plain});
  CHECK(none.asked.size() == 1);
  CHECK(none.never.size() == 1);
}

TEST_CASE_METHOD(Listing, "shortlists: a fact that is not plain is shown to all rules about its kind") {
  CHECK(lists.next({.kind = 0}).asked.size() == 3);
  CHECK(lists.next({.kind = 3}).asked.size() == 1);
}

TEST_CASE_METHOD(Listing, "shortlists: what was not asked is counted, by what was captured") {
  lists.next({.traits = plain::plain});
  lists.next({.traits = plain::plain});
  lists.next({.traits = plain::plain, .unmet = needs_both_ways});
  lists.count();
  lists.count();
  CHECK(tallies[2].kept == 2);
  CHECK(tallies[2].undecided == 1);
  CHECK(tallies[2].lacks[static_cast<size_t>(Lack::direction)] == 1);
  CHECK(tallies[0].checked() + tallies[1].checked() == 0);
}

TEST_CASE_METHOD(Listing, "shortlists: many sorts of facts lose no count") {
  for (int round = 0; round < 2; ++round) {
    for (unsigned sort = 0; sort < 64 * 16; ++sort) {
      const auto traits = static_cast<plain::Traits>(plain::plain | (sort % 16) << 1);
      lists.next({.traits = traits, .unmet = static_cast<uint8_t>(sort / 16)});
    }
  }
  lists.count();
  CHECK(tallies[2].checked() == 2 * 64 * 16);
}
