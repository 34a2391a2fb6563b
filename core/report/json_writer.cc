#include "report/json_writer.h"

#include "base/utf8.h"

namespace steertag::report {
namespace {

constexpr char digits[] = "0123456789abcdef";

// Stands for itself in a JSON string.
constexpr bool plain(char c) {
  return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

void put_control(Buffer& out, char c) {
  switch (c) {
    case '\n':
      return put(out, "\\n");
    case '\t':
      return put(out, "\\t");
    case '\r':
      return put(out, "\\r");
    default:
      return print(out, "\\u{:04x}", static_cast<unsigned>(static_cast<uint8_t>(c)));
  }
}

// As UTF-16, which is how JSON spells a character out (RFC 8259 §7).
void put_spelled(Buffer& out, char32_t point) {
  if (point > 0xFFFF) {
    print(out, "\\u{:04x}\\u{:04x}", 0xD7C0 + (uint32_t{point} >> 10), 0xDC00 + (uint32_t{point} & 0x3FF));
  } else {
    print(out, "\\u{:04x}", uint32_t{point});
  }
}

// "17.000000042"; seconds and nanoseconds of a time that may lie before the epoch.
void put_decimal(Buffer& out, int64_t value, uint64_t unit) {
  const uint64_t size = value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  if (value < 0) {
    put(out, '-');
  }
  const fmt::format_int whole(size / unit);
  put(out, std::string_view(whole.data(), whole.size()));
  put(out, '.');
  for (uint64_t rest = size % unit, place = unit / 10; place > 0; place /= 10) {
    put(out, digits[rest / place % 10]);
  }
}

}  // namespace

void JsonWriter::integer(uint64_t value) {
  const fmt::format_int text(value);
  put(out_, std::string_view(text.data(), text.size()));
}

void JsonWriter::connection(std::string_view key, track::ConnectionNumber value) {
  name(key);
  if (value.provisional()) {
    print(out_, "{}", value);
  } else {
    integer(value);
  }
}

void JsonWriter::hex_value(uint64_t value, int width) {
  put(out_, "\"0x");
  char* at = grow(out_, static_cast<size_t>(width));
  for (int shift = 4 * (width - 1); shift >= 0; shift -= 4) {
    *at++ = digits[value >> shift & 0xF];
  }
  put(out_, '"');
}

void JsonWriter::hex(std::string_view key, Bytes bytes) {
  name(key);
  put(out_, '"');
  for (const uint8_t byte : bytes) {
    put(out_, digits[byte >> 4]);
    put(out_, digits[byte & 0xF]);
  }
  put(out_, '"');
}

void JsonWriter::seconds(std::string_view key, int64_t ns) {
  name(key);
  moment(ns);
}

void JsonWriter::seconds(int64_t ns) {
  comma();
  moment(ns);
}

void JsonWriter::moment(int64_t ns) {
  put(out_, '"');
  put_decimal(out_, ns, 1'000'000'000);
  put(out_, '"');
}

void JsonWriter::microseconds(std::string_view key, int64_t ns) {
  name(key);
  put_decimal(out_, ns, 1'000);
  size_t size = out_.size();  // as short as it can be: 1234.500 -> 1234.5, 7.000 -> 7
  while (out_[size - 1] == '0') {
    --size;
  }
  out_.resize(out_[size - 1] == '.' ? size - 1 : size);
}

void JsonWriter::string(std::string_view value, Text text) {
  put(out_, '"');
  while (!value.empty()) {
    const auto special = std::find_if_not(value.begin(), value.end(), plain);
    const auto run = static_cast<size_t>(special - value.begin());
    put(out_, value.substr(0, run));
    value.remove_prefix(run);
    if (value.empty()) {
      break;
    }
    const char c = value[0];
    const auto [point, length] = base::utf8(value);
    if (length == 0) {
      put(out_, "\\ufffd");
    } else if (c == '"' || c == '\\') {
      put(out_, '\\');
      put(out_, c);
    } else if (c == track::ConnectionNumber::kMark && text == Text::ours) {
      put(out_, c);
    } else if (static_cast<uint8_t>(c) < 0x20 || c == 0x7F) {
      put_control(out_, c);
    } else if (base::invisible(point)) {
      put_spelled(out_, point);
    } else {
      put(out_, value.substr(0, length));
    }
    value.remove_prefix(length == 0 ? 1 : length);
  }
  put(out_, '"');
}

}  // namespace steertag::report
