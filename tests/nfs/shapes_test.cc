// Every procedure and operation in its smallest form, all words zero: counts are
// 0, bools are FALSE, unions take the arm of 0. The numbers of words were counted
// in RFC 1094, RFC 1813, RFC 5662, RFC 7862 and RFC 8276. A word less is past
// the end, a word more is left over.
#include <catch2/catch.hpp>

#include "made.h"

using namespace made;

namespace {

void check_ends(const Message& exact, const nfs::CallWalk* asked) {
  const auto reason = [&](const Message& message) {
    return asked != nullptr ? walk(message, *asked).reason : walk(message).reason;
  };
  CHECK(reason(exact) == Reason::none);
  Message longer = exact;
  CHECK(reason(longer.zeros(1)) == Reason::trailing);
  Message shorter = exact;
  shorter.bytes.resize(shorter.bytes.size() - 4);
  CHECK(reason(shorter) == Reason::past_end);
}

}  // namespace

TEST_CASE("NFSv2 and NFSv3 procedures end where their specification says") {
  struct Line {
    uint32_t version, procedure;
    size_t arguments, good, bad;  // words: arguments; results with status 0; with another
  };
  const Line lines[] = {
      {2, 1, 8, 18, 1},     {2, 2, 16, 18, 1},  {2, 4, 9, 26, 1},  {2, 5, 8, 2, 1},   {2, 6, 11, 19, 1},
      {2, 8, 12, 18, 1},    {2, 9, 17, 26, 1},  {2, 10, 9, 1, 1},  {2, 11, 18, 1, 1}, {2, 12, 17, 1, 1},
      {2, 13, 18, 1, 1},    {2, 14, 17, 26, 1}, {2, 15, 9, 1, 1},  {2, 16, 10, 3, 1}, {2, 17, 8, 6, 1},
      {3, 1, 1, 22, 1},     {3, 2, 8, 3, 3},    {3, 3, 2, 4, 2},   {3, 4, 2, 3, 2},   {3, 5, 1, 3, 2},
      {3, 6, 4, 5, 2},      {3, 7, 6, 7, 3},    {3, 8, 9, 5, 3},   {3, 9, 8, 5, 3},   {3, 10, 9, 5, 3},
      {3, 11, 3, 5, 3},     {3, 12, 2, 3, 3},   {3, 13, 2, 3, 3},  {3, 14, 4, 5, 5},  {3, 15, 3, 4, 4},
      {3, 16, 6, 6, 2},     {3, 17, 7, 6, 2},   {3, 18, 1, 15, 2}, {3, 19, 1, 14, 2}, {3, 20, 1, 8, 2},
      {3, 21, 4, 5, 2 + 1},
  };
  for (const Line& line : lines) {
    INFO("version " << line.version << " procedure " << line.procedure);
    const Message asked = call(line.version, line.procedure).zeros(line.arguments);
    check_ends(asked, nullptr);
    const nfs::CallWalk answered = walk(asked);
    check_ends(reply().zeros(line.good), &answered);
    check_ends(reply().words(5).zeros(line.bad - 1), &answered);
  }
}

TEST_CASE("ROOT and WRITECACHE of NFSv2 have neither arguments nor results, and other numbers no procedure") {
  for (const uint32_t procedure : {0, 3, 7}) {
    const nfs::CallWalk asked = walk(call(2, procedure));
    CHECK(asked.complete());
    CHECK(walk(call(2, procedure).zeros(1)).reason == Reason::trailing);
    CHECK(walk(reply(), asked).complete());
  }
  CHECK(walk(call(2, 18)).reason == Reason::unknown_program);
}

TEST_CASE("READDIR of NFSv2 lists entries, and asks for no eligible result") {
  const nfs::CallWalk asked = walk(call(2, 16).zeros(8).words(0, 8192));
  CHECK(asked.most_listed == 8192);
  CHECK(asked.wanted.empty());
  const Message list = reply().words(0, 1, 7).opaque(3).words(1, 1, 8).opaque(4).words(2, 0, 1);
  check_ends(list, &asked);
  CHECK(walk(list, asked).items.empty());
}

