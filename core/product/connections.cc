#include "product/connections.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "report/attempt.h"
#include "report/json.h"

namespace steertag::product {

void ConnectionsProduct::finish(const Ended&) {
  std::sort(known_.begin(), known_.end(), before);
  if (!context_.settings.jsonl() && !(known_.empty() && attempts_.empty())) {
    report::text_files(context_.out(), context_.style);
  }
  uint32_t number = 0;
  for (const auto& [connection, in_force] : known_) {
    number = connection.number != 0 ? uint32_t{connection.number} : number + 1;
    if (context_.settings.jsonl()) {
      report::json_connection(context_.out(), connection, number, report::Stage::ended, context_.style.files,
                              connection.rpcrdma ? &in_force : nullptr);
    } else {
      if (number > 1) {
        report::put(context_.out(), '\n');
      }
      report::text_connection(context_.out(), connection, number, context_.style, &in_force);
    }
    context_.records.record_done();
  }
  finish_attempts();
}

void ConnectionsProduct::finish_attempts() {
  std::sort(attempts_.begin(), attempts_.end(), [](const attempt::Attempt& x, const attempt::Attempt& y) {
    return x.like.connection.order < y.like.connection.order;
  });
  size_t number = 0;
  for (const attempt::Attempt& attempt : attempts_) {
    ++number;
    if (context_.settings.jsonl()) {
      report::json_attempt(context_.out(), attempt, context_.style.files);
    } else {
      if (!known_.empty() || &attempt != &attempts_.front()) {
        report::put(context_.out(), '\n');
      }
      report::text_attempt(context_.out(), attempt, number, context_.style);
    }
    context_.records.record_done();
  }
}

void ConnectionsProduct::established(const track::Connection& connection, const history::Ground& ground) {
  if (connection.rpcrdma || options_.all) {
    known_.push_back({connection, history::in_force(ground)});
  }
}

void ConnectionsProduct::merge(const Share& share) {
  Product::merge(share);
  for (Known& known : static_cast<ConnectionsProduct&>(share.product).known_) {
    known.connection.number = share.merger.number(share.place, known.connection.number);
    known_.push_back(std::move(known));
  }
  for (attempt::Attempt& attempt : static_cast<ConnectionsProduct&>(share.product).attempts_) {
    attempt.conn = share.merger.number(share.place, attempt.conn);
    attempts_.push_back(std::move(attempt));
  }
}

bool ConnectionsProduct::before(const Known& a, const Known& b) {
  const auto key = [](const Known& known) {
    const track::Connection& c = known.connection;
    return std::tuple(c.number == 0, c.number, c.first_frame.time_ns, c.first_frame.file,
                      c.first_frame.number);
  };
  return key(a) < key(b);
}

}  // namespace steertag::product
