// Commenter: the Product that prints nothing and keeps what an audit finds as comments on frames, and what
// it all came to as a comment on the whole. Of a frame and in all there is a bound to what is kept; the rest
// is counted, and the comment on the whole says so. Several can each hear of a share of the connections; one
// takes over what they have kept.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "product/product.h"
#include "report/finding.h"
#include "report/merger.h"
#include "rule_options.h"
#include "rules/audit.h"

namespace steertag::cli {

class Comments {
 public:
  static constexpr size_t kMostOfFrame = 64, kLongest = 4096;  // comments; bytes of one
  static constexpr size_t kMost = 64 << 20;                    // bytes of all

  void add(const Stamp& frame, std::string text);
  const std::vector<std::string>& of(const Stamp& frame) const;
  uint64_t left_out() const { return left_out_; }
  // All are there: they become text that nobody acts upon.
  void spell();
  // Adds those of a share, whose connections get their numbers.
  void take_over(const Comments& share, size_t place, const report::Merger& merger);

  std::string whole;  // of all of them

 private:
  absl::flat_hash_map<std::pair<uint32_t, uint64_t>, std::vector<std::string>> by_frame_;
  size_t bytes_ = 0;
  uint64_t left_out_ = 0;
};

class Commenter final : public product::Product, public rules::Listener {
 public:
  // `named`: a comment says which frame of which file it is on, since it will be another one.
  Commenter(product::Context& context, const RuleOptions& rules, bool named);
  const Comments& comments() const { return comments_; }

  rules::Audit* audit() override { return &audit_; }
  std::string_view whole_only() const override { return "annotate"; }
  const report::FindingCounts* findings() const override { return &found_; }
  void on_finding(const rules::Finding& finding) override;
  void finish(const product::Ended& ended) override;

 private:
  void merge(const Share& share) override;
  void take(const rules::Finding& finding);
  report::TextStyle plain_style() const;  // without colours

  const RuleOptions& rules_;
  Comments comments_;
  const bool named_;
  rules::Audit audit_;
  report::FindingCounts found_;
};

}  // namespace steertag::cli