TEST_CASE("NFSACL procedures end where their definition says") {
  struct Line {
    uint32_t version, procedure;
    size_t arguments, good;  // words
  };
  const Line lines[] = {{2, 1, 9, 23}, {2, 2, 13, 18}, {2, 3, 8, 18},
                        {2, 4, 9, 19}, {3, 1, 2, 7},   {3, 2, 6, 2}};
  for (const Line& line : lines) {
    INFO("version " << line.version << " procedure " << line.procedure);
    const Message asked = call(line.version, line.procedure, 100227).zeros(line.arguments);
    check_ends(asked, nullptr);
    const nfs::CallWalk answered = walk(asked);
    check_ends(reply().zeros(line.good), &answered);
  }
  // Two lists of entries, of three words each.
  const nfs::CallWalk getacl = walk(call(3, 1, 100227).opaque(32).words(15));
  CHECK(walk(reply().words(0, 0, 15, 3, 3).zeros(9).words(0, 0), getacl).complete());
  CHECK(walk(reply().words(0, 0, 15, 3, 3).zeros(8).words(0, 0), getacl).reason == Reason::past_end);
  // Servers differ in what they return with an error.
  CHECK(walk(reply().words(5), getacl).complete());
  CHECK(walk(reply().words(5, 0), getacl).complete());
  CHECK(walk(reply().words(5, 1).zeros(21), getacl).complete());
  CHECK(walk(reply().words(5, 0, 0), getacl).reason == Reason::trailing);
  CHECK(walk(call(3, 3, 100227)).reason == Reason::unknown_program);
}

TEST_CASE("callback operations end where their specification says") {
  struct Line {
    uint32_t opcode;
    size_t arguments, results;  // words, without the opcode
  };
  const Line lines[] = {{3, 2, 3},  {4, 6, 1},  {6, 6, 1},  {7, 2, 1},  {8, 2, 1},  {9, 2, 1},
                        {10, 1, 1}, {11, 9, 9}, {12, 2, 1}, {13, 4, 1}, {14, 1, 1}, {15, 12, 1}};
  const Message header = call(1, 1, 0x40000000).words(0, 2, 0, 1);  // no tag, callback_ident 0
  for (const Line& line : lines) {
    INFO("operation " << line.opcode << " " << nfs::operation_name(line.opcode, true));
    CHECK(nfs::operation_name(line.opcode, true).starts_with("CB_"));
    const Message asked = Message(header).words(line.opcode).zeros(line.arguments);
    check_ends(asked, nullptr);
    const nfs::CallWalk answered = walk(asked);
    check_ends(compound_reply(1).words(line.opcode).zeros(line.results), &answered);
    check_ends(compound_reply(1).words(line.opcode, 5), &answered);
  }
  // CB_LAYOUTRECALL: of a file, of a file system, of everything.
  check_ends(Message(header).words(5).zeros(3).words(1).zeros(9), nullptr);
  check_ends(Message(header).words(5).zeros(3).words(2).zeros(4), nullptr);
  check_ends(Message(header).words(5).zeros(3).words(3), nullptr);
  // CB_SEQUENCE with a referring call.
  check_ends(Message(header).words(11).zeros(8).words(1).zeros(4).words(1, 7, 8), nullptr);
  CHECK(walk(Message(header).words(25)).reason == Reason::unknown_operation);
  CHECK(walk(call(1, 1, 0x40000000).words(0, 0, 0, 1, 15).zeros(11)).reason == Reason::unknown_operation);
  CHECK(walk(call(1, 0, 0x40000000)).complete());
  // Any program of that range may be something else.
  CHECK(walk(call(1, 1, 0x40000000).words(77)).reason == Reason::unknown_program);
}

TEST_CASE("a Call shows the most that its eligible results may have") {
  const nfs::CallWalk two = walk(
      compound_of(2, 3).words(kRead).zeros(6).words(512).words(kReadLink).words(kRead).zeros(6).words(7));
  REQUIRE(two.wanted.size() == 3);
  CHECK(two.wanted[0].most == 512);
  CHECK(two.wanted[1].most == nfs::Wanted::kUnbounded);
  CHECK(two.wanted[2].operation == 2);
  CHECK(two.wanted[2].most == 7);
  CHECK(walk(call(2, 6).zeros(9).words(4096, 0)).wanted[0].most == 4096);
  CHECK(walk(call(2, 5).zeros(8)).wanted[0].most == 1024);
  CHECK(walk(call(3, 6).words(0, 0, 0, 77)).wanted[0].most == 77);
  CHECK(walk(call(3, 17).words(0).zeros(4).words(512, 8192)).most_listed == 8192);
  CHECK(walk(call(3, 17).words(0).zeros(4).words(512, 8192)).wanted.empty());
  CHECK(walk(call(3, 17).words(0).zeros(4).words(512)).most_listed == 0);  // its message ends before that
  // CREATE_SESSION: clientid, sequence, flags, fore channel, back channel.
  const nfs::CallWalk session =
      walk(compound_of(1, 1).words(43).zeros(4).zeros(7).words(0, 4096, 1024, 64, 2, 1, 0).words(0, 0));
  REQUIRE(session.back_channel);
  CHECK(session.back_channel->most_request == 4096);
  CHECK(session.back_channel->most_reply == 1024);
}

