// What the messages of a connection establish: characteristics, refusals, sizes.
#include <catch2/catch.hpp>
#include <utility>

#include "flow/exchange.h"
#include "flow/message.h"
#include "history/characteristics.h"
#include "history/refusals.h"
#include "history/sizes.h"

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::rpc;
using namespace steertag::history;
using rpcrdma::xchar::Id;
using rpcrdma::xchar::Operation;

namespace {

constexpr Side kRequester = Side::a, kResponder = Side::b;

Stamp moment(int64_t time_ns) {
  return Stamp{.number = static_cast<uint64_t>(time_ns), .time_ns = time_ns};
}

// OPTIONAL messages of version two, each 10 ns after the one before.
struct Conversing {
  rpcrdma::TransportHeader header;
  Message message;
  Characteristics known;
  int64_t now_ns = 0;

  rpcrdma::v2::Optional& make(Operation type, uint32_t xid) {
    header = {};
    header.xid = xid;
    header.version = 2;
    header.procedure = static_cast<uint32_t>(rpcrdma::v2::Proc::optional);
    message = {};
    message.header = &header;
    rpcrdma::v2::Optional& body = header.optional.add();
    body.opttype = type;
    return body;
  }
  void note(Side from) {
    now_ns += 10;
    message.from = from;
    message.at = moment(now_ns);
    known.note(message, true);
  }
  uint32_t number(Side side, Id id) {
    const Reported* reported = known.of(side).find(id);
    return reported != nullptr ? reported->number.value_or(0) : 0;
  }
  void report(Side from, Id id, uint32_t value) {
    make(Operation::updxch, 1).update.now = rpcrdma::xchar::make(id, value);
    note(from);
  }
};

const track::Connection& connection_of_calls() {
  static const track::Connection connection = [] {
    track::Connection made;
    made.first_frame = moment(1);
    return made;
  }();
  return connection;
}

Exchange call_of(uint32_t xid, uint64_t body) {
  Exchange made;
  made.xid = xid;
  made.connection = &connection_of_calls();
  made.call = moment(100);
  made.call_inline_length = 80;
  made.call_message.kept = made.call_message.payload_whole = true;
  made.call_message.header.version = 1;
  made.call_message.body_digest = body;
  return made;
}

rpcrdma::TransportHeader error_of(uint32_t code) {
  rpcrdma::TransportHeader header;
  header.version = 1;
  header.procedure = static_cast<uint32_t>(rpcrdma::v1::Proc::error);
  header.error_v1.emplace().code = static_cast<rpcrdma::v1::ErrorCode>(code);
  return header;
}

// Finds by XID alone: a Call whose body was not captured.
const Refusal* find(Refusals& refusals, uint32_t xid) {
  static rpcrdma::TransportHeader header;
  header.xid = xid;
  Message call;
  call.connection = &connection_of_calls();
  call.header = &header;
  return refusals.find(call);
}

void set_up(track::Connection& connection, Side side, uint32_t sends, uint32_t receives) {
  track::End& end = connection.end(side);
  end.setup_seen = end.private_data_whole = true;
  end.private_data = {.present = true, .version = 1, .send_size = sends, .receive_size = receives};
}

}  // namespace

TEST_CASE("characteristics: what is remembered of either end counts as memory") {
  for (const Side side : {kRequester, kResponder}) {
    Conversing c;
    const size_t nothing = c.known.bytes();
    c.report(side, Id::rbsiz, 4096);
    CHECK(c.known.bytes() > nothing);
    CHECK(c.known.bytes() < nothing + 65536);
  }
}

