#include "southwell/core/parallel.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <cstdio>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "southwell/core/error.hpp"

namespace southwell::core {
namespace {

TEST(ThreadPool, RunsEachTaskOnce) {
  for (const int threads : {1, 2, 7}) {
    ThreadPool pool(threads);
    for (const std::size_t tasks : {0u, 1u, 2u, 3u, 1000u}) {
      std::vector<std::atomic<int>> calls(tasks);
      pool.run(tasks, [&](std::size_t i) { calls[i].fetch_add(1); });
      for (const auto& count : calls) EXPECT_EQ(count.load(), 1);
    }
  }
}

TEST(ThreadPool, ManyShortRegionsLoseNothing) {
  ThreadPool pool(3);
  std::atomic<int> sum{0};
  for (int round = 0; round < 5000; ++round) {
    pool.run(4, [&](std::size_t i) { sum.fetch_add(static_cast<int>(i)); });
  }
  EXPECT_EQ(sum.load(), 5000 * 6);
}

TEST(ThreadPool, OneThreadMeansNoThread) {
  ThreadPool pool(1);
  std::set<std::thread::id> seen;
  pool.run(100, [&](std::size_t) { seen.insert(std::this_thread::get_id()); });
  EXPECT_EQ(seen, std::set{std::this_thread::get_id()});
}

TEST(ThreadPool, RangesCoverEverythingOnceInOrder) {
  for (const int threads : {1, 2, 7}) {
    ThreadPool pool(threads);
    for (const std::size_t size : {0u, 1u, 5u, 100u, 12345u}) {
      std::vector<std::atomic<int>> calls(size);
      pool.run_ranges(size, 10, [&](std::size_t first, std::size_t last) {
        EXPECT_LT(first, last);
        for (std::size_t i = first; i < last; ++i) calls[i].fetch_add(1);
      });
      for (const auto& count : calls) EXPECT_EQ(count.load(), 1);
    }
  }
}

TEST(ThreadPool, RethrowsTheLowestTasksExceptionAfterAllTasksRan) {
  for (const int threads : {1, 2, 7}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> ran{0};
      try {
        pool.run(64, [&](std::size_t i) {
          ran.fetch_add(1);
          if (i >= 5) throw std::runtime_error(std::to_string(i));
        });
        FAIL() << "no exception";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "5");
      }
      EXPECT_EQ(ran.load(), 64);
    }
    int after = 0;
    pool.run(1, [&](std::size_t) { after = 1; });
    EXPECT_EQ(after, 1);
  }
}

TEST(ThreadPool, ARunInsideATaskStaysInItsThread) {
  ThreadPool pool(2);
  std::atomic<int> inner{0};
  pool.run(8, [&](std::size_t) {
    const auto here = std::this_thread::get_id();
    pool.run(8, [&](std::size_t) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      inner.fetch_add(1);
    });
  });
  EXPECT_EQ(inner.load(), 64);
}

TEST(ThreadPool, TwoCallersTakeTurns) {
  ThreadPool pool(2);
  std::atomic<int> sum{0};
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller) {
      callers.emplace_back([&] {
        for (int round = 0; round < 200; ++round) {
          pool.run(10, [&](std::size_t) { sum.fetch_add(1); });
        }
      });
    }
  }
  EXPECT_EQ(sum.load(), 4 * 200 * 10);
}

#if defined(__SANITIZE_THREAD__)
#define SOUTHWELL_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SOUTHWELL_UNDER_TSAN 1
#endif
#if __has_feature(address_sanitizer)
#define SOUTHWELL_UNDER_ASAN 1
#endif
#endif
#ifndef SOUTHWELL_UNDER_TSAN  // threads made after a multi-threaded fork are beyond that tool

/// Forks, runs `body` in the child under an alarm, and returns whether it answered true.
template <class Body>
bool holds_in_child(Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(ThreadPool, WorksInAForkedChildAndStillInTheParent) {
  ThreadPool pool(3);
  std::atomic<int> sum{0};
  const auto sums_up = [&] {
    sum = 0;
    pool.run(1000, [&](std::size_t) { sum.fetch_add(1); });
    return sum.load() == 1000;
  };
  ASSERT_TRUE(sums_up());
  EXPECT_TRUE(holds_in_child([&] { return sums_up() && sums_up(); }));
  EXPECT_TRUE(sums_up());
}

TEST(ThreadPool, AForkInTheMiddleOfARunLeavesAUsableChild) {
  ThreadPool pool(2);
  std::atomic<bool> go{true};
  std::jthread busy([&] {
    while (go.load()) pool.run(64, [](std::size_t) {});
  });
  for (int round = 0; round < 20; ++round) {
    EXPECT_TRUE(holds_in_child([&] {
      std::atomic<int> sum{0};
      pool.run(100, [&](std::size_t) { sum.fetch_add(1); });
      return sum.load() == 100;
    }));
  }
  go = false;
}

TEST(ThreadPool, AChildMayDestroyItsCopyWithoutWaitingForThreadsItNeverHad) {
  auto pool = std::make_unique<ThreadPool>(3);
  pool->run(10, [](std::size_t) {});
  EXPECT_TRUE(holds_in_child([&] {
    pool.reset();
    return true;
  }));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(SOUTHWELL_UNDER_ASAN)  // its memory has no limit
// A child that has room for a few stacks only; if workers that did not start were waited for, the
// alarm would end it.
TEST(ThreadPool, GoesOnWithTheThreadsItHasWhereTheSystemGivesNoMore) {
  EXPECT_TRUE(holds_in_child([] {
    long pages = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
      if (std::fscanf(file, "%ld", &pages) != 1) return false;
      std::fclose(file);
    }
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) +
                     (rlim_t{40} << 20);
    if (setrlimit(RLIMIT_AS, &limit) != 0) return false;
    ThreadPool pool(200);
    std::atomic<int> sum{0};
    pool.run(1000, [&](std::size_t) { sum.fetch_add(1); });
    limit.rlim_cur = before;
    setrlimit(RLIMIT_AS, &limit);
    pool.run(1000, [&](std::size_t) { sum.fetch_add(1); });
    return sum.load() == 2000;
  }));
}
#endif
#endif

TEST(ThreadPool, ComputesInTheStandardFloatingPointEnvironment) {
  ThreadPool pool(2);
  pool.run(2, [](std::size_t) {});  // start the workers before the caller's mode changes
  std::fesetround(FE_TOWARDZERO);
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040u);  // flush, denormals are zero
#endif
  std::vector<int> right(64, 0);
  pool.run(64, [&](std::size_t i) {
    volatile double tiny = std::numeric_limits<double>::min();
    volatile double half = tiny * 0.5;
    volatile double one = 1.0;
    volatile double third = one / 3.0;
    volatile double two_thirds = 2.0 / 3.0;
    right[i] = half > 0.0 && third + third == two_thirds && std::fegetround() == FE_TONEAREST;
  });
  EXPECT_EQ(std::fegetround(), FE_TOWARDZERO) << "the caller's own mode was not given back";
#if defined(__x86_64__)
  EXPECT_NE(__builtin_ia32_stmxcsr() & 0x8040u, 0u);
#endif
  std::fesetenv(FE_DFL_ENV);
  EXPECT_EQ(std::accumulate(right.begin(), right.end(), 0), 64);
}

TEST(ThreadPool, RefusesANegativeNumberOfThreads) {
  EXPECT_THROW(ThreadPool(-1), InvalidArgument);
  EXPECT_EQ(ThreadPool(0).threads(), available_threads());
}

}  // namespace
}  // namespace southwell::core
