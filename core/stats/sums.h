// Sums: what RPCs add up to, by group, by operation and server, and by connection: what stats::judge()
// concludes from. An RPC whose Call was sent several times counts once. Several can each hear of a share of
// the connections; one takes over what they have added up.
#pragma once

#include <utility>

#include "flow/exchange.h"
#include "stats/attempts.h"
#include "stats/groups.h"
#include "stats/judge.h"
#include "stats/load.h"
#include "stats/rpc.h"
#include "stats/topics.h"

namespace steertag::stats {

class Sums {
 public:
  // `also`: hears of each RPC, too.
  explicit Sums(const Grouping& by, Attempts::Count also = {}) : groups(by), also_(std::move(also)) {}
  Sums(const Sums&) = delete;
  Sums& operator=(const Sums&) = delete;

  void add(const flow::Exchange& exchange) {
    attempts_.add(rpc_of(exchange));
    loads.note(exchange);
  }
  void finish() { attempts_.finish(); }  // no more are added
  void take_over(Sums& share, const Groups::Renumber& number) {
    share.finish();
    groups.take_over(share.groups, number);
    topics.take_over(share.topics, number);
    loads.take_over(share.loads, number);
  }
  Counted counted() const { return {topics, loads, groups.all()}; }

  Groups groups;
  Topics topics;
  Loads loads;  // also noted what else a connection bore

 private:
  Attempts attempts_{[this](const Rpc& rpc) {
    groups.add(rpc);
    topics.add(rpc);
    if (also_) {
      also_(rpc);
    }
  }};
  Attempts::Count also_;
};

}  // namespace steertag::stats
