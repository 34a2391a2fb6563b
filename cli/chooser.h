// Chooser: the Product that prints nothing and notes what an extract is asked for: findings, RPCs,
// connections, and the frames that they are made of. It follows a trace with the rules behind it. A finding
// names an RPC that may long be over by then, so where findings are asked for, a second Chooser follows the
// trace again.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "extract/chosen.h"
#include "extract_options.h"
#include "product/product.h"
#include "rules/audit.h"

namespace steertag::cli {

class Chooser final : public product::Product, public rules::Listener {
 public:
  enum class Pass : uint8_t { first, second };
  Chooser(product::Context& context, const ExtractOptions& options, extract::Chosen& chosen, Pass pass);

  rules::Audit* audit() override { return &audit_; }
  std::string_view whole_only() const override { return "extract"; }
  void on_finding(const rules::Finding& finding) override;
  void finish(const product::Ended& ended) override;

 private:
  using Place = std::pair<uint32_t, uint64_t>;  // file and number
  static Place place(const Stamp& at) { return {at.file, at.number}; }

  void named(const track::Connection& connection) override;
  void message(const flow::Message& message) override;
  void timed(const flow::Exchange& exchange) override;
  void closed(const track::Connection& connection) override;
  void on_judged(const track::Connection& connection) override;

  bool wanted(const flow::Exchange& exchange) const;
  bool named_by_finding(const flow::Exchange& exchange) const;
  bool around(const flow::Exchange& exchange) const;
  bool around(const Stamp& at) const;
  void choose(const rules::Finding& finding);
  void choose(const flow::Exchange& exchange);
  void add_frames(extract::ChosenConnection& connection, const Stamp& last_of_message);
  void add_setup(const track::Connection& connection);
  template <typename What>
  static void each_frame(const flow::Exchange& exchange, const What& what);

  // Messages of several frames: those before the last, of the latest ones, by the last.
  static constexpr size_t kMostMessages = 65536;

  const ExtractOptions& options_;
  extract::Chosen& chosen_;
  const Pass pass_;
  rules::Audit audit_;
  std::vector<bool> found_;  // by ExtractOptions::findings
  absl::flat_hash_map<Place, std::vector<Stamp>> several_;
  std::deque<Place> several_in_order_;
  std::vector<uint32_t> announced_;
};

}  // namespace steertag::cli
