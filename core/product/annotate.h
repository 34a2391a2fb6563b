// AnnotateProduct: what an audit finds as comments on frames, and what it all came to as a comment on the
// whole. It prints nothing; who writes the capture again asks for the comments of each frame. Of a frame and
// in all there is a bound to what is kept; the rest is counted, and the comment on the whole says so.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "product/policy.h"
#include "product/product.h"
#include "report/finding.h"
#include "report/merger.h"
#include "rules/audit.h"

namespace steertag::product {

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
  void merge(const Comments& share, size_t place, const report::Merger& merger);

  std::string whole;  // of all of them

 private:
  absl::flat_hash_map<std::pair<uint32_t, uint64_t>, std::vector<std::string>> by_frame_;
  size_t bytes_ = 0;
  uint64_t left_out_ = 0;
};

class AnnotateProduct final : public Product, public rules::Listener {
 public:
  // `named`: a comment says which frame of which file it is on, since it will be another one.
  AnnotateProduct(Context& context, const Policy& policy, bool named);
  const Comments& comments() const { return comments_; }

  rules::Audit* audit() override { return &audit_; }
  std::string_view whole_only() const override { return "annotate"; }
  const report::FindingCounts* findings() const override { return &found_; }
  void on_finding(const rules::Finding& finding) override;
  void finish(const Ended& ended) override;
  void merge(const Share& share) override;

 private:
  void take(const rules::Finding& finding);
  report::TextStyle plain_style() const;  // without colours

  const Policy& policy_;
  Comments comments_;
  const bool named_;
  rules::Audit audit_;
  report::FindingCounts found_;
};

}  // namespace steertag::product
