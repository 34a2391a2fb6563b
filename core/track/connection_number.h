// ConnectionNumber: the number of a connection in all output: 1, 2, 3 ... in order of first frame
// among those that carry RPC-over-RDMA; 0: none. Where shares of a capture are followed apart, it
// is not known until their reports are merged: a provisional number takes its place, printed as a
// mark that occurs in no other output, and report/merger.h replaces it.
#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace steertag::track {

class ConnectionNumber {
 public:
  // The mark: kMark, the width to pad to as a letter ('a': 0), the number as eight hex digits.
  static constexpr char kMark = '\x01';
  static constexpr size_t kMarkLength = 10;
  static constexpr uint32_t kMost = uint32_t{1} << 31;  // numbers are below

  constexpr ConnectionNumber() = default;
  constexpr ConnectionNumber(uint32_t value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  static constexpr ConnectionNumber provisional(uint32_t value) { return {value | kProvisional}; }

  // `text` begins with a mark.
  static ConnectionNumber from_mark(std::string_view text) {
    uint32_t value = 0;
    for (const char digit : text.substr(2, kMarkLength - 2)) {
      value = value << 4 | static_cast<uint32_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    return provisional(value);
  }

  constexpr operator uint32_t() const {
    return value_ & ~kProvisional;
  }  // NOLINT(google-explicit-constructor)
  constexpr bool provisional() const { return (value_ & kProvisional) != 0; }

 private:
  static constexpr uint32_t kProvisional = kMost;
  uint32_t value_ = 0;
};

}  // namespace steertag::track

// "{}", or "{:<3}" to pad it with blanks.
template <>
struct fmt::formatter<steertag::track::ConnectionNumber> {
  unsigned width = 0;

  constexpr auto parse(format_parse_context& context) {
    const auto* at = context.begin();
    if (at != context.end() && *at == '<') {
      for (++at; at != context.end() && *at >= '0' && *at <= '9'; ++at) {
        width = width * 10 + static_cast<unsigned>(*at - '0');
      }
    }
    return at;
  }
  template <typename Context>
  auto format(const steertag::track::ConnectionNumber& number, Context& context) const {
    using steertag::track::ConnectionNumber;
    return number.provisional() ? fmt::format_to(context.out(), "{}{}{:08x}", ConnectionNumber::kMark,
                                                 static_cast<char>('a' + width), uint32_t{number})
                                : fmt::format_to(context.out(), "{:<{}}", uint32_t{number}, width);
  }
};
