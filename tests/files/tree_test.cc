// What an RPC says of the names of files, and which file it is about: COMPOUNDs of NFSv4 and procedures of
// NFSv2 and NFSv3, as they are sent.
#include "files/tree.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "files/here.h"
#include "nfs/made.h"

namespace steertag::files {
namespace {

using made::Message;

constexpr uint32_t kCreate = 6, kGetFh = 10, kLink = 11, kLookup = 15, kLookupp = 16, kOpen = 18,
                   kPutPubFh = 23, kPutRootFh = 24, kReadDir = 26, kRemove = 28, kRename = 29,
                   kRestoreFh = 31, kSaveFh = 32, kSecInfo = 33, kSecInfoNoName = 52;
constexpr uint32_t kNoEnt = 2, kExist = 17, kStale = 70;

Message text(const std::string& of) {
  Message message = Message().words(of.size());
  message.bytes.insert(message.bytes.end(), of.begin(), of.end());
  return message.fill(0);
}

// Takes in an RPC, of which the Call was captured up to `call_kept`, and the Reply up to `reply_kept`.
std::string take(Names& names, const Message& call, const Message& reply, size_t call_kept = SIZE_MAX,
                 size_t reply_kept = SIZE_MAX) {
  Notes asked, answered;
  nfs::Stream call_stream(slice(call.bytes, 0, call_kept), nullptr, call.bytes.size());
  call_stream.marks = &asked;
  nfs::CallWalk walk;
  nfs::walk_call(call_stream, walk);
  asked.read(call_stream);
  nfs::Stream reply_stream(slice(reply.bytes, 0, reply_kept), nullptr, reply.bytes.size());
  reply_stream.marks = &answered;
  nfs::ReplyWalk results;
  nfs::walk_reply(reply_stream, walk, {}, results);
  const bool compound = nfs::is_compound(walk.rpc);
  compound ? answered.read_listed(reply_stream) : answered.read(reply_stream);
  constexpr size_t kStatus = 24;
  const Told told{
      .scope = kHere,
      .call = asked,
      .reply = answered,
      .status = reply_kept < kStatus + 4 ? std::nullopt : std::optional<uint32_t>(reply.bytes[kStatus + 3]),
      .arguments_read = walk.operations_walked(),
      .results_read = results.complete(),
      .whole = true};
  const uint32_t procedure = walk.rpc.procedure;
  return compound ? apply_compound(told, walk.compound, names)
                  : apply_nfs(told, walk.rpc.version == 2 ? deed_of_nfs2(procedure) : deed_of_nfs3(procedure),
                              names);
}

// A COMPOUND and its answer.
class Sent {
 public:
  explicit Sent(uint32_t minor_version = 1) : minor_version_(minor_version) {}

  Sent& op(uint32_t opcode, const Message& arguments = {}, const Message& results = {}) {
    asked_.words(opcode).add(arguments);
    answered_.words(opcode, 0).add(results);
    ++operations_;
    return *this;
  }
  // The last one.
  Sent& fails(uint32_t status, uint32_t opcode, const Message& arguments = {}) {
    asked_.words(opcode).add(arguments);
    answered_.words(opcode, status);
    ++operations_;
    status_ = status;
    return *this;
  }
  Sent& put(const std::string& handle) { return op(made::kPutFh, text(handle)); }
  Sent& lookup(const std::string& name) { return op(kLookup, text(name)); }
  Sent& get(const std::string& handle) { return op(kGetFh, {}, text(handle)); }
  Sent& attributes() { return op(made::kGetAttr, Message().zeros(1), Message().zeros(2)); }

  Message call() const { return made::compound_of(minor_version_, operations_).add(asked_); }
  Message reply() const { return made::reply().words(status_, 0, operations_).add(answered_); }
  std::string taken(Names& names) const { return take(names, call(), reply()); }