TEST_CASE("an end's values are those that it reported last, and each end has its own") {
  Conversing c;
  c.make(Operation::initxch, 1).init.start.push_back(rpcrdma::xchar::make(Id::rbsiz, 8192));
  c.note(kRequester);
  CHECK(c.number(kRequester, Id::rbsiz) == 8192);
  CHECK(c.number(kResponder, Id::rbsiz) == 0);
  CHECK(c.known.of(kRequester).first_init->time_ns == 10);
  c.report(kRequester, Id::rbsiz, 16384);
  CHECK(c.number(kRequester, Id::rbsiz) == 16384);
  CHECK(c.known.of(kRequester).optionals == 2);
}

TEST_CASE("a value in INITXCH may be promised not to change") {
  Conversing c;
  rpcrdma::v2::Optional& body = c.make(Operation::initxch, 1);
  body.init.start.push_back(rpcrdma::xchar::make(Id::rbsiz, 8192));
  body.init.start.push_back(rpcrdma::xchar::make(Id::brs, 2));
  body.init.nochg.set(1);
  c.note(kResponder);
  CHECK_FALSE(c.known.of(kResponder).find(Id::rbsiz)->nochg);
  CHECK(c.known.of(kResponder).find(Id::brs)->nochg);
}

TEST_CASE("a request is open until it is answered, and what was done is reported by the answer") {
  Conversing c;
  c.make(Operation::reqxch, 7).request.want.push_back(rpcrdma::xchar::make(Id::rbsiz, 65536));
  c.note(kRequester);
  REQUIRE(c.known.of(kRequester).find_asked(7) != nullptr);
  c.make(Operation::respxch, 7).response.done.set(0);
  c.note(kResponder);
  CHECK(c.known.of(kRequester).find_asked(7) == nullptr);
  CHECK(c.number(kResponder, Id::rbsiz) == 65536);
  CHECK(c.known.of(kResponder).find(Id::rbsiz)->solicited);
  CHECK(c.known.of(kRequester).was_heard(moment(9)));
}

TEST_CASE("a message of another extension is answered by the Reply with its XID, by nothing else") {
  Conversing c;
  c.make(static_cast<Operation>(99), 7);
  c.note(kRequester);
  REQUIRE(c.known.find_unknown(kRequester, 7) != nullptr);
  const auto convey = [&](Direction direction, uint32_t xid) {
    c.make({}, xid);
    c.header.optional.clear();
    c.header.procedure = static_cast<uint32_t>(rpcrdma::v2::Proc::msg);
    c.message.direction = direction;
    c.note(kResponder);
  };
  convey(Direction::call, 7);  // the Responder's own, backward
  convey(Direction::reply, 8);
  CHECK(c.known.find_aside(kRequester, 7, true) == nullptr);
  convey(Direction::reply, 7);
  CHECK(c.known.find_aside(kRequester, 7, true) != nullptr);
}

TEST_CASE("a change that is left pending is owed until an update settles it") {
  Conversing c;
  c.make(Operation::reqxch, 7).request.want.push_back(rpcrdma::xchar::make(Id::rbsiz, 65536));
  c.note(kRequester);
  c.make(Operation::respxch, 7).response.pend.set(0);
  c.note(kResponder);
  REQUIRE(c.known.of(kResponder).owed.size() == 1);
  CHECK(c.number(kResponder, Id::rbsiz) == 0);
  rpcrdma::v2::Optional& body = c.make(Operation::updxch, 8);
  body.update.now = rpcrdma::xchar::make(Id::rbsiz, 65536);
  body.update.pendclr = rpcrdma::XdrBool::yes;
  c.note(kResponder);
  CHECK(c.known.of(kResponder).owed.empty());
}

TEST_CASE("what an end reported is doubtful behind a gap, and so are the answers that it may have given") {
  Conversing c;
  c.make(Operation::reqxch, 7).request.want.push_back(rpcrdma::xchar::make(Id::rbsiz, 65536));
  c.note(kRequester);
  c.known.note_gap(kResponder);
  CHECK(c.known.of(kResponder).missed);
  CHECK_FALSE(c.known.of(kRequester).missed);
  CHECK_FALSE(c.known.of(kRequester).find_asked(7)->certain);
}

