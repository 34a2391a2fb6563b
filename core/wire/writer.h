// Writer: the walker that turns a struct into bytes by the same layout that
// Reader and Outline use. Scenarios, round-trip tests and fuzzers write with
// it; what a struct cannot say, a Writer cannot write.
#pragma once

#include <optional>
#include <vector>

#include "base/bytes.h"
#include "wire/reader.h"

namespace steertag::wire {

class Writer {
 public:
  static constexpr bool reading = false;

  explicit Writer(std::vector<uint8_t>& out) : out_(out) {}

  static constexpr bool stopped() { return false; }  // there is always room

  template <Scalar T>
  void operator()(const char*, const T& field) {
    put(static_cast<uint64_t>(field), sizeof(T));
  }
  template <Scalar T>
  void hex(const char*, const T& field) {
    put(static_cast<uint64_t>(field), sizeof(T));
  }
  void u24(const char*, const uint32_t& field) { put(field, 3); }
  template <typename Array>
  void array(const char*, const Array& field) {
    for (const uint8_t octet : field) {  // insert() of a fixed length makes g++ 12 warn, wrongly
      out_.push_back(octet);
    }
  }
  template <typename Array>
  void array_if_any(const char* name, const std::optional<Array>& field) {
    if (field) {
      array(name, *field);
    }
  }
  template <typename T>
  requires(!Scalar<T>) void operator()(const char*, const T& field) { T::layout(*this, field); }

  void opaque(const char*, const Bytes& field) {
    put(field.size(), 4);
    out_.insert(out_.end(), field.begin(), field.end());
    out_.resize(out_.size() + (4 - field.size() % 4) % 4);
  }
  template <typename Body>
  void enclosed(const char*, Body&& body) {
    const size_t at = out_.size();
    put(0, 4);
    body(*this);
    const size_t count = out_.size() - at - 4;
    for (size_t i = 0; i < 4; ++i) {
      out_[at + i] = static_cast<uint8_t>(count >> (8 * (3 - i)));
    }
    out_.resize(out_.size() + (4 - count % 4) % 4);
  }
  void remainder(const char*, const std::vector<uint8_t>& field) {
    out_.insert(out_.end(), field.begin(), field.end());
  }
  template <typename L>
  void counted(const char* name, const L& list) {
    put(list.size(), 4);
    for (const auto& item : list) {
      (*this)(name, item);
    }
  }
  template <typename L>
  void chain(const char* name, const L& list) {
    for (const auto& item : list) {
      put(1, 4);
      (*this)(name, item);
    }
    put(0, 4);
  }
  template <typename L>
  void optional(const char* name, const L& list) {
    put(list.empty() ? 0 : 1, 4);
    if (!list.empty()) {
      (*this)(name, list[0]);
    }
  }

 private:
  void put(uint64_t value, size_t width) {
    for (size_t i = width; i-- > 0;) {
      out_.push_back(static_cast<uint8_t>(value >> (8 * i)));
    }
  }

  std::vector<uint8_t>& out_;
};

// Appends `value` to `out`.
template <typename T>
void write(std::vector<uint8_t>& out, const T& value) {
  Writer writer(out);
  T::layout(writer, value);
}

}  // namespace steertag::wire
