// Which file an RPC is about: what exchanges of NFSv2, NFSv3 and NFSv4 teach, and what they do not.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "nfs/made.h"
#include "timing/subject_reader.h"
#include "track/connection.h"

namespace steertag::timing {
namespace {

using Line = made::Message;

Line& text(Line& message, const std::string& value) {
  message.words(value.size());
  message.bytes.insert(message.bytes.end(), value.begin(), value.end());
  message.bytes.resize((message.bytes.size() + 3) / 4 * 4);
  return message;
}
Line with(Line message, const std::string& one) {
  return text(message, one);
}
Line with(Line message, const std::string& one, const std::string& two) {
  return text(text(message, one), two);
}

// RPCs of one client at one server, one after the other.
class Told {
 public:
  Subject& ask(const Line& call, const Line* reply = nullptr) {
    x_.reset();
    x_.connection = &connection_;
    x_.xid = 0x1234;
    x_.call = Stamp{};
    x_.call_legible = x_.reply_legible = true;
    x_.call_inline = call.bytes;
    x_.call_inline_length = static_cast<uint32_t>(call.bytes.size());
    rpcrdma::RpcHeader rpc;
    rpcrdma::decode(call.bytes, x_.call_inline_length, rpc);
    x_.procedure = Exchange::Procedure{rpc.program, rpc.version, rpc.procedure};
    if (reply != nullptr) {
      x_.reply = Stamp{};
      x_.reply_inline = reply->bytes;
      x_.reply_inline_length = static_cast<uint32_t>(reply->bytes.size());
      rpcrdma::decode(reply->bytes, x_.reply_inline_length, rpc);
      x_.answer = rpc.answer();
    }
    x_.complete = !doubted;
    reader_.read(x_, x_.subject);
    return x_.subject;
  }
  Subject& ask(const Line& call, const Line& reply) { return ask(call, &reply); }

  bool doubted = false;

