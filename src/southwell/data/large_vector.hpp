#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace southwell::data {

/// Memory in pages of 2 MiB, where the system gives them: of the time it takes to copy a table into
/// fresh memory, most goes into the first touch of each page of 4 KiB.
template <class T>
struct HugePages {
  using value_type = T;

  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}

  T* allocate(std::size_t count) {
    if (is_small(count)) return std::allocator<T>().allocate(count);
    const std::size_t bytes = whole_pages(count);
    void* start = ::operator new(bytes, kPage);
#ifdef MADV_HUGEPAGE
    madvise(start, bytes, MADV_HUGEPAGE);  // a wish: what comes of it changes no result
#endif
    return static_cast<T*>(start);
  }
  void deallocate(T* start, std::size_t count) {
    if (is_small(count)) return std::allocator<T>().deallocate(start, count);
    ::operator delete(start, whole_pages(count), kPage);
  }
  friend bool operator==(const HugePages&, const HugePages&) { return true; }

 private:
  static constexpr std::size_t kBytes = std::size_t{1} << 21;
  static constexpr std::align_val_t kPage{kBytes};

  static bool is_small(std::size_t count) { return count < kBytes / sizeof(T); }
  static std::size_t whole_pages(std::size_t count) {
    if (count > (static_cast<std::size_t>(-1) - kBytes) / sizeof(T)) {
      throw std::bad_array_new_length();
    }
    return (count * sizeof(T) + kBytes - 1) / kBytes * kBytes;
  }
};

/// A table to be written, nothing in it yet.
template <class T>
std::shared_ptr<T[]> shared_table(std::size_t count) {
  return std::allocate_shared_for_overwrite<T[]>(HugePages<T>(), count);
}

template <class T>
using LargeVector = std::vector<T, HugePages<T>>;

}  // namespace southwell::data
