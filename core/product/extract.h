// ExtractProduct: what an extract is made of: findings, RPCs, connections, and the frames that they are made
// of. It prints nothing, but fills in extract::Chosen, from which extract::Surroundings and a Draft (draft.h)
// make the frames. A finding names an RPC that may long be over by then, so where findings are asked for, a
// second one follows the captures again. Where what was asked for is not there, failure() says so.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attempt/attempt.h"
#include "extract/chosen.h"
#include "product/policy.h"
#include "product/product.h"
#include "product/rpc_selection.h"
#include "rules/audit.h"

namespace steertag::product {

// --xid and --op choose RPCs, with --conn those of these connections; --conn alone chooses connections. What
// findings and frames choose comes on top.
struct ExtractOptions {
  struct OfRule {
    std::string rule;               // an id, a family or a name
    std::optional<uint64_t> frame;  // unset: the first one
    std::string text;               // as it was asked for
  };

  Policy policy;
  Filter filter;
  RpcChoice choice;
  std::vector<OfRule> findings;
  std::vector<uint64_t> around;    // numbers of frames, of any file
  std::vector<uint32_t> attempts;  // by their place among those of `connections`, from 1

  bool chooses_rpcs() const { return !filter.xids.empty() || !choice.operations.empty(); }
  bool whole_connections() const { return !chooses_rpcs() && !filter.connections.empty(); }
};

class ExtractProduct final : public Product, public rules::Listener {
 public:
  enum class Pass : uint8_t { first, second };
  ExtractProduct(Context& context, const ExtractOptions& options, extract::Chosen& chosen, Pass pass);

  rules::Audit* audit() override { return &audit_; }
  std::string_view whole_only() const override { return "extract"; }
  void on_finding(const rules::Finding& finding) override;
  void finish(const Ended& ended) override;

 private:
  using Place = std::pair<uint32_t, uint64_t>;  // file and number
  static Place place(const Stamp& at) { return {at.file, at.number}; }

  void named(const track::Connection& connection) override;
  void message(const flow::Message& message) override;
  void timed(const flow::Exchange& exchange) override;
  void closed(const track::Connection& connection) override;
  void attempted(const attempt::Attempt& attempt) override;
  void on_judged(const track::Connection& connection) override;

  bool wanted(const flow::Exchange& exchange) const;
  bool named_by_finding(const flow::Exchange& exchange) const;
  bool around(const flow::Exchange& exchange) const;
  bool around(const Stamp& at) const;
  void choose(const rules::Finding& finding);
  void choose(const flow::Exchange& exchange);
  void add_frames(extract::ChosenConnection& connection, const Stamp& last_of_message);
  void add_setup(const track::Connection& connection);
  std::optional<std::string> choose_attempts();
  static void each_frame(const flow::Exchange& exchange, const auto& what);

  // Messages of several frames: those before the last, of the latest ones, by the last.
  static constexpr size_t kMostMessages = 65536;

  const ExtractOptions& options_;
  extract::Chosen& chosen_;
  const Pass pass_;
  rules::Audit audit_;
  std::vector<attempt::Attempt> attempts_;  // in order, where any are asked for
  std::vector<bool> found_;                 // by ExtractOptions::findings
  absl::flat_hash_map<Place, std::vector<Stamp>> several_;
  std::deque<Place> several_in_order_;
};

}  // namespace steertag::product
