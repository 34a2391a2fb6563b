// Rare: a value that few of many things have. It takes the room of a pointer until it is made, and costs an
// allocation then. What was never made reads as one that was not given a value; a copy of it has a value of
// its own.
#pragma once

#include <memory>

namespace steertag::base {

template <typename T>
class Rare {
 public:
  Rare() = default;
  Rare(const Rare& other) : made_(other.made_ ? std::make_unique<T>(*other.made_) : nullptr) {}
  Rare(Rare&&) noexcept = default;
  Rare& operator=(const Rare& other) { return *this = Rare(other); }
  Rare& operator=(Rare&&) noexcept = default;
  ~Rare() = default;

  T& make() {
    if (!made_) {
      made_ = std::make_unique<T>();
    }
    return *made_;
  }
  T* get() { return made_.get(); }  // null: it was never made
  explicit operator bool() const { return made_ != nullptr; }
  const T* operator->() const { return &value(); }
  const T& value() const {
    static const T none{};
    return made_ ? *made_ : none;
  }

 private:
  std::unique_ptr<T> made_;
};

}  // namespace steertag::base