TEST_CASE("lists of what an end said are bounded, and charged") {
  Conversing c;
  const auto ask = [&](uint32_t xid) {
    c.make(Operation::reqxch, xid).request.want.push_back(rpcrdma::xchar::make(Id::rbsiz, 4096));
    c.note(kRequester);
  };
  for (uint32_t xid = 1; xid <= Terms::kMaxTerms; ++xid) {
    ask(xid);
  }
  CHECK(c.known.of(kRequester).asked.size() == Terms::kMaxTerms);
  CHECK_FALSE(c.known.of(kRequester).forgot);
  CHECK(c.known.of(kRequester).find_asked(1) != nullptr);
  ask(Terms::kMaxTerms + 1);
  CHECK(c.known.of(kRequester).asked.size() == Terms::kMaxTerms);
  CHECK(c.known.of(kRequester).forgot);
  CHECK(c.known.of(kRequester).find_asked(1) == nullptr);
  CHECK(c.known.of(kRequester).find_asked(2) != nullptr);
  CHECK(c.known.bytes() >= Terms::kMaxTerms * sizeof(Asked));
}

TEST_CASE("what is refused again with the same resources is counted") {
  Refusals refusals;
  refusals.note(call_of(1, 77), error_of(2), moment(200));
  refusals.note(call_of(2, 77), error_of(2), moment(300));  // the same message under another XID
  Exchange third = call_of(3, 77);
  third.call_message.payload_whole = false;
  refusals.note(third, error_of(2), moment(400));
  REQUIRE(find(refusals, 3) != nullptr);
  CHECK(find(refusals, 3)->times == 1);  // it may be another one
  refusals.note(call_of(2, 77), error_of(2), moment(500));
  refusals.note(third, error_of(1), moment(600));
  CHECK(find(refusals, 3)->times == 1);  // another reason
  CHECK(find(refusals, 3)->error.time_ns == 600);
}

TEST_CASE("of what is no RPC Call all but the XID is compared, of a Call all but that and the credential") {
  using Octets = std::vector<uint8_t>;
  const auto digest_without = [](const Octets& bytes) { return body_digest(bytes, nullptr, {}); };
  const Octets one = {0, 0, 0, 7, 1, 2, 3, 4, 5};
  for (size_t at = 0; at < one.size(); ++at) {
    Octets other = one;
    ++other[at];
    INFO(at);
    CHECK((digest_without(other) == digest_without(one)) == (at < 4));
  }
  rpcrdma::RpcHeader rpc;
  rpc.credential.at = {24, 8};
  Octets call(44);
  const uint64_t digest = body_digest(call, &rpc, {});
  for (size_t at = 0; at < call.size(); ++at) {
    Octets other = call;
    ++other[at];
    INFO(at);
    CHECK((body_digest(other, &rpc, {}) == digest) == (at < 4 || (at >= 24 && at < 32)));
  }
}

TEST_CASE("a Call whose body was cut is not held against one whose body is known") {
  Refusals refusals;
  refusals.note(call_of(1, 77), error_of(2), moment(200));
  CHECK(find(refusals, 1) == nullptr);  // the XID may stand for another Call by now
}

TEST_CASE("a Call that was answered is not refused any more") {
  Refusals refusals;
  Exchange call = call_of(1, 77);
  call.call_message.payload_whole = false;
  refusals.note(call, error_of(2), moment(200));
  REQUIRE(find(refusals, 1) != nullptr);
  refusals.forget(call);
  CHECK(find(refusals, 1) == nullptr);
}

