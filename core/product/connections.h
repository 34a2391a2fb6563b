// ConnectionsProduct: who talked to whom, and what is in force between them. It keeps every connection until
// the end: only then is each known in full, and only then can they be printed in order. Those that carry
// RPC-over-RDMA come first, by number; the others in order of their first frame; then the attempts that
// failed, likewise.
#pragma once

#include <string_view>
#include <vector>

#include "attempt/attempt.h"
#include "history/in_force.h"
#include "product/product.h"
#include "track/connection.h"

namespace steertag::product {

struct ConnectionsOptions {
  bool all = false;      // also those that carry no RPC-over-RDMA
  bool verbose = false;  // all values that each transport characteristic had
};

class ConnectionsProduct final : public Product {
 public:
  ConnectionsProduct(Context& context, const ConnectionsOptions& options)
      : Product(context), options_(options) {}

  std::string_view whole_only() const override { return "connections"; }
  bool for_rules() const override { return true; }  // by what its messages say, too, a connection is known
  void begin() override { context_.style.verbose = options_.verbose; }
  void finish(const Ended& ended) override;
  void merge(const Share& share) override;

 private:
  struct Known {
    track::Connection connection;
    history::InForce in_force;
  };
  static bool before(const Known& a, const Known& b);
  void finish_attempts();

  void established(const track::Connection& connection, const history::Ground& ground) override;
  void attempted(const attempt::Attempt& attempt) override { attempts_.push_back(attempt); }

  const ConnectionsOptions& options_;
  std::vector<Known> known_;
  std::vector<attempt::Attempt> attempts_;
};

}  // namespace steertag::product