 private:
  uint32_t minor_version_ = 0, operations_ = 0, status_ = 0;
  Message asked_, answered_;
};

// Of "/dir/file", D and F.
Names with_file() {
  Names names;
  Sent().op(kPutRootFh).lookup("dir").get("D").taken(names);
  Sent().put("D").lookup("file").get("F").taken(names);
  return names;
}

Message open_of(uint32_t claim, const Message& of) {
  return Message().zeros(5).add(text("owner")).words(0, claim).add(of);
}
const Message kOpened = Message().zeros(4 + 5 + 1 + 1 + 1);

// READDIR, with attributes of each entry.
Message entry(const std::string& name, const Message& attributes) {
  return Message().words(1, 0, 0).add(text(name)).add(attributes);
}
Message attributes(uint32_t given, const Message& values) {
  return Message().words(2, given, 0x00b0a23a).words(values.bytes.size()).add(values);
}
constexpr uint32_t kLinux = 0x0018091a;  // type, change, size, fsid, rdattr_error, filehandle, fileid
Message as_linux_asks(const std::string& handle, uint32_t error = 0) {
  return attributes(kLinux, Message().zeros(1 + 2 + 2 + 4).words(error).add(text(handle)).zeros(2 + 9));
}
const Message kAskReadDir = Message().zeros(4).words(0, 0).words(1, kLinux);
Message listing(const Message& entries) {
  return Message().zeros(2).add(entries).words(0, 1);
}

}  // namespace

TEST_CASE("READDIR of NFSv4 tells the handles of what it lists") {
  Names names = with_file();
  const Message all =
      Message()
          .add(entry("a", as_linux_asks("handle of a")))
          .add(entry("none", attributes(0x2, Message().zeros(1))))
          .add(entry("unread", attributes(0x800, Message().words(13))))
          .add(entry("error", as_linux_asks("E", 13)))
          .add(entry("acl", attributes(0x81000, Message().zeros(1).add(text("L")))))
          .add(entry("short", attributes(0x80000, Message().words(8).zeros(1))))
          .add(entry("empty", attributes(0x80000, text(""))))
          .add(entry("bare", Message().words(0, 0)))
          .add(entry("..", as_linux_asks("U")))
          .add(entry("every", attributes(0xfefff, Message().words(1, 7).zeros(22).add(text("V")))))
          .add(entry("z", as_linux_asks("Z")));
  CHECK(Sent().put("D").op(kReadDir, kAskReadDir, listing(all)).taken(names) == "/dir");
  CHECK(path_of(names, "handle of a") == "/dir/a");
  CHECK(path_of(names, "V") == "/dir/every");
  CHECK(path_of(names, "Z") == "/dir/z");
  for (const char* other : {"E", "L", "U"}) {
    CHECK(names.find(kHere, other) == 0);
  }
  CHECK(names.size() == 6);  // the root, D, F, and three
  // In a directory that was looked up, and of which no handle is known.
  Sent()
      .put("D")
      .lookup("sub")
      .op(kReadDir, kAskReadDir, listing(entry("s", as_linux_asks("S"))))
      .taken(names);
  CHECK(path_of(names, "S") == "/dir/sub/s");
}

TEST_CASE("what was not captured of a listing is not there") {
  const Message all =
      Message().add(entry("a", as_linux_asks("handle of a"))).add(entry("b", as_linux_asks("B")));
  const Sent sent = Sent().put("D").op(kReadDir, kAskReadDir, listing(all));
  const Message call = sent.call(), reply = sent.reply();
  size_t most = 0;
  for (size_t kept = 0; kept <= reply.bytes.size(); ++kept) {
    Names names = with_file();
    take(names, call, reply, SIZE_MAX, kept);
    const std::string a = path_of(names, "handle of a"), b = path_of(names, "B");
    CHECK((a.empty() || a == "/dir/a"));
    CHECK((b.empty() || b == "/dir/b"));
    CHECK((b.empty() || !a.empty()));
    most = std::max(most, a.size() + b.size());
  }
  CHECK(most == 12);
}

TEST_CASE("a listing that failed, or of a directory that is not known, teaches nothing") {
  Names names = with_file();
  Sent().op(kPutPubFh).op(kReadDir, kAskReadDir, listing(entry("a", as_linux_asks("A")))).taken(names);
  CHECK(path_of(names, "A").empty());
}

TEST_CASE("LOOKUPP goes to the directory above, where that is known") {
  Names names = with_file();
  Sent().put("D").lookup("sub").get("S").taken(names);
  CHECK(Sent().put("S").op(kLookupp).get("D").taken(names) == "/dir");
  CHECK(Sent().put("S").op(kLookupp).lookup("other").get("O").taken(names) == "/dir");
  CHECK(path_of(names, "O") == "/dir/other");
  Sent().put("S").op(kLookupp).op(kLookupp).get("R").taken(names);
  CHECK(path_of(names, "R") == "/");
  Sent().put("D").lookup("x").lookup("y").op(kLookupp).get("X").taken(names);
  CHECK(path_of(names, "X") == "/dir/x");
  // The root is in no directory, and of others nothing is known.
  for (const char* handle : {"R", "unknown"}) {
    CHECK(Sent().put(handle).op(kLookupp).lookup("what").get("W").taken(names).empty());
    CHECK(path_of(names, "W").empty());
  }
}

TEST_CASE("a LOOKUP of dots in NFSv3 is about the directory, or the one above") {
  constexpr uint32_t kLookup3 = 3;
  const auto lookup = [](const std::string& handle, const std::string& name) {
    return made::call(3, kLookup3).add(text(handle)).add(text(name));
  };
  const auto found = [](const std::string& handle) {
    return made::reply().words(0).add(text(handle)).zeros(2);
  };
  const Message failed = made::reply().words(5, 0);
  Names names = with_file();
  CHECK(take(names, lookup("D", "sub"), found("S")) == "/dir/sub");
  CHECK(take(names, lookup("S", ".."), found("D")) == "/dir");
  CHECK(take(names, lookup("S", ".."), failed) == "/dir");
  CHECK(take(names, lookup("S", "."), failed) == "/dir/sub");
  CHECK(take(names, lookup("S", ".."), found("elsewhere")).empty());
  CHECK(take(names, lookup("unknown", ".."), failed).empty());
  CHECK(take(names, lookup("unknown", ".."), found("D")) == "/dir");
  CHECK(path_of(names, "S") == "/dir/sub");
}

TEST_CASE("NFSv2: LOOKUP, CREATE and MKDIR name a handle, SYMLINK a link without one") {
  constexpr uint32_t kGetattr2 = 1, kLookup2 = 4, kCreate2 = 9, kSymlink2 = 13, kMkdir2 = 14;
  const auto handle = [](char of) { return Message().fill(32, static_cast<uint8_t>(of)); };
  const auto asked = [&](uint32_t procedure, char directory, const std::string& name) {
    return made::call(2, procedure).add(handle(directory)).add(text(name));
  };
  const auto found = [&](char file) { return made::reply().words(0).add(handle(file)).zeros(17); };
  const auto about = [&](Names& names, char file) {
    return take(names, made::call(2, kGetattr2).add(handle(file)), made::reply().words(0).zeros(17));
  };
  Names names;
  CHECK(take(names, asked(kLookup2, 'D', "dir"), found('E')) == "dir");
  CHECK(take(names, asked(kMkdir2, 'E', "sub").zeros(8), found('S')) == "dir/sub");
  CHECK(take(names, asked(kCreate2, 'S', "new").zeros(8), found('F')) == "dir/sub/new");
  CHECK(take(names, asked(kLookup2, 'S', ".."), found('E')) == "dir");
  CHECK(about(names, 'F') == "dir/sub/new");
  const Message link = asked(kSymlink2, 'S', "new").add(text("target")).zeros(8);
  CHECK(take(names, link, made::reply().words(17)) == "dir/sub/new");  // it was there before
  CHECK(about(names, 'F') == "dir/sub/new");
  take(names, link, made::reply().words(0));
  CHECK(about(names, 'F').empty());
}

TEST_CASE("PUTROOTFH is the root, and PUTPUBFH may be any directory") {
  Names names;
  CHECK(Sent().op(kPutRootFh).get("R").attributes().taken(names) == "/");
  CHECK(path_of(names, "R") == "/");
  CHECK(Sent().op(kPutPubFh).lookup("a").get("A").taken(names) == "a");
  CHECK(path_of(names, "A").empty());
}

TEST_CASE("SECINFO leaves no current filehandle, but in minor version zero") {
  for (const uint32_t minor : {0, 1}) {
    for (const uint32_t opcode : {kSecInfo, kSecInfoNoName}) {
      if (minor == 0 && opcode == kSecInfoNoName) {
        continue;
      }
      Names names = with_file();
      const Message asked = opcode == kSecInfo ? text("file") : Message().words(0);
      CHECK(Sent(minor).put("D").op(opcode, asked, Message().words(0)).lookup("new").get("N").taken(names) ==
            (opcode == kSecInfo ? "/dir/file" : "/dir"));
      CHECK(path_of(names, "N") == (minor == 0 ? "/dir/new" : ""));
    }
  }
}

TEST_CASE("a saved filehandle comes back") {
  Names names = with_file();
  CHECK(Sent().put("D").op(kSaveFh).lookup("file").op(kRestoreFh).lookup("b").get("B").taken(names) ==
        "/dir/file");
  CHECK(path_of(names, "B") == "/dir/b");
  Sent().put("D").op(kRestoreFh).lookup("c").get("C").taken(names);
  CHECK(path_of(names, "C").empty());
}

TEST_CASE("OPEN is about the name that it claims by, else about the current filehandle") {
  Names names = with_file();
  const Message state = Message().zeros(4);
  CHECK(Sent().put("D").op(kOpen, open_of(0, text("new")), kOpened).get("N").taken(names) == "/dir/new");
  CHECK(path_of(names, "N") == "/dir/new");
  CHECK(Sent()
            .put("D")
            .op(kOpen, open_of(2, Message().add(state).add(text("file"))), kOpened)
            .get("F")
            .taken(names) == "/dir/file");
  CHECK(Sent().put("F").op(kOpen, open_of(1, Message().words(0)), kOpened).get("F").taken(names) ==
        "/dir/file");
  CHECK(Sent().put("F").op(kOpen, open_of(4, {}), kOpened).get("F").taken(names) == "/dir/file");
  CHECK(Sent().put("F").op(kOpen, open_of(5, state), kOpened).get("F").taken(names) == "/dir/file");
  CHECK(path_of(names, "F") == "/dir/file");
}

TEST_CASE("a Call that was cut in front of a name says nothing of the directory as a file") {
  const Message lookup3 = made::call(3, 3).add(text("D")).add(text("file"));
  const Message lookup4 = Sent().put("D").lookup("file").call();
  const Message open4 = Sent().put("D").op(kOpen, open_of(0, text("file")), kOpened).call();
  for (const Message& call : {lookup3, lookup4, open4}) {
    const Message failed = made::reply().words(5, 0, 0);
    for (size_t kept = 0; kept <= call.bytes.size(); ++kept) {
      Names names = with_file();
      CHECK(take(names, call, failed, kept) == (kept == call.bytes.size() ? "/dir/file" : ""));
    }
  }
}

TEST_CASE("a RENAME, a REMOVE, a LINK and a CREATE take a name away from what had it") {
  const Message change = Message().zeros(5), changes = Message().zeros(10);
  const auto both = [] {
    Names names = with_file();
    Sent().put("D").lookup("other").get("O").taken(names);
    return names;
  };
  Names names = both();
  CHECK(Sent()
            .put("D")
            .op(kSaveFh)
            .op(kRename, Message().add(text("file")).add(text("other")), changes)
            .taken(names) == "/dir/file");
  CHECK(path_of(names, "F") == "/dir/other");
  CHECK(path_of(names, "O").empty());
  Sent().put("D").op(kRemove, text("other"), change).taken(names);
  CHECK(path_of(names, "F").empty());

  names = both();
  CHECK(Sent().put("F").op(kSaveFh).put("D").op(kLink, text("other"), change).taken(names) == "/dir/file");
  CHECK(path_of(names, "F") == "/dir/file");
  CHECK(path_of(names, "O").empty());
  Sent().put("O").op(kSaveFh).put("D").op(kLink, text("again"), change).taken(names);
  CHECK(path_of(names, "O") == "/dir/again");
  Sent().put("unheard").op(kSaveFh).put("D").op(kLink, text("again"), change).taken(names);
  CHECK(path_of(names, "O").empty());
  CHECK(path_of(names, "unheard") == "/dir/again");

  names = both();
  const Message create = Message().words(2).add(text("other")).zeros(2);
  Sent().put("D").fails(kExist, kCreate, create).taken(names);
  CHECK(path_of(names, "O") == "/dir/other");
  Sent().put("D").op(kCreate, create, Message().zeros(6)).taken(names);
  CHECK(path_of(names, "O").empty());
}

TEST_CASE("what the server does not find has lost its name") {
  Names names = with_file();
  Sent().put("D").fails(kNoEnt, kOpen, open_of(0, text("file"))).taken(names);
  CHECK(path_of(names, "F").empty());
  names = with_file();
  Sent().put("D").fails(kNoEnt, kLookup, text("file")).taken(names);
  CHECK(path_of(names, "F").empty());
  names = with_file();
  CHECK(Sent().fails(kStale, made::kPutFh, text("F")).taken(names).empty());
  CHECK(names.find(kHere, "F") == 0);
}

}  // namespace steertag::files
