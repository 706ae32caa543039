#pragma once

#include <cstdint>

namespace southwell::data {

// The Arrow C data and stream interfaces: three structs, whose layout is fixed for all programs
// (https://arrow.apache.org/docs/format/CDataInterface.html). Nothing of Arrow's own library is
// needed to read them.

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

/// Lets go of one of them when it is no longer needed, wherever it came from.
template <class T>
class ArrowOwner {
 public:
  ArrowOwner() = default;
  /// Takes over what is in `from`, which is empty after that.
  explicit ArrowOwner(T& from) : held_(from) { from.release = nullptr; }
  ~ArrowOwner() {
    if (held_.release != nullptr) held_.release(&held_);
  }
  ArrowOwner(const ArrowOwner&) = delete;
  ArrowOwner& operator=(const ArrowOwner&) = delete;

  T& held() { return held_; }
  const T& operator*() const { return held_; }
  const T* operator->() const { return &held_; }
  bool is_empty() const { return held_.release == nullptr; }

 private:
  T held_{};
};

}  // namespace southwell::data
