// Excerpts of what findings are about, for reports that are read without the capture: the transport header
// of the message in a finding's frame, as `steertag decode` prints it, and the RPC that it belongs to, as
// `steertag flows --chunks` does.
#pragma once

#include "report/text.h"
#include "rules/engine.h"

namespace steertag::report {

class ExcerptWriter final : public rules::Describer {
 public:
  // `style` may change while it is used; colours are left out.
  explicit ExcerptWriter(const TextStyle& style) : style_(style) {}

  rules::Excerpt describe(const rules::Finding& finding, const flow::Message& message) override;
  rules::Excerpt describe(const rules::Finding& finding, const flow::Exchange& exchange) override;
  rules::Excerpt describe(const rules::Finding& finding, const flow::Access& access) override;

 private:
  TextStyle plain() const;

  const TextStyle& style_;
};

}  // namespace steertag::report
