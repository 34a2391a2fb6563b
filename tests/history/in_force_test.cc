// What is in force on a connection, by what its messages have established.
#include "history/in_force.h"

#include <catch2/catch.hpp>

#include "history/characteristics.h"
#include "history/sizes.h"
#include "history/versions.h"

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::history;
using rpcrdma::xchar::Id;
using rpcrdma::xchar::Operation;

namespace {

struct Known {
  track::Connection connection;
  Versions versions;
  Characteristics characteristics;
  rpcrdma::TransportHeader header;
  Message message;
  uint64_t now = 0;

  Known() {
    connection.version = 2;
    for (track::End& end : connection.ends) {
      end.setup_seen = end.private_data_whole = true;
    }
  }
  Stamp next() {
    ++now;
    return Stamp{.number = now, .time_ns = static_cast<int64_t>(now) * 1000};
  }
  void make(Side from) {
    header = {};
    header.version = 2;
    message = {};
    message.header = &header;
    message.from = from;
    message.at = next();
  }
  void agree() {
    make(Side::b);
    versions.note_agreement(message);
  }
  void convey(Side from, const rpcrdma::xchar::Value& value) {
    make(from);
    header.procedure = static_cast<uint32_t>(rpcrdma::v2::Proc::optional);
    rpcrdma::v2::Optional& body = header.optional.add();
    body.opttype = Operation::updxch;
    body.update.now = value;
    characteristics.note(message, true);
  }
  InForce found() const {
    const Sizes sizes(connection);
    return in_force(Ground{connection, sizes, versions, characteristics});
  }
};

}  // namespace

TEST_CASE("a limit is that of the version until the receiver conveys a larger one") {
  Known k;
  CHECK(k.found().of(Side::a).sends->bytes == 1024);
  k.agree();
  CHECK(k.found().of(Side::a).sends->bytes == 4096);
  k.convey(Side::b, rpcrdma::xchar::make(Id::rbsiz, 4095));
  CHECK(k.found().of(Side::a).sends->by == Basis::version);
  k.convey(Side::b, rpcrdma::xchar::make(Id::rbsiz, 4096));
  CHECK(k.found().of(Side::a).sends->by == Basis::characteristic);
  k.convey(Side::b, rpcrdma::xchar::make(Id::rbsiz, 8192));
  CHECK(k.found().of(Side::a).sends->bytes == 8192);
  CHECK(k.found().of(Side::a).sends->at->number == 4);
  CHECK(k.found().of(Side::b).sends->bytes == 4096);
}

TEST_CASE("a gap makes what was said before it uncertain, and a default unknown") {
  Known k;
  k.agree();
  k.convey(Side::b, rpcrdma::xchar::make(Id::rbsiz, 8192));
  k.connection.last_doubt_ns = static_cast<int64_t>(k.now) * 1000;
  k.characteristics.note_gap(Side::b);
  CHECK_FALSE(k.found().of(Side::a).sends->certain);
  CHECK_FALSE(k.found().of(Side::b).sends);
  CHECK_FALSE(k.found().of(Side::a).invalidation);
  CHECK(k.found().of(Side::a).characteristics.empty());
  k.convey(Side::b, rpcrdma::xchar::make(Id::rbsiz, 8192));
  CHECK(k.found().of(Side::a).sends->certain);
}

TEST_CASE("of each characteristic all values are known, as many as are kept") {
  Known k;
  k.agree();
  for (uint32_t i = 0; i < Terms::kMaxTerms + 3; ++i) {
    k.convey(Side::a, rpcrdma::xchar::make(Id::rbsiz, 4096 + i));
  }
  const InForce::Value value = k.found().of(Side::a).characteristics.at(0);
  CHECK(value.history.size() == Terms::kMaxTerms);
  CHECK(value.history.front().number == 4096 + 3);
  CHECK(value.now.number == 4096 + Terms::kMaxTerms + 2);
  CHECK(value.now.by == Operation::updxch);
}

TEST_CASE("of data that is no number, the front is kept") {
  Known k;
  k.agree();
  rpcrdma::xchar::Value value;
  value.which = Id{0x77};
  value.data.assign(Term::kMaxData + 1, 7);
  k.convey(Side::a, value);
  const InForce::Value kept = k.found().of(Side::a).characteristics.back();
  CHECK(kept.now.data.size() == Term::kMaxData);
  CHECK(kept.now.length == Term::kMaxData + 1);
  CHECK_FALSE(kept.now.number);
}

TEST_CASE("version one: both ends have to support remote invalidation") {
  Known k;
  k.connection.version = 1;
  CHECK_FALSE(k.found().of(Side::a).invalidation->given);
  CHECK(k.found().of(Side::a).invalidation->by == Basis::version);
  for (track::End& end : k.connection.ends) {
    end.private_data.present = true;
    end.private_data.version = 1;
  }
  k.connection.ends[0].private_data.remote_invalidation = true;
  CHECK(k.found().of(Side::a).invalidation->by == Basis::private_data);
  CHECK_FALSE(k.found().of(Side::a).invalidation->given);
  k.connection.ends[1].private_data.remote_invalidation = true;
  CHECK(k.found().of(Side::a).invalidation->given);
  CHECK(k.found().of(Side::a).characteristics.empty());
}