TEST_CASE("refusals are bounded: the oldest is forgotten") {
  Refusals refusals;
  const auto refuse = [&](uint32_t xid) {
    Exchange call = call_of(xid, xid);
    call.call_message.payload_whole = false;
    refusals.note(call, error_of(2), moment(xid));
  };
  for (uint32_t xid = 1; xid <= Refusals::kMaxKept; ++xid) {
    refuse(xid);
  }
  CHECK(find(refusals, 1) != nullptr);
  refuse(Refusals::kMaxKept + 1);
  CHECK(find(refusals, 1) == nullptr);
  CHECK(find(refusals, 2) != nullptr);
}

TEST_CASE("refusals are kept by the hosts of Requester and Responder, of so many pairs") {
  RefusalsByHosts refusals;
  const auto between = [](uint32_t pair) {
    track::Connection made;
    made.first_frame = moment(pair + 1);
    made.ends[1].address.octets[15] = 0xFF;
    made.ends[0].address.octets[14] = static_cast<uint8_t>(pair / 256);
    made.ends[0].address.octets[15] = static_cast<uint8_t>(pair % 256);
    return made;
  };
  static rpcrdma::TransportHeader header;
  header.xid = 9;
  const auto refused = [&](uint32_t pair, Side requester) {
    const track::Connection connection = between(pair);
    Message call;
    call.connection = &connection;
    call.header = &header;
    call.from = requester;
    return refusals.find(call) != nullptr;
  };
  const auto refuse = [&](uint32_t pair) {
    const track::Connection connection = between(pair);
    Exchange call = call_of(9, 9);
    call.connection = &connection;
    call.requester = Side::a;
    call.call_message.payload_whole = false;
    refusals.note(call, error_of(2), moment(100));
  };
  for (uint32_t pair = 0; pair < RefusalsByHosts::kMaxPairs; ++pair) {
    refuse(pair);
  }
  CHECK(refused(0, Side::a));
  CHECK_FALSE(refused(0, Side::b));
  refuse(RefusalsByHosts::kMaxPairs);
  CHECK_FALSE(refused(0, Side::a));
  CHECK(refused(1, Side::a));
  CHECK(refused(RefusalsByHosts::kMaxPairs, Side::a));
}

TEST_CASE("a Send fits what its sender sends and what its receiver takes, as far as both are known") {
  track::Connection connection;
  const Sizes sizes(connection);
  CHECK_FALSE(sizes.inline_threshold(kRequester));
  set_up(connection, kRequester, 4096, 8192);
  CHECK_FALSE(sizes.inline_threshold(kRequester));
  set_up(connection, kResponder, 2048, 16384);
  CHECK(sizes.inline_threshold(kRequester) == 4096);
  CHECK(sizes.inline_threshold(kResponder) == 2048);
  connection.end(kResponder).private_data.version = 2;  // nobody can read it
  CHECK(sizes.inline_threshold(kRequester) == rpcrdma::default_inline_threshold);
}

TEST_CASE("in version two what the receiver reported of its buffers raises the limit") {
  track::Connection connection;
  set_up(connection, kRequester, 1024, 1024);
  set_up(connection, kResponder, 1024, 1024);
  const Sizes sizes(connection);
  Conversing c;
  c.report(kResponder, Id::rbsiz, 65536);
  Message send;
  send.header = &c.header;
  send.from = kRequester;
  send.direction = Direction::call;
  CHECK_FALSE(sizes.send_limit(send, 0, c.known.of(kResponder)));  // which version it will be is open
  CHECK(sizes.send_limit(send, 2, c.known.of(kResponder)) == 65536);
  c.known.note_gap(kResponder);
  CHECK_FALSE(sizes.send_limit(send, 2, c.known.of(kResponder)));
  rpcrdma::TransportHeader first = c.header;
  first.version = 1;
  send.header = &first;
  CHECK(sizes.send_limit(send, 1, c.known.of(kResponder)) == 1024);
}

TEST_CASE("a message without chunks has no bytes in them") {
  const Resources none = resources_of(rpcrdma::TransportHeader(), rpcrdma::Decoded());
  CHECK((none.read == 0 && none.written == 0 && none.replied == 0));
}
