// Reader: a cursor over bytes, big-endian, with a sticky stop. A read past the
// end yields zero and keeps the first failure; everything after it yields zero
// too, so decoders are written straight down, without a check after each field.
// take() is the only bounds check there is.
//
// A Reader is also the walker that fills a struct from its layout (see
// rpcrdma/v1.h): `layout(w, s)` names the fields in wire order, and the same
// layout drives Writer (struct to bytes) and Outline (bytes to named ranges).
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/range.h"
#include "wire/stop.h"

namespace steertag::wire {

// Integers and enums of 8, 16, 32 or 64 bits. XDR enums and bools keep every
// value that was on the wire: `enum class Proc : uint32_t`, never `bool`.
template <typename T>
concept Scalar = (std::integral<T> || std::is_enum_v<T>)&&!std::same_as<T, bool>;

template <typename T>
concept HasRange = requires(T t) {
  { t.at } -> std::same_as<Range&>;
};

template <typename T>
T big_endian(const uint8_t* bytes) {
  std::make_unsigned_t<T> value = 0;
  std::memcpy(&value, bytes, sizeof value);
  if constexpr (std::endian::native == std::endian::little) {  // a loop over the bytes is not seen through
    if constexpr (sizeof value == 2) {
      value = __builtin_bswap16(value);
    } else if constexpr (sizeof value == 4) {
      value = __builtin_bswap32(value);
    } else if constexpr (sizeof value == 8) {
      value = __builtin_bswap64(value);
    }
  }
  return static_cast<T>(value);
}

// The trace of a plain Reader: it is called for every field, does nothing and costs nothing.
struct NoTrace {
  void number(const char*, Range, uint64_t) {}
  void hex(const char*, Range, uint64_t) {}
  template <typename E>
  void enumerator(const char*, Range, E) {}
  void opaque(const char*, Range, Bytes) {}
  void open(const char*, uint32_t, size_t) {}
  void close(uint32_t) {}
};

template <typename Trace>
class BasicReader {
 public:
  static constexpr bool reading = true;

  // `wire_length`: how long the structure was on the wire; where `bytes` holds
  // less, the rest was cut by the capture.
  explicit BasicReader(Bytes bytes, size_t wire_length, Limit limit = Limit::message, Trace trace = {})
      : bytes_(bytes), wire_length_(std::max(bytes.size(), wire_length)), limit_(limit), trace_(trace) {}
  explicit BasicReader(Bytes bytes) : BasicReader(bytes, bytes.size()) {}

  uint32_t offset() const { return static_cast<uint32_t>(offset_); }
  uint32_t remaining() const { return static_cast<uint32_t>(wire_length_ - offset_); }
  const std::optional<Stop>& stop() const { return stop_; }
  bool stopped() const { return stop_.has_value(); }
  Bytes rest() const { return slice(bytes_, offset_); }  // what was captured of it
  Trace& trace() { return trace_; }

  // --- XDR constructors, as used by layouts ---

  template <Scalar T>
  void operator()(const char* name, T& field) {
    const uint32_t at = offset();
    field = static_cast<T>(scalar<T>(name));
    if (!stopped()) {
      if constexpr (std::is_enum_v<T>) {
        trace_.enumerator(name, Range{at, sizeof(T)}, field);
      } else {
        trace_.number(name, Range{at, sizeof(T)}, static_cast<uint64_t>(field));
      }
    }
  }

  // An address or an identifier: read as a number, shown in hex.
  template <Scalar T>
  void hex(const char* name, T& field) {
    const uint32_t at = offset();
    field = static_cast<T>(scalar<T>(name));
    if (!stopped()) {
      trace_.hex(name, Range{at, sizeof(T)}, static_cast<uint64_t>(field));
    }
  }

  // Three bytes: QPN, PSN, MSN.
  void u24(const char* name, uint32_t& field) {
    const uint32_t at = offset();
    const uint8_t* p = take(3, name);
    field = p ? uint32_t{p[0]} << 16 | uint32_t{p[1]} << 8 | p[2] : 0;
    if (p) {
      trace_.number(name, Range{at, 3}, field);
    }
  }