 private:
  track::Connection connection_;
  Exchange x_;
  SubjectReader reader_{SubjectReader::Files::asked};
};

constexpr uint32_t kGetattr3 = 1, kLookup3 = 3, kRead3 = 6, kWrite3 = 7, kCreate3 = 8, kRemove3 = 12,
                   kRename3 = 14, kLink3 = 15, kListPlus3 = 17, kCommit3 = 21;

Line call3(uint32_t procedure, const std::string& handle) {
  return with(made::call(3, procedure), handle);
}
Line call3(uint32_t procedure, const std::string& directory, const std::string& name) {
  return with(made::call(3, procedure), directory, name);
}
// LOOKUP found that handle.
Line found3(const std::string& handle) {
  return with(made::reply().words(0), handle).words(0, 0);
}
Line changed3(uint32_t status = 0) {
  return made::reply().words(status, 0, 0);
}
std::string name_of(Told& told, const std::string& handle) {
  return told.ask(call3(kGetattr3, handle)).file;
}
void look_up(Told& told, const std::string& directory, const std::string& name, const std::string& handle) {
  told.ask(call3(kLookup3, directory, name), found3(handle));
}

// NFSv2: a handle has 32 bytes.
constexpr uint32_t kGetattr2 = 1, kLookup2 = 4, kRead2 = 6, kWrite2 = 8, kRemove2 = 10, kRename2 = 11,
                   kLink2 = 12, kRmdir2 = 15, kReaddir2 = 16;
Line fixed(Line message, char handle) {
  return message.fill(32, static_cast<uint8_t>(handle));
}
Line call2(uint32_t procedure, char handle) {
  return fixed(made::call(2, procedure), handle);
}
Line call2(uint32_t procedure, char directory, const std::string& name) {
  return with(call2(procedure, directory), name);
}
std::string name_of2(Told& told, char handle) {
  return told.ask(call2(kGetattr2, handle)).file;
}
void look_up2(Told& told, char directory, const std::string& name, char handle) {
  told.ask(call2(kLookup2, directory, name), fixed(made::reply().words(0), handle).zeros(17));
}

// SEQUENCE is left out.
Line compound(uint32_t operations) {
  return made::compound_of(0, operations);
}
Line put_fh(uint32_t operations, const std::string& handle) {
  return with(compound(operations).words(22), handle);
}
std::string name_of4(Told& told, const std::string& handle) {
  return told.ask(put_fh(2, handle).words(9, 0)).file;
}
// PUTFH or PUTROOTFH, LOOKUP, GETFH.
void look_up4(Told& told, const std::string& directory, const std::string& name, const std::string& handle) {
  Line call = directory.empty() ? compound(3).words(24) : put_fh(3, directory);
  text(call.words(15), name).words(10);
  Line reply = made::compound_reply(3).words(directory.empty() ? 24 : 22, 0, 15, 0, 10, 0);
  told.ask(call, text(reply, handle));
}

}  // namespace

TEST_CASE("NFSv3: which bytes of which file, and a handle that nothing explains has no name") {
  Told told;
  CHECK(told.ask(call3(kRead3, "F").words(0, 8192, 4096)).file.empty());
  look_up(told, "D", "dir", "E");
  look_up(told, "E", "a\x1b", "F");
  const Subject& read = told.ask(call3(kRead3, "F").words(1, 0, 4096));
  CHECK(read.file == "dir/a\x1b");
  CHECK(read.offset == 0x1'0000'0000);
  CHECK(read.count == 4096U);
  CHECK(told.ask(call3(kWrite3, "F").words(0, 5, 3, 2).opaque(3)).count == 3U);
  CHECK(told.ask(call3(kCommit3, "F").words(0, 5, 0)).count == 0U);
  CHECK_FALSE(told.ask(call3(kListPlus3, "F").words(0, 0, 0, 0, 512, 4096)).count);
  CHECK(told.ask(call3(kLookup3, "E", "b"), changed3(2)).file == "dir/b");
  CHECK(told.ask(call3(kLookup3, "?", "b")).file == "b");
  CHECK(told.ask(call3(kLookup3, "E", "..")).file.empty());
}

TEST_CASE("the user is that of AUTH_SYS") {
  Told told;
  CHECK_FALSE(told.ask(call3(kGetattr3, "F")).user);
  Line call = Line().words(0x1234, 0, 2, 100003, 3, 1, 1, 24, 77, 4).fill(4).words(1000, 100, 0, 0, 0);
  CHECK(told.ask(text(call, "F")).user == 1000U);
  Line cut = Line().words(0x1234, 0, 2, 100003, 3, 1, 1, 8, 77, 4, 0, 0);
  CHECK_FALSE(told.ask(text(cut, "F")).user);
}

TEST_CASE("NFSv3: CREATE and READDIRPLUS teach names as LOOKUP does") {
  Told told;
  told.ask(call3(kCreate3, "D", "new").words(2, 0, 0), with(made::reply().words(0, 1), "F").words(0, 0, 0));
  CHECK(name_of(told, "F") == "new");
  told.ask(call3(kCreate3, "D", "new").words(2, 0, 0), made::reply().words(0, 0, 0, 0, 0));  // no handle
  CHECK(name_of(told, "F").empty());
  Line list = made::reply().words(0, 0, 0, 0);
  text(list.words(1, 0, 1), ".").words(0, 1, 0, 1);
  text(list, "D");
  text(list.words(1, 0, 2), "one").words(0, 2, 0, 1);
  text(list, "1");
  text(list.words(1, 0, 3), "two").words(0, 3, 0, 0).words(0, 1);
  told.ask(call3(kListPlus3, "D").words(0, 0, 0, 0, 512, 4096), list);
  CHECK(name_of(told, "1") == "one");
  CHECK(name_of(told, "D").empty());
}

TEST_CASE("NFSv3: after a RENAME the name follows, after a REMOVE it is forgotten") {
  Told told;
  const Line rename = with(call3(kRename3, "D", "a"), "E", "b");
  look_up(told, "D", "a", "F");
  told.ask(rename, changed3(13).words(0, 0));  // it failed
  CHECK(name_of(told, "F") == "a");
  CHECK(told.ask(rename, changed3().words(0, 0)).file == "a");
  CHECK(name_of(told, "F") == "b");
  told.ask(call3(kRemove3, "E", "b"), changed3(13));
  CHECK(name_of(told, "F") == "b");
  CHECK(told.ask(call3(kRemove3, "E", "b"), changed3()).file == "b");
  CHECK(name_of(told, "F").empty());
  // Whether it was done is not known.
  look_up(told, "D", "a", "F");
  told.ask(rename);
  CHECK(name_of(told, "F").empty());
  look_up(told, "D", "a", "F");
  told.ask(call3(kRemove3, "D", "a"));
  CHECK(name_of(told, "F").empty());
  // It is there no more, or its handle is not.
  look_up(told, "D", "a", "F");
  told.ask(call3(kLookup3, "D", "a"), changed3(2));
  CHECK(name_of(told, "F").empty());
  look_up(told, "D", "a", "F");
  told.ask(call3(kGetattr3, "F"), made::reply().words(70));
  CHECK(name_of(told, "F").empty());
  // A second name is one where there is no first.
  told.ask(with(call3(kLink3, "F"), "D", "c"), changed3());
  CHECK(name_of(told, "F") == "c");
}

TEST_CASE("NFSv2: which bytes of which file") {
  Told told;
  CHECK(told.ask(call2(kRead2, 'F').words(8192, 4096, 0)).file.empty());
  look_up2(told, 'D', "dir", 'E');
  look_up2(told, 'E', "a", 'F');
  const Subject& read = told.ask(call2(kRead2, 'F').words(8192, 4096, 77));
  CHECK(read.file == "dir/a");
  CHECK(read.offset == 8192U);
  CHECK(read.count == 4096U);
  const Subject& write = told.ask(call2(kWrite2, 'F').words(1, 0xFFFF0000, 2).opaque(3));
  CHECK(write.file == "dir/a");
  CHECK(write.offset == 0xFFFF0000U);
  CHECK(write.count == 3U);
  CHECK_FALSE(told.ask(call2(kReaddir2, 'E').words(0, 4096)).count);
  CHECK(told.ask(call2(kReaddir2, 'E').words(0, 4096)).file == "dir");
  CHECK(told.ask(call2(kLookup2, 'E', "b"), made::reply().words(2)).file == "dir/b");
}

TEST_CASE("NFSv2: after a RENAME the name follows, after a REMOVE it is forgotten") {
  Told told;
  const Line rename = with(fixed(call2(kRename2, 'D', "a"), 'E'), "b");
  look_up2(told, 'D', "a", 'F');
  told.ask(rename, made::reply().words(13));  // it failed
  CHECK(name_of2(told, 'F') == "a");
  CHECK(told.ask(rename, made::reply().words(0)).file == "a");
  CHECK(name_of2(told, 'F') == "b");
  for (const uint32_t procedure : {kRemove2, kRmdir2}) {
    look_up2(told, 'E', "b", 'F');
    told.ask(call2(procedure, 'E', "b"), made::reply().words(13));
    CHECK(name_of2(told, 'F') == "b");
    CHECK(told.ask(call2(procedure, 'E', "b"), made::reply().words(0)).file == "b");
    CHECK(name_of2(told, 'F').empty());
  }
  told.ask(with(fixed(call2(kLink2, 'F'), 'D'), "c"), made::reply().words(0));
  CHECK(name_of2(told, 'F') == "c");
  told.ask(call2(kGetattr2, 'F'), made::reply().words(70));  // stale
  CHECK(name_of2(told, 'F').empty());
}

TEST_CASE("NFSACL has the handles of its version of NFS") {
  constexpr uint32_t acl = 100227, access2 = 4;
  Told told;
  look_up2(told, 'D', "a", 'F');
  look_up(told, "D", "b", "F");
  CHECK(told.ask(fixed(made::call(2, access2, acl), 'F').words(1)).file == "a");
  CHECK(told.ask(with(made::call(3, 1, acl), "F").words(1)).file == "b");
}

TEST_CASE("an RPC of which frames may be missing teaches nothing") {
  Told told;
  told.doubted = true;
  look_up(told, "D", "a", "F");
  look_up4(told, "D", "a", "F");
  CHECK(name_of(told, "F").empty());
}

TEST_CASE("NFSv4: what a COMPOUND is about, and what its GETFH teaches") {
  Told told;
  look_up4(told, "", "export", "E");
  CHECK(name_of4(told, "E") == "/export");
  look_up4(told, "E", "a", "F");
  const Subject& read = told.ask(put_fh(2, "F").words(25).zeros(4).words(0, 4096, 512));
  CHECK(read.file == "/export/a");
  CHECK(read.offset == 4096U);
  CHECK(read.count == 512U);
  CHECK(told.ask(put_fh(2, "F").words(38).zeros(4).words(0, 8, 2).opaque(7)).count == 7U);
  CHECK(told.ask(put_fh(2, "F").words(5, 0, 8, 9)).count == 9U);
  CHECK(told.ask(compound(2).words(24, 9, 0)).file == "/");
  CHECK(told.ask(compound(2).words(16, 9, 0)).file.empty());
  look_up4(told, "?", "b", "G");
  CHECK(name_of4(told, "G") == "b");
}

TEST_CASE("NFSv4: OPEN by name and by handle, RENAME, REMOVE, and where a COMPOUND failed") {
  Told told;
  // OPEN: not to create, by name.
  Line call = put_fh(3, "D").words(18, 1, 1, 0, 0, 0).opaque(1).words(0, 0);
  text(call, "a").words(10);
  Line reply = made::compound_reply(3).words(22, 0, 18, 0).zeros(4).zeros(5).words(0, 0, 0, 10, 0);
  CHECK(told.ask(call, text(reply, "F")).file == "a");
  CHECK(name_of4(told, "F") == "a");
  CHECK(told.ask(put_fh(2, "F").words(18, 1, 1, 0, 0, 0).opaque(1).words(0, 4)).file == "a");
  // SAVEFH, PUTFH, RENAME.
  Line rename = put_fh(4, "D").words(32, 22);
  text(text(text(rename, "E").words(29), "a"), "b");
  const Line failed = made::reply().words(13, 0, 4, 22, 0, 32, 0, 22, 0, 29, 13);
  told.ask(rename, failed);
  CHECK(name_of4(told, "F") == "a");
  told.ask(rename, made::compound_reply(4).words(22, 0, 32, 0, 22, 0, 29, 0).zeros(10));
  CHECK(name_of4(told, "F") == "b");
  Line remove = put_fh(2, "E").words(28);
  text(remove, "b");
  told.ask(remove, made::reply().words(13, 0, 2, 22, 0, 28, 13));
  CHECK(name_of4(told, "F") == "b");
  told.ask(remove, made::compound_reply(2).words(22, 0, 28, 0).zeros(5));
  CHECK(name_of4(told, "F").empty());
}

TEST_CASE("NFSv4: READDIR names the handles that it lists") {
  Told told;
  look_up4(told, "", "export", "E");
  const Line call = put_fh(2, "E").words(26).zeros(4).words(0, 0, 1, 1 << 19);
  Line reply = made::compound_reply(2).words(22, 0, 26, 0).zeros(2);
  text(reply.words(1, 0, 1), "a").words(1, 1 << 19, 8);
  text(reply, "A").words(0, 1);
  CHECK(told.ask(call, reply).file == "/export");
  CHECK(name_of4(told, "A") == "/export/a");
}

TEST_CASE("MNT names the handle of what is exported") {
  constexpr uint32_t mount = 100005;
  Told told;
  const auto ask = [&](uint32_t version, const std::string& path, const std::string& handle) {
    return told
        .ask(with(made::call(version, 1, mount), path), with(made::reply().words(0), handle).words(1, 1))
        .file;
  };
  CHECK(ask(3, "/export/data/", "M") == "/export/data");
  look_up(told, "M", "a", "F");
  CHECK(name_of(told, "F") == "/export/data/a");
  CHECK(ask(3, "/", "R") == "/");
  CHECK(name_of(told, "R") == "/");
  for (const char* path : {"/a/../b", "a", ""}) {
    CHECK(ask(3, path, "N").empty());
    CHECK(name_of(told, "N").empty());
  }
  for (const uint32_t version : {1, 2}) {  // whose handles are those of NFSv2
    const char handle = version == 1 ? 'M' : 'N';
    CHECK(told.ask(with(made::call(version, 1, mount), "/one"), fixed(made::reply().words(0), handle)).file ==
          "/one");
    CHECK(name_of2(told, handle) == "/one");
  }
  CHECK(told.ask(with(made::call(4, 1, mount), "/four"), made::reply().words(0).zeros(8)).file.empty());
  CHECK(told.ask(with(made::call(3, 1, mount), "/no"), made::reply().words(13)).file == "/no");
  CHECK(told.ask(with(made::call(3, 3, mount), "/no")).file.empty());  // UMNT
}

}  // namespace steertag::timing
