// What an RPC says of the names of files, and which file it is about: COMPOUNDs of NFSv4 and procedures of
// NFSv3, as they are sent.
#include "files/tree.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "nfs/made.h"

namespace steertag::files {
namespace {

using made::Message;

constexpr uint32_t kCreate = 6, kGetFh = 10, kLink = 11, kLookup = 15, kLookupp = 16, kOpen = 18,
                   kPutPubFh = 23, kPutRootFh = 24, kReadDir = 26, kRemove = 28, kRename = 29,
                   kRestoreFh = 31, kSaveFh = 32, kSecInfo = 33, kSecInfoNoName = 52;
constexpr uint32_t kNoEnt = 2, kExist = 17, kStale = 70;

const Scope kHere{base::Address::lid(1), base::Address::lid(2)};

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
      .results_read = results.complete(),
      .whole = true};
  return compound ? apply_compound(told, walk.compound, names) : apply_nfs3(told, walk.rpc.procedure, names);
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

std::string path_of(Names& names, const std::string& handle) {
  return names.path(names.find(kHere, handle));
}

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

}  // namespace steertag::files