  // A fixed number of raw bytes.
  template <typename Array>
  void array(const char* name, Array& field) {
    const uint32_t at = offset();
    const uint8_t* p = take(field.size(), name);
    if (p) {
      std::copy_n(p, field.size(), field.begin());
      trace_.opaque(name, Range{at, static_cast<uint32_t>(field.size())}, Bytes(p, field.size()));
    } else {
      std::fill(field.begin(), field.end(), uint8_t{0});
    }
  }

  // The same where anything is left before the bound: nothing else says that the bytes are there.
  template <typename Array>
  void array_if_any(const char* name, std::optional<Array>& field) {
    field.reset();
    if (!stopped() && remaining() != 0) {
      array(name, field.emplace());
    }
    if (stopped()) {
      field.reset();
    }
  }

  // A struct with a layout of its own.
  template <typename T>
  requires(!Scalar<T>) void operator()(const char* name, T& field) { structure(name, field, SIZE_MAX); }

  // XDR opaque<>: count, bytes, 0–3 bytes of pad (RFC 4506 §4.10). `field` is a view.
  void opaque(const char* name, Bytes& field) {
    field = {};
    const uint32_t at = offset();
    const uint32_t count = scalar<uint32_t>(name);
    const uint8_t* p = take(count, name);
    if (p) {
      field = Bytes(p, count);
      pad(count, name);
    }
    if (!stopped()) {
      trace_.opaque(name, Range{at, offset() - at}, field);
    }
  }

  // The same, copied, for structures that outlive the bytes.
  void opaque(const char* name, std::vector<uint8_t>& field) {
    Bytes view;
    opaque(name, view);
    field.assign(view.begin(), view.end());
  }

  // Structures inside an opaque<>: `body(reader)` reads them, bounded by the
  // opaque's length (Limit::segment). A stop at that bound leaves the offset
  // after the opaque, because what surrounds it is intact.
  template <typename Body>
  void enclosed(const char* name, Body&& body) {
    const uint32_t at = offset();
    const uint32_t count = scalar<uint32_t>(name);
    if (stopped() || count > remaining()) {
      take(count, name);
      return;
    }
    trace_.open(name, at, SIZE_MAX);
    const size_t end = offset_ + count;
    const Bytes outer_bytes = std::exchange(bytes_, bytes_.first(std::min(bytes_.size(), end)));
    const size_t outer_length = std::exchange(wire_length_, end);
    const Limit outer_limit = std::exchange(limit_, Limit::segment);
    body(*this);
    bytes_ = outer_bytes;
    wire_length_ = outer_length;
    limit_ = outer_limit;
    if (stopped() && stop_->limit == Limit::segment) {
      offset_ = std::min(end + (4 - count % 4) % 4, wire_length_);
    } else {
      pad(count, name);
    }
    close_group();
  }

  // Whatever is left before the bound: the end of an opaque's content.
  void remainder(const char* name, std::vector<uint8_t>& field) {
    const uint32_t at = offset();
    const uint32_t length = remaining();
    field.clear();
    if (const uint8_t* p = take(length, name); p && length > 0) {
      field.assign(p, p + length);
      trace_.opaque(name, Range{at, length}, Bytes(p, length));
    }
  }

  // XDR T<>: count, then that many elements (RFC 4506 §4.13). The element that
  // a stop falls into is dropped: what is in the list is whole.
  template <typename L>
  void counted(const char* name, L& list) {
    list.clear();
    const uint32_t at = offset();
    const uint32_t count = scalar<uint32_t>(name);
    trace_.open(name, at, SIZE_MAX);
    for (uint32_t i = 0; i < count && !stopped(); ++i) {
      element(name, list, i);
    }
    close_group();
  }

  // XDR linked list: { 1, element }* 0 (RFC 4506 §4.19).
  template <typename L>
  void chain(const char* name, L& list) {
    list.clear();
    trace_.open(name, offset(), SIZE_MAX);
    while (discriminator(name)) {
      element(name, list, list.size());
    }
    close_group();
  }

