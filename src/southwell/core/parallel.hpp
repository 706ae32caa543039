#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace southwell::core {

/// The number of cores this process may run on (its affinity mask, not the machine's count).
int available_threads();

/// A small pool of threads: `run` calls `body(task)` once for each task and returns when all are
/// done.
///
/// - One thread means no thread: everything runs in the caller.
/// - If tasks throw, all tasks still run, and the exception of the lowest task number is rethrown:
///   the error does not depend on timing.
/// - If the system gives no further thread, those there are do all tasks, the caller at least.
/// - After fork() the child starts workers of its own at its next `run`.
/// - Workers and caller compute in the standard floating-point environment.
/// - A `run` from inside a task of any pool runs in that task's thread. A `run` from a second
///   thread waits for the first one's.
class ThreadPool {
 public:
  /// `threads` >= 1; 0 means all available cores.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return threads_; }

  template <class Body>
  void run(std::size_t tasks, Body&& body) {
    run_erased(tasks, {[](void* b, std::size_t i) {
                         (*static_cast<std::remove_reference_t<Body>*>(b))(i);
                       },
                       const_cast<void*>(static_cast<const void*>(std::addressof(body)))});
  }

  /// `run` over [0, size) cut into at most `threads() * 4` contiguous parts of at least `grain`.
  template <class Body>
  void run_ranges(std::size_t size, std::size_t grain, Body&& body) {
    if (size == 0) return;
    const std::size_t most = static_cast<std::size_t>(threads_) * 4;
    const std::size_t by_grain = (size + grain - 1) / grain;
    const std::size_t parts = threads_ == 1 ? 1 : (by_grain < most ? by_grain : most);
    run(parts, [&](std::size_t part) { body(size * part / parts, size * (part + 1) / parts); });
  }

 private:
  struct Task {
    void (*call)(void*, std::size_t);
    void* body;
    void operator()(std::size_t i) const { call(body, i); }
  };
  struct Workers;

  void run_erased(std::size_t tasks, Task task);
  Workers& workers();

  int threads_;
  std::atomic<Workers*> workers_{nullptr};
};

}  // namespace southwell::core
