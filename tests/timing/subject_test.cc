// What an RPC was about, read from made messages.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "nfs/made.h"
#include "timing/subject_reader.h"

namespace steertag::timing {
namespace {

using Words = made::Message;
using OpNames = std::vector<std::string>;

constexpr uint32_t kMadeXid = 0x1234;  // of made::call() and made::reply()

struct MadeRpc {
  Exchange x;

  explicit MadeRpc(const Words& call, size_t kept = SIZE_MAX) {
    x.xid = kMadeXid;
    x.call = Stamp{};
    x.call_legible = true;
    x.call_inline = {call.bytes.begin(),
                     call.bytes.begin() + static_cast<ptrdiff_t>(std::min(kept, call.bytes.size()))};
    x.call_inline_length = static_cast<uint32_t>(call.bytes.size());
    rpcrdma::RpcHeader rpc;
    rpcrdma::decode(call.bytes, x.call_inline_length, rpc);
    x.procedure = Exchange::Procedure{rpc.program, rpc.version, rpc.procedure};
  }
  MadeRpc& reply(const Words& reply) {
    x.reply = Stamp{};
    x.status = Status::complete;
    x.reply_legible = true;
    x.reply_inline = reply.bytes;
    x.reply_inline_length = static_cast<uint32_t>(reply.bytes.size());
    rpcrdma::RpcHeader rpc;
    rpcrdma::decode(reply.bytes, x.reply_inline_length, rpc);
    x.answer = rpc.answer();
    return *this;
  }
  const Subject& read() {
    SubjectReader reader;
    reader.read(x, x.subject);
    return x.subject;
  }
  OpNames ops() { return {x.subject.ops.begin(), x.subject.ops.end()}; }
};

// A COMPOUND of minor version 2 that consists of operations without arguments.
Words compound_of(std::vector<uint32_t> opcodes) {
  Words message = made::compound_of(2, static_cast<uint32_t>(opcodes.size()));
  for (const uint32_t opcode : opcodes) {
    message.words(opcode);
  }
  return message;
}

namespace opcode {
constexpr uint32_t getfh = 10, putrootfh = 24, savefh = 32, lookupp = 16, write = 38;
}

}  // namespace

TEST_CASE("an RPC of NFSv3 is about its procedure, and its status is the first word of its results") {
  MadeRpc rpc(made::call(3, 3).opaque(16).opaque(5));
  const Subject& found = rpc.reply(made::reply().words(2, 0)).read();
  CHECK(found.op == "LOOKUP");
  CHECK(found.ops.empty());
  CHECK(found.nfs_status == 2U);
  CHECK(found.nfs_status_name == "NFS3ERR_NOENT");
  CHECK(found.arguments_length == 40 + 20 + 12);
  CHECK(found.results_length == 24 + 8);
}

TEST_CASE("OK has no name, and a status without one is its number") {
  CHECK(MadeRpc(made::call(3, 1).opaque(16)).reply(made::reply().words(0).zeros(21)).read().nfs_status == 0U);
  MadeRpc odd(made::call(3, 1).opaque(16));
  CHECK(odd.reply(made::reply().words(4711)).read().nfs_status == 4711U);
  CHECK(odd.x.subject.nfs_status_name == "4711");
  MadeRpc null(made::call(3, 0));
  CHECK_FALSE(null.reply(made::reply()).read().nfs_status);
  CHECK(null.x.subject.op == "NULL");
}

TEST_CASE("NFSACL, companions, and procedures without a name") {
  CHECK(MadeRpc(made::call(3, 1, 100227)).read().op == "GETACL");
  CHECK(MadeRpc(made::call(3, 1, 100005)).read().op == "MNT");
  CHECK(MadeRpc(made::call(3, 99)).read().op == "99");
  CHECK(MadeRpc(made::call(1, 7, 400122)).read().op == "7");
  MadeRpc mount(made::call(3, 1, 100005).opaque(4));
  CHECK(mount.reply(made::reply().words(13)).read().nfs_status_name == "MNT3ERR_ACCES");
  CHECK(mount.reply(made::reply().words(0).opaque(28)).read().nfs_status == 0U);
  MadeRpc unmount(made::call(3, 3, 100005).opaque(4));
  CHECK_FALSE(unmount.reply(made::reply().words(13)).read().nfs_status);
  MadeRpc acl(made::call(3, 1, 100227).opaque(16).words(0));
  CHECK(acl.reply(made::reply().words(13)).read().nfs_status_name == "NFS3ERR_ACCES");
}

TEST_CASE("NLM has its status behind a cookie of any length") {
  for (const size_t cookie : {0U, 1U, 4U, 1024U}) {
    MadeRpc lock(made::call(4, 2, 100021).opaque(cookie));
    CHECK(lock.reply(made::reply().opaque(cookie).words(1)).read().nfs_status_name == "NLM4_DENIED");
    CHECK(lock.x.subject.op == "LOCK");
    CHECK(lock.reply(made::reply().opaque(cookie).words(0)).read().nfs_status == 0U);
  }
  MadeRpc lock(made::call(4, 2, 100021));
  CHECK_FALSE(lock.reply(made::reply().words(5, 0)).read().nfs_status);  // shorter than it says
  CHECK_FALSE(lock.reply(made::reply().opaque(4)).read().nfs_status);
  MadeRpc later(made::call(4, 7, 100021).opaque(4));  // LOCK_MSG: what it answers is a Call
  CHECK_FALSE(later.reply(made::reply().opaque(4).words(1)).read().nfs_status);
}

TEST_CASE("a COMPOUND is about one of its operations, all of which are named") {
  MadeRpc rpc(compound_of({opcode::putrootfh, opcode::savefh, opcode::lookupp, opcode::getfh}));
  const Subject& found = rpc.reply(made::reply().words(10008, 0, 3)).read();
  CHECK(found.op == "LOOKUPP");
  CHECK(rpc.ops() == OpNames{"PUTROOTFH", "SAVEFH", "LOOKUPP", "GETFH"});
  CHECK(found.ops_whole);
  CHECK(found.nfs_status_name == "NFS4ERR_DELAY");
}

TEST_CASE("a COMPOUND with an unknown operation is read up to it, and is about what is ILLEGAL") {
  MadeRpc rpc(compound_of({opcode::putrootfh, 4711, opcode::lookupp}));
  CHECK(rpc.read().op == "ILLEGAL");
  CHECK(rpc.ops() == OpNames{"PUTROOTFH", "4711"});
  CHECK_FALSE(rpc.x.subject.ops_whole);
}

TEST_CASE("a COMPOUND of which only the front was kept is about what is certain") {
  const Words writing = made::compound_of(2, 3)
                            .words(opcode::putrootfh, opcode::write)
                            .zeros(4)
                            .words(0, 0, 2)
                            .opaque(2000)
                            .words(opcode::getfh);
  MadeRpc rpc(writing, 1024);
  CHECK(rpc.read().op == "WRITE");
  CHECK(rpc.ops() == OpNames{"PUTROOTFH", "WRITE"});
  CHECK_FALSE(rpc.x.subject.ops_whole);
  CHECK(rpc.x.subject.arguments_length == writing.bytes.size());

  MadeRpc all(writing);
  CHECK(all.read().ops_whole);
  CHECK(all.ops() == OpNames{"PUTROOTFH", "WRITE", "GETFH"});

  const Words prepares = compound_of({opcode::putrootfh, opcode::savefh, opcode::getfh});
  MadeRpc front(prepares, prepares.bytes.size() - 4);
  CHECK(front.read().op.empty());
  CHECK(front.ops() == OpNames{"PUTROOTFH", "SAVEFH"});
}

TEST_CASE("a COMPOUND of more operations than are named says so") {
  MadeRpc rpc(compound_of(std::vector<uint32_t>(kMaxOperations + 1, opcode::getfh)));
  CHECK(rpc.read().ops.size() == kMaxOperations);
  CHECK_FALSE(rpc.x.subject.ops_whole);
  CHECK(rpc.x.subject.op == "GETFH");
  const size_t grown = rpc.x.subject.ops.bytes();
  CHECK(rpc.x.bytes() >= grown);
  rpc.x.reset();  // for another RPC: what one in a thousand needs is not kept
  CHECK(rpc.x.subject.ops.bytes() < grown);
  MadeRpc most(compound_of(std::vector<uint32_t>(kMaxOperations, opcode::getfh)));
  CHECK(most.read().ops_whole);
}

TEST_CASE("a program that only looks like a callback is about a procedure that nobody can name") {
  const Words other = made::call(1, 1, 0x40000000).words(0xffffffff);
  MadeRpc rpc(other);
  CHECK(rpc.reply(made::reply().words(2)).read().op.empty());
  CHECK_FALSE(rpc.x.subject.nfs_status);
}

TEST_CASE("a refused RPC has no status of NFS, nor one whose Call or Reply was not captured") {
  const Words call = made::call(3, 1).opaque(16);
  CHECK_FALSE(MadeRpc(call).reply(made::reply(3).words(2)).read().nfs_status);
  CHECK_FALSE(MadeRpc(call).read().nfs_status);
  CHECK_FALSE(MadeRpc(call).x.subject.results_length);

  MadeRpc headless(call, 24);  // the credential was not kept: it may hide the results
  CHECK_FALSE(headless.reply(made::reply().words(2)).read().nfs_status);
  CHECK(headless.x.subject.op == "GETATTR");

  MadeRpc uncalled(call);
  uncalled.reply(made::reply().words(2));
  uncalled.x.call.reset();
  uncalled.x.procedure.reset();
  CHECK_FALSE(uncalled.read().nfs_status);
  CHECK_FALSE(uncalled.x.subject.arguments_length);
  CHECK(uncalled.x.subject.results_length == 28U);
}

TEST_CASE("messages whose transport header was not captured whole have no length") {
  MadeRpc rpc(made::call(3, 1).opaque(16));
  rpc.reply(made::reply().words(2));
  rpc.x.call_legible = rpc.x.reply_legible = false;
  CHECK_FALSE(rpc.read().arguments_length);
  CHECK_FALSE(rpc.x.subject.results_length);
}

TEST_CASE("lengths count what Read chunks hold and Write chunks return") {
  MadeRpc rpc(made::call(3, 1).opaque(16));
  rpc.reply(made::reply().words(0));
  const auto add = [&](ChunkKind kind, uint32_t position, uint32_t length, std::optional<uint32_t> returned) {
    SegmentFlow& segment = rpc.x.segments.add();
    segment = {};
    segment.kind = kind;
    segment.position = position;
    segment.target.length = length;
    segment.returned = returned;
  };
  add(ChunkKind::read, 40, 5, {});
  add(ChunkKind::write, 0, 4096, 1021);
  add(ChunkKind::write, 0, 4096, 0);
  add(ChunkKind::reply, 0, 4096, 77);  // unused: the Reply is inline
  CHECK(rpc.read().arguments_length == 40 + 8 + 20);
  CHECK(rpc.x.subject.results_length == 28 + 1024);
  rpc.x.segments[2].returned = 2;  // the second segment of the same chunk
  CHECK(rpc.read().results_length == 28 + 1024);
  rpc.x.segments[2].chunk = 1;
  CHECK(rpc.read().results_length == 28 + 1024 + 4);
}

TEST_CASE("what was said of one RPC does not stay for the next") {
  MadeRpc rpc(compound_of({opcode::putrootfh, opcode::lookupp}));
  rpc.reply(made::reply().words(2, 0, 1));
  SubjectReader reader;
  reader.read(rpc.x, rpc.x.subject);
  REQUIRE(rpc.x.subject.nfs_status == 2U);
  rpc.x.procedure.reset();
  rpc.x.reply.reset();
  reader.read(rpc.x, rpc.x.subject);
  CHECK(rpc.x.subject.op.empty());
  CHECK(rpc.x.subject.ops.empty());
  CHECK(rpc.x.subject.nfs_status_name.empty());
  CHECK_FALSE(rpc.x.subject.nfs_status);
}

}  // namespace steertag::timing