TEST_CASE("a Call shows what it says of sessions") {
  const nfs::CallWalk two =
      walk(compound_of(1, 3).words(41).zeros(4).words(7, 1).words(44).zeros(4).words(44, 1).zeros(3));
  REQUIRE(two.sessions.size() == 3);
  CHECK(two.sessions[0].opcode == nfs::op_bind_conn_to_session);
  CHECK(two.sessions[0].said == 7u);
  CHECK(two.sessions[1].operation == 1);
  CHECK(two.sessions[1].session == two.sessions[0].session);
  CHECK_FALSE(two.sessions[2].session == two.sessions[0].session);
  CHECK_FALSE(two.sessions[2].said);
}

TEST_CASE("NFSv4 operations end where their specification says") {
  struct Line {
    uint32_t opcode;
    size_t arguments, results;  // words, without the opcode
  };
  const Line lines[] = {
      {3, 1, 3},    {4, 5, 5},   {5, 3, 3},   {6, 4, 7},    {7, 2, 1},   {8, 4, 1},  {9, 1, 3},   {10, 0, 2},
      {11, 1, 6},   {12, 12, 5}, {13, 8, 1},  {14, 10, 5},  {15, 1, 1},  {16, 0, 1}, {17, 2, 1},  {18, 9, 13},
      {19, 1, 1},   {20, 5, 5},  {21, 7, 5},  {22, 1, 1},   {23, 0, 1},  {24, 0, 1}, {25, 7, 3},  {26, 7, 5},
      {27, 0, 2},   {28, 1, 6},  {29, 2, 11}, {30, 2, 1},   {31, 0, 1},  {32, 0, 1}, {33, 1, 2},  {34, 6, 2},
      {35, 7, 5},   {36, 4, 1},  {37, 2, 1},  {38, 8, 5},   {39, 3, 1},  {40, 2, 1}, {41, 6, 7},  {42, 6, 11},
      {43, 20, 21}, {44, 4, 1},  {45, 4, 1},  {46, 10, 11}, {47, 7, 4},  {48, 6, 7}, {49, 13, 2}, {50, 14, 7},
      {51, 4, 2},   {52, 1, 2},  {53, 8, 10}, {54, 2, 2},   {55, 1, 2},  {57, 2, 1}, {58, 1, 1},  {59, 8, 1},
      {60, 17, 9},  {62, 8, 1},  {63, 9, 2},  {64, 9, 1},   {65, 22, 1}, {66, 4, 1}, {67, 4, 4},  {68, 7, 3},
      {69, 7, 4},   {70, 17, 7}, {71, 14, 1}, {72, 1, 2},   {73, 3, 6},  {74, 3, 5}, {75, 1, 6},
  };
  for (const Line& line : lines) {
    INFO("operation " << line.opcode << " " << nfs::operation_name(line.opcode));
    CHECK_FALSE(nfs::operation_name(line.opcode).empty());
    Message asked = compound_of(2, 1).words(line.opcode).zeros(line.arguments);
    if (line.opcode >= 12 && line.opcode <= 14) {  // nfs_lock_type4 has no 0
      asked.bytes[asked.bytes.size() - 4 * line.arguments + 3] = 1;
    }
    check_ends(asked, nullptr);
    const nfs::CallWalk answered = walk(asked);
    check_ends(compound_reply(1).words(line.opcode).zeros(line.results), &answered);
    if (line.opcode != 34) {  // SETATTR has a bitmap in any case
      check_ends(compound_reply(1).words(line.opcode, 5), &answered);
    }
  }
}

TEST_CASE("a kind of lock, or a truth value, that there is not stops the walk") {
  for (const uint32_t kind : {0, 1, 4, 5}) {
    const Message asked = compound_of(2, 1).words(13, kind).zeros(7);
    CHECK((walk(asked).reason == Reason::unknown_arm) == (kind == 0 || kind == 5));
  }
  CHECK(walk(compound_of(2, 1).words(19, 1)).reason == Reason::none);
  CHECK(walk(compound_of(2, 1).words(19, 2)).reason == Reason::unknown_arm);
}

