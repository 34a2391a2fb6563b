// Transport headers that may be none: what stays of them.
#include <catch2/catch.hpp>
#include <string>

#include "sanitize/made.h"
#include "support/scenario_trace.h"

namespace steertag::sanitize {
namespace {

constexpr const char* kConnect = "client> connect R=1 send=4096 receive=4096\n";

// An RPC header may have moved to where the list begins; behind the cut there is none to tell.
TEST_CASE("a chunk list that the capture cuts stays where each word of it may be one") {
  constexpr uint32_t kOffset = 0x73656372, kMsg = 0, kMsgp = 2;
  const auto shown = [](uint32_t procedure, uint32_t position, uint32_t length) {
    made::Message call;
    call.words(5, 1, 32, procedure);
    if (procedure == kMsgp) {
      call.words(1024, 4096);
    }
    call.words(1, position, 0x77, length, 0, kOffset).words(1, 40, 0x77, 4096, 0, 0, 0, 0, 0);
    support::Trace trace = support::compiled(std::string(kConnect) + "client> send " + hex(call) + "\n",
                                             scenario::Fabric::roce2);
    constexpr size_t kCut = 110;                               // in the second segment
    trace.frames[trace.frames.size() - 2].bytes.resize(kCut);  // its acknowledgement follows
    CHECK(holds(trace, "secr"));
    return holds(sanitized(trace), "secr");
  };
  CHECK(shown(kMsg, 40, 4096));
  CHECK_FALSE(shown(kMsg, 41, 4096));
  CHECK_FALSE(shown(kMsg, 40, 0x62667265));
  CHECK_FALSE(shown(kMsgp, 40, 4096));
}

// RFC 8166 §3.4.2: what is read as a count says that segments follow for which the Send has no room.
TEST_CASE("a Write chunk that the capture cuts stays where the Send has room for its segments") {
  constexpr uint32_t kOffset = 0x73656372, kNomsg = 1;
  const auto shown = [](uint32_t count) {
    made::Message reply;
    reply.words(5, 1, 32, kNomsg, 0, 1, count, 0x77, 4096, 0, kOffset).words(0x77, 4096, 0, 0, 0, 0);
    support::Trace trace = support::compiled(std::string(kConnect) + "server> send " + hex(reply) + "\n",
                                             scenario::Fabric::roce2);
    constexpr size_t kCut = 108;  // in the second segment
    trace.frames[trace.frames.size() - 2].bytes.resize(kCut);
    CHECK(holds(trace, "secr"));
    return holds(sanitized(trace), "secr");
  };
  CHECK(shown(2));
  CHECK_FALSE(shown(3));
}

// Words may be missing in front of it, so that something else is read as its segments; the XID says nothing.
TEST_CASE("a chunk list that cannot be one stays where a whole RPC header shows that it is") {
  constexpr uint32_t kOffset = 0x73656372, kHuge = 0x62667265, kReply = 1, kStrange = 22, kOther = 6;
  const auto shown = [](uint32_t length, uint32_t accept_stat) {
    made::Message reply;
    reply.words(5, 1, 32, 0, 0, 0, 1, 1)
        .words(0x77, length, 0, kOffset)
        .words(kOther, kReply, 0, 0, 0, accept_stat);
    const support::Trace trace = support::compiled(
        std::string(kConnect) + "client> call xid=5 nfs3 NULL\nserver> send " + hex(reply) + "\n",
        scenario::Fabric::roce2);
    CHECK(holds(trace, "secr"));
    return holds(sanitized(trace), "secr");
  };
  CHECK(shown(4096, kStrange));
  CHECK(shown(kHuge, 0));
  CHECK_FALSE(shown(kHuge, kStrange));
}

// RFC 8166 §4.3: an RPC message that begins in a segment shows that its list is none.
TEST_CASE("nothing stays of a segment in which the RPC message begins") {
  constexpr uint32_t kPosition = 0x73656370, kNomsg = 1, kReply = 1;
  made::Message reply;
  reply.words(5, 1, 32, kNomsg, 1, kPosition, 5, kReply, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  const support::Trace trace = support::compiled(
      std::string(kConnect) + "client> call xid=5 nfs3 NULL\nserver> send " + hex(reply) + "\n",
      scenario::Fabric::roce2);
  CHECK(holds(trace, "secp"));
  CHECK_FALSE(holds(sanitized(trace), "secp"));
}

// Nothing follows characteristics; where there is more, words of something else may be in front of it.
TEST_CASE("a characteristic stays where its message ends behind it") {
  constexpr uint32_t kOptional = 5, kInit = 1, kSize = 0x0073656E;  // "\0sen"
  const auto shown = [](bool more) {
    made::Message init;
    init.words(5, 2, 32, kOptional, 0, kInit).words(20, 1, 1, 4, kSize, 0);
    const support::Trace trace =
        support::compiled(std::string(kConnect) + "client> send " + hex(init) + (more ? "6e64\n" : "\n"),
                          scenario::Fabric::roce2);
    CHECK(holds(trace, "sen"));
    return holds(sanitized(trace), "sen");
  };
  CHECK(shown(false));
  CHECK_FALSE(shown(true));
}

// One bit for each element of a short list; of another operation it may have been a value.
TEST_CASE("a word of a subset of characteristics stays where their list may be that long") {
  constexpr uint32_t kOptional = 5, kResponse = 3;
  struct Word {
    uint32_t value;
    std::string bytes;
    bool stays;
  };
  for (const Word& word : {Word{0x73656372, "secr", false}, Word{0xFE, std::string("\0\0\0\xFE", 4), true},
                           Word{0x80000000, std::string("\x80\0\0\0", 4), true}}) {
    made::Message response;
    response.words(5, 2, 32, kOptional, 0, kResponse).words(16, 0, 0, 1, word.value);
    const support::Trace trace = support::compiled(
        std::string(kConnect) + "client> send " + hex(response) + "\n", scenario::Fabric::roce2);
    CHECK(holds(trace, word.bytes));
    CHECK(holds(sanitized(trace), word.bytes) == word.stays);
  }
}

}  // namespace
}  // namespace steertag::sanitize
