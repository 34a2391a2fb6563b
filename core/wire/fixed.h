// Fixed: reads a struct of a known length by its layout, from bytes that are there: one
// check of the whole length instead of one a field. For the headers that every frame has;
// Reader does the same, field by field, wherever a structure may stop in the middle.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/check.h"
#include "wire/reader.h"

namespace steertag::wire {

class Fixed {
 public:
  static constexpr bool reading = true;

  explicit Fixed(const uint8_t* bytes) : at_(bytes) {}
  const uint8_t* at() const { return at_; }
  static constexpr bool stopped() { return false; }

  template <Scalar T>
  void operator()(const char*, T& field) {
    using Raw =
        typename std::conditional_t<std::is_enum_v<T>, std::underlying_type<T>, std::type_identity<T>>::type;
    field = static_cast<T>(big_endian<Raw>(at_));
    at_ += sizeof(Raw);
  }
  template <Scalar T>
  void hex(const char* name, T& field) {
    (*this)(name, field);
  }
  // Precondition: it is not the first field, so that the byte in front of it is there, too.
  void u24(const char*, uint32_t& field) {
    field = big_endian<uint32_t>(at_ - 1) & 0xFFFFFF;
    at_ += 3;
  }
  template <typename T>
  requires(!Scalar<T>) void operator()(const char*, T& field) { T::layout(*this, field); }
  template <typename Array>
  void array(const char*, Array& field) {
    std::copy_n(at_, field.size(), field.begin());
    at_ += field.size();
  }

 private:
  const uint8_t* at_;
};

// Fills in `into`, which a caller on a hot path has at hand: a struct that is returned is copied in other
// pieces than it was written in, and that takes longer than reading it. Precondition: T::size bytes are
// there.
template <typename T>
const T& read_fixed(const uint8_t* bytes, T& into) {
  Fixed reader(bytes);
  T::layout(reader, into);
  STEERTAG_CHECK(reader.at() == bytes + T::size);
  return into;
}

}  // namespace steertag::wire