TEST_CASE("an operation is known from the minor version on that brought it") {
  struct Line {
    uint32_t opcode, since;
  };
  for (const auto& [opcode, since] : {Line{9, 0}, Line{53, 1}, Line{69, 2}, Line{76, 3}, Line{10044, 0}}) {
    for (uint32_t minor = 0; minor <= 3; ++minor) {
      INFO("operation " << opcode << " in minor version " << minor);
      const nfs::CallWalk found = walk(compound_of(minor, 1).words(opcode));
      CHECK((found.reason == Reason::unknown_operation) == (minor < since || minor == 3));
    }
  }
}

namespace {

// An operation, and its result.
struct Full {
  const char* what;
  Message arguments, results;
};

std::vector<Full> unions_and_lists() {
  const Message verifier = Message().zeros(2);
  const Message attributes = Message().words(2, 1, 2).opaque(7);
  const Message owner = Message().zeros(2).opaque(9);
  return {
      {"OPEN: exclusive with attributes, by name; a write delegation",
       Message().words(18, 0, 3, 0).add(owner).words(1, 3).add(verifier).add(attributes).words(0).opaque(5),
       Message().words(18, 0).zeros(10).words(1, 7, 2).zeros(5).words(1, 0, 9).zeros(3).opaque(6)},
      {"OPEN: previously delegated; no delegation, and why",
       Message().words(18, 0, 3, 0).add(owner).words(0, 1, 2),
       Message().words(18, 0).zeros(10).words(0, 3, 1, 1)},
      {"OPEN: by file handle and delegation; a read delegation",
       Message().words(18, 0, 3, 0).add(owner).words(0, 5).zeros(4),
       Message().words(18, 0).zeros(10).words(0, 1).zeros(8).opaque(3)},
      {"LOCK: a new owner; denied", Message().words(12, 1).zeros(5).words(1).zeros(6).add(owner),
       Message().words(12, 10010).zeros(4).words(1).add(owner)},
      {"READDIR: two entries", Message().words(26).zeros(6).words(2, 1, 1),
       Message()
           .words(26, 0)
           .add(verifier)
           .words(1, 0, 1)
           .opaque(3)
           .add(attributes)
           .words(1, 0, 2)
           .opaque(4)
           .add(attributes)
           .words(0, 1)},
      {"CREATE_SESSION: AUTH_SYS and GSS callbacks, ird",
       Message()
           .words(43)
           .zeros(4)
           .zeros(6)
           .words(1, 16)
           .zeros(6)
           .words(0, 0x40000000, 2)
           .words(1, 7)
           .opaque(4)
           .words(0, 0, 2, 0, 0)
           .words(6, 1)
           .opaque(8)
           .opaque(8),
       Message().words(43, 0).zeros(6).zeros(6).words(1, 16).zeros(7)},
      {"READ_PLUS: data and a hole, never eligible", Message().words(68).zeros(7),
       Message().words(68, 0, 1, 2, 0).zeros(2).opaque(13).words(1).zeros(4)},
      {"LAYOUTGET: two layouts", Message().words(50).zeros(14),
       Message().words(50, 0, 1).zeros(4).words(2).zeros(6).opaque(6).zeros(6).opaque(0)},
      {"COPY: between servers",
       Message().words(60).zeros(16).words(2, 1).opaque(5).words(3).opaque(3).opaque(11),
       Message().words(60, 10094, 1, 1)},
      {"SECINFO: GSS and another", Message().words(33).opaque(4),
       Message().words(33, 0, 2, 6).opaque(9).words(0, 1, 1)},
      {"LISTXATTRS: names", Message().words(74).zeros(3),
       Message().words(74, 0, 0, 0, 2).opaque(5).opaque(6).words(1)},
  };
}

}  // namespace

TEST_CASE("unions and lists with something in them") {
  for (const Full& line : unions_and_lists()) {
    INFO(line.what);
    const Message asked = compound_of(2, 1).add(line.arguments);
    check_ends(asked, nullptr);
    const nfs::CallWalk answered = walk(asked);
    check_ends(compound_reply(1).add(line.results), &answered);
    CHECK(walk(compound_reply(1).add(line.results), answered).items.empty());
  }
}
