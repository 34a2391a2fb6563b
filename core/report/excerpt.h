// Excerpts of what findings are about, for reports that are read without the capture: the transport header
// of the message in a finding's frame, as `steertag decode` prints it, and the RPC that it belongs to, as
// `steertag flows --chunks` does. Of what is long the first lines: a finding costs no more than these, but
// for the first one about a message, which costs as much as its header has fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "report/text.h"
#include "rules/engine.h"

namespace steertag::report {

class ExcerptWriter final : public rules::Describer {
 public:
  // Bytes of each text, with numbers of connections counted as if they had three digits: while shares of a
  // capture are followed apart, marks take their places, which are longer.
  static constexpr size_t kMost = 4096;

  // `style` may change while it is used; colours are left out.
  explicit ExcerptWriter(const TextStyle& style) : style_(style) {}

  rules::Excerpt describe(const rules::Finding& finding, const flow::Message& message) override;
  rules::Excerpt describe(const rules::Finding& finding, const flow::Exchange& exchange) override;
  rules::Excerpt describe(const rules::Finding& finding, const flow::Access& access) override;

 private:
  TextStyle plain() const;
  const std::string& header_of(const flow::Message& message);

  const TextStyle& style_;
  // The message that was described last, and its header: of one message there may be many findings.
  struct Described {
    const track::Connection* connection = nullptr;
    Stamp at;
    uint64_t end_position = 0;
    uint32_t xid = 0;
    size_t weight = 0;
    std::string header;
  };
  Described latest_;
};

}  // namespace steertag::report
