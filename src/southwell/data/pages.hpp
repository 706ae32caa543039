#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>
#include <utility>

namespace southwell::data {

/// Zeroed memory straight from the system: it takes up room only where it was written, and can be
/// given back piece by piece.
class Pages {
 public:
  Pages() = default;
  explicit Pages(std::size_t bytes) : size_(bytes) {
    if (bytes == 0) return;
    void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<char*>(start);
  }
  Pages(Pages&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Pages& operator=(Pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Pages() {
    if (data_ != nullptr) munmap(data_, size_);
  }

  char* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Gives back the whole pages within bytes [first, last), whose content is lost; returns where
  /// the part not given back begins.
  std::size_t release(std::size_t first, std::size_t last) {
    static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t begin = (first + page - 1) / page * page;
    const std::size_t end = last / page * page;
    if (begin >= end) return first;
    madvise(data_ + begin, end - begin, MADV_DONTNEED);
    return end;
  }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace southwell::data
