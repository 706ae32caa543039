#include "southwell/core/parallel.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/float_environment.hpp"

namespace southwell::core {
namespace {

thread_local bool inside_task = false;

/// The exception of the lowest task number, whichever thread met it first.
class FirstFailure {
 public:
  void keep(std::size_t task) {
    const std::lock_guard lock(mutex_);
    if (task < task_) {
      task_ = task;
      exception_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::size_t task_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr exception_;
};

template <class Body>
void run_task(const Body& body, std::size_t task, FirstFailure& failure) {
  try {
    body(task);
  } catch (...) {
    failure.keep(task);
  }
}

}  // namespace

int available_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

struct ThreadPool::Workers {
  std::mutex one_run_at_a_time;
  // One region: written by the caller before `round` moves, read by the workers after it did.
  Task task{};
  std::size_t tasks = 0;
  FirstFailure* failure = nullptr;
  std::atomic<std::size_t> next_task{0};
  std::atomic<std::uint32_t> round{0};
  std::atomic<int> busy{0};
  std::atomic<bool> stop{false};
  const pid_t process = getpid();
  std::vector<std::jthread> threads;

  explicit Workers(int count) {
    try {
      for (int i = 0; i < count; ++i) threads.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch): nothing is lost
      // The system gives no further thread. The caller takes every task that nobody else does.
    } catch (...) {  // out of memory: the threads that were started would wait for ever
      send_home();
      throw;
    }
  }
  ~Workers() { send_home(); }  // jthreads join here

  void send_home() {
    stop.store(true);
    round.fetch_add(1);
    round.notify_all();
  }

  void take_tasks() {
    inside_task = true;
    for (std::size_t i; (i = next_task.fetch_add(1, std::memory_order_relaxed)) < tasks;) {
      run_task(task, i, *failure);
    }
    inside_task = false;
  }

  void work() {
    const StandardFloatEnvironment standard;
    for (std::uint32_t seen = 0;;) {
      round.wait(seen);
      seen = round.load();
      if (stop.load()) return;
      take_tasks();
      if (busy.fetch_sub(1) == 1) busy.notify_one();
    }
  }

  void run_region(std::size_t count, Task body, FirstFailure& first) {
    const std::lock_guard lock(one_run_at_a_time);
    task = body;
    tasks = count;
    failure = &first;
    next_task.store(0);
    busy.store(static_cast<int>(threads.size()));
    round.fetch_add(1);
    round.notify_all();
    take_tasks();
    for (int left; (left = busy.load()) != 0;) busy.wait(left);
  }
};

ThreadPool::ThreadPool(int threads) : threads_(threads == 0 ? available_threads() : threads) {
  if (threads < 0) {
    throw InvalidArgument("threads: given " + std::to_string(threads) +
                          ", accepted is a whole number >= 1, or 0 for all cores");
  }
}

ThreadPool::~ThreadPool() {
  Workers* workers = workers_.load();
  // A forked child only has a picture of its parent's threads; joining them would hang for ever.
  if (workers != nullptr && workers->process == getpid()) delete workers;
}

/// This process's workers. A forked child makes its own and abandons its copy of the parent's; of
/// two threads that come here at once, the second drops what it made.
ThreadPool::Workers& ThreadPool::workers() {
  Workers* current = workers_.load();
  if (current != nullptr && current->process == getpid()) return *current;
  auto fresh = std::make_unique<Workers>(threads_ - 1);
  if (workers_.compare_exchange_strong(current, fresh.get())) return *fresh.release();
  return *current;
}

void ThreadPool::run_erased(std::size_t tasks, Task task) {
  const StandardFloatEnvironment standard;
  FirstFailure failure;
  if (threads_ == 1 || tasks <= 1 || inside_task) {
    for (std::size_t i = 0; i < tasks; ++i) run_task(task, i, failure);
  } else {
    workers().run_region(tasks, task, failure);
  }
  failure.rethrow();
}

}  // namespace southwell::core
