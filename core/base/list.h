// List: a vector whose clear() keeps its elements, and with them whatever
// memory the elements own. A header decoded into the same List again and again
// reaches a state where decoding allocates nothing, nested lists included.
//
// add() hands back an element that may still hold what it held before the
// clear(): the caller sets every field.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace steertag::base {

template <typename T>
class List {
 public:
  using value_type = T;

  T& add() {
    if (size_ == items_.size()) {
      items_.emplace_back();
    }
    return items_[size_++];
  }
  void push_back(T item) { add() = std::move(item); }
  void drop_last() { --size_; }  // precondition: not empty
  void clear() { size_ = 0; }
  // Frees elements that are not in use, down to `most`.
  void shrink(size_t most) {
    if (items_.size() > std::max(most, size_)) {
      items_.resize(std::max(most, size_));
      items_.shrink_to_fit();
    }
  }

  size_t size() const { return size_; }
  size_t bytes() const { return items_.capacity() * sizeof(T); }  // of the heap, without what the items own
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) { return items_[i]; }
  const T& operator[](size_t i) const { return items_[i]; }
  T& back() { return items_[size_ - 1]; }
  const T& back() const { return items_[size_ - 1]; }
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }

  List() = default;
  List(const List& other) : items_(other.begin(), other.end()), size_(other.size_) {}
  List& operator=(const List& other) {
    if (this != &other) {
      clear();
      for (const T& item : other) {
        add() = item;
      }
    }
    return *this;
  }
  List(List&& other) noexcept : items_(std::move(other.items_)), size_(other.size_) {
    other.items_.clear();
    other.size_ = 0;
  }
  List& operator=(List&& other) noexcept {
    items_.swap(other.items_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~List() = default;

  friend bool operator==(const List& a, const List& b) {
    if (a.size_ != b.size_) {
      return false;
    }
    for (size_t i = 0; i < a.size_; ++i) {
      if (!(a.items_[i] == b.items_[i])) {
        return false;
      }
    }
    return true;
  }

 private:
  std::vector<T> items_;
  size_t size_ = 0;
};

}  // namespace steertag::base