  // XDR *T: 0, or 1 and one element (RFC 4506 §4.19). Kept in a list of at most one.
  template <typename L>
  void optional(const char* name, L& list) {
    list.clear();
    trace_.open(name, offset(), SIZE_MAX);
    if (discriminator(name)) {
      element(name, list, 0);
    }
    close_group();
  }

  // The first list discriminator that was neither 0 nor 1: taken as "present",
  // as deployed stacks do, and remembered.
  struct OddDiscriminator {
    const char* field;
    uint32_t offset;
    uint32_t value;
  };
  const std::optional<OddDiscriminator>& odd_discriminator() const { return odd_; }

  // The first pad of an opaque<> that was not all zeros (RFC 4506 §4.10).
  const std::optional<Range>& nonzero_pad() const { return nonzero_pad_; }

  // The bounds check. Advances by `length` and returns where it was, or keeps
  // the first failure and returns null.
  const uint8_t* take(size_t length, const char* name) {
    if (stopped() || length > bytes_.size() - offset_) [[unlikely]] {
      return fail(length, name);
    }
    const uint8_t* p = bytes_.data() + offset_;
    offset_ += length;
    return p;
  }

 private:
  // Apart from take(), which is then small enough to stand in every decoder.
  [[gnu::cold, gnu::noinline]] const uint8_t* fail(size_t length, const char* name) {
    if (!stopped()) {
      const bool cut = length <= wire_length_ - offset_;
      stop_ = Stop{name, offset(), static_cast<uint32_t>(std::min<size_t>(length, UINT32_MAX)),
                   static_cast<uint32_t>(bytes_.size() - offset_), cut ? Limit::capture : limit_};
    }
    return nullptr;
  }

  template <Scalar T>
  auto scalar(const char* name) {
    using Raw =
        typename std::conditional_t<std::is_enum_v<T>, std::underlying_type<T>, std::type_identity<T>>::type;
    const uint8_t* p = take(sizeof(Raw), name);
    return p ? big_endian<Raw>(p) : Raw{0};
  }

  // The 0–3 bytes that bring `count` bytes to a multiple of four.
  void pad(uint32_t count, const char* name) {
    const uint32_t at = offset();
    const uint32_t length = (4 - count % 4) % 4;
    const uint8_t* p = take(length, name);
    if (p && !nonzero_pad_ && std::any_of(p, p + length, [](uint8_t b) { return b != 0; })) {
      nonzero_pad_ = Range{at, length};
    }
  }

  // Where the structure that surrounds an opaque<> goes on, the capture may have ended long before.
  void close_group() { trace_.close(static_cast<uint32_t>(std::min(offset_, bytes_.size()))); }

  bool discriminator(const char* name) {
    const uint32_t at = offset();
    const uint32_t value = scalar<uint32_t>(name);
    if (value > 1 && !odd_) {
      odd_ = OddDiscriminator{name, at, value};
    }
    return value != 0;
  }

  template <typename L>
  void element(const char* name, L& list, size_t index) {
    auto& item = list.add();
    if constexpr (Scalar<std::remove_reference_t<decltype(item)>>) {
      (*this)(name, item);
    } else {
      structure(name, item, index);
    }
    if (stopped()) {
      list.drop_last();
    }
  }

  template <typename T>
  void structure(const char* name, T& field, size_t index) {
    const uint32_t at = offset();
    trace_.open(name, at, index);
    T::layout(*this, field);
    close_group();
    if constexpr (HasRange<T>) {
      field.at = Range{at, offset() - at};
    }
  }

  Bytes bytes_;
  size_t wire_length_;
  size_t offset_ = 0;
  Limit limit_;
  std::optional<Stop> stop_;
  std::optional<OddDiscriminator> odd_;
  std::optional<Range> nonzero_pad_;
  [[no_unique_address]] Trace trace_;
};

using Reader = BasicReader<NoTrace>;

// Reads one struct by its layout, from the front of `bytes`.
template <typename T>
std::optional<Stop> read(Bytes bytes, T& value) {
  Reader reader(bytes);
  T::layout(reader, value);
  return reader.stop();
}

}  // namespace steertag::wire
