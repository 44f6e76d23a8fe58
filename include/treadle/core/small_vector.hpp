// A vector of trivially copyable elements that keeps a few of them inside itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include <treadle/config.hpp>

namespace treadle::inline v0 {

/// Holds up to `Inline` elements without the heap, more with it. Same meaning as `std::vector` for
/// the operations it has.
template <class T, std::size_t Inline>
  requires std::is_trivially_copyable_v<T>
class SmallVector {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() noexcept = default;
  explicit SmallVector(std::size_t count, T value = T{}) { resize(count, value); }
  SmallVector(std::initializer_list<T> items) { assign(items.begin(), items.end()); }
  template <std::forward_iterator Iterator>
  SmallVector(Iterator first, Iterator last) {
    assign(first, last);
  }
  explicit SmallVector(std::span<const T> items) { assign(items.begin(), items.end()); }
  SmallVector(const SmallVector& other) { assign(other.begin(), other.end()); }
  SmallVector(SmallVector&& other) noexcept { steal(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) steal(other);
    return *this;
  }
  ~SmallVector() = default;

  template <std::forward_iterator Iterator>
  void assign(Iterator first, Iterator last) {
    const auto count = static_cast<std::size_t>(std::distance(first, last));
    size_ = 0;
    reserve(count);
    std::copy(first, last, data());
    size_ = count;
  }

  void reserve(std::size_t count) {
    if (count > capacity_) grow(count);
  }
  void resize(std::size_t count, T value = T{}) {
    reserve(count);
    if (count > size_) std::fill(data() + size_, data() + count, value);
    size_ = count;
  }
  void push_back(T item) {
    reserve(size_ + 1);
    data()[size_++] = item;
  }
  void pop_back() { --size_; }
  void clear() noexcept { size_ = 0; }
  iterator insert(const_iterator where, T item) {
    const auto at = where - begin();
    push_back(item);
    std::rotate(begin() + at, end() - 1, end());
    return begin() + at;
  }
  iterator erase(const_iterator where) {
    auto at = begin() + (where - begin());
    std::copy(at + 1, end(), at);
    --size_;
    return at;
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] iterator begin() noexcept { return data(); }
  [[nodiscard]] iterator end() noexcept { return data() + size_; }
  [[nodiscard]] const_iterator begin() const noexcept { return data(); }
  [[nodiscard]] const_iterator end() const noexcept { return data() + size_; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept {
    TREADLE_ASSERT(i < size_, "index in range");
    return data()[i];
  }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept {
    TREADLE_ASSERT(i < size_, "index in range");
    return data()[i];
  }
  [[nodiscard]] T& back() noexcept { return data()[size_ - 1]; }
  [[nodiscard]] const T& back() const noexcept { return data()[size_ - 1]; }
  [[nodiscard]] T& front() noexcept { return data()[0]; }
  [[nodiscard]] const T& front() const noexcept { return data()[0]; }

  friend bool operator==(const SmallVector& a, const SmallVector& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  // Apart from their callers, which are many and have better things to do.
  [[gnu::noinline]] void grow(std::size_t count) {
    const std::size_t wanted = std::max(count, capacity_ * 2);
    auto grown = std::make_unique<T[]>(wanted);
    std::copy(begin(), end(), grown.get());
    heap_ = std::move(grown);
    data_ = heap_.get();
    capacity_ = wanted;
  }
  [[gnu::noinline]] void steal(SmallVector& other) noexcept {
    if (other.heap_) {
      heap_ = std::move(other.heap_);
      data_ = std::exchange(other.data_, other.inline_);
      capacity_ = std::exchange(other.capacity_, Inline);
    } else {
      heap_.reset();
      data_ = inline_;
      capacity_ = Inline;
      std::copy(other.inline_, other.inline_ + other.size_, inline_);
    }
    size_ = std::exchange(other.size_, 0);
  }

  T* data_ = inline_;  ///< the elements, inside or on the heap
  std::size_t size_ = 0;
  std::size_t capacity_ = Inline;
  std::unique_ptr<T[]> heap_;
  T inline_[Inline] = {};
};

}  // namespace treadle::inline v0
