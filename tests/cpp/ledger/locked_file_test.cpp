#include "southwell/ledger/locked_file.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "ledger/looks.hpp"
#include "southwell/core/error.hpp"
#include "southwell/ledger/charge.hpp"

namespace southwell::ledger {
namespace {

std::atomic<int> synced_files = 0;
std::atomic<int> error_of_locks = 0;   ///< an error number; -1: yes, and nothing is locked
std::atomic<int> error_of_second = 0;  ///< of who asks while somebody else has the lock
std::atomic<int> error_of_sync = 0;

}  // namespace
}  // namespace southwell::ledger

// The system's calls as a test wants them: these definitions are found before the library's.

extern "C" int fsync(int descriptor) {
  using namespace southwell::ledger;
  if (error_of_sync != 0) {
    errno = error_of_sync;
    return -1;
  }
  ++synced_files;
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

extern "C" int flock(int descriptor, int operation) noexcept {
  using namespace southwell::ledger;
  if (error_of_locks == -1) return 0;
  if (error_of_locks != 0) {
    errno = error_of_locks;
    return -1;
  }
  const int answer = static_cast<int>(syscall(SYS_flock, descriptor, operation));
  if (answer != 0 && error_of_second != 0) errno = error_of_second;
  return answer;
}

namespace southwell::ledger {
namespace {

TEST(LockedFile, IsOnTheDiskBeforeALineCounts) {
  const Place place;
  synced_files = 0;
  LockedFile::create(place.file(), "first\n");
  EXPECT_GE(synced_files, 2) << "the file and its directory";
  synced_files = 0;
  LockedFile(place.file(), Access::append).append("second\n");
  EXPECT_GE(synced_files, 2) << "the file and its directory";
  EXPECT_EQ(LockedFile(place.file(), Access::read).text(), "first\nsecond\n");
}

TEST(LockedFile, FailsWhereTheDiskDoes) {
  const Place place;
  LockedFile::create(place.file(), "first\n");
  error_of_sync = EIO;
  EXPECT_THROW(LockedFile(place.file(), Access::append).append("second\n"), DataError);
  EXPECT_THROW(LockedFile::create(place.file("other"), "first\n"), DataError);
  error_of_sync = 0;
  EXPECT_FALSE(std::filesystem::exists(place.file("other")));
}

TEST(LockedFile, WaitsForWhoeverHasTheLock) {
  const Place place;
  LockedFile::create(place.file(), "first\n");
  std::future<void> other;
  {
    const LockedFile held(place.file(), Access::append);
    other = std::async(std::launch::async,
                       [&] { LockedFile(place.file(), Access::append).append("second\n"); });
    EXPECT_EQ(other.wait_for(std::chrono::milliseconds(200)), std::future_status::timeout);
    EXPECT_EQ(read(place.file()), "first\n");
  }
  other.get();
  EXPECT_EQ(read(place.file()), "first\nsecond\n");
}

TEST(LockedFile, IsRefusedWhereNothingIsLocked) {
  const Place place;
  LockedFile::create(place.file(), "first\n");
  for (const int error : {ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL, -1}) {
    error_of_locks = error;
    EXPECT_THROW(LockedFile(place.file(), Access::append), DataError) << error;
    EXPECT_THROW(LockedFile::create(place.file("other"), "first\n"), DataError) << error;
    EXPECT_FALSE(std::filesystem::exists(place.file("other"))) << error;
  }
  error_of_locks = 0;
  // An error is no sign of a lock: a network's file system refuses for reasons of its own.
  for (const int error : {EBADF, ENOLCK, EINVAL}) {
    error_of_second = error;
    EXPECT_THROW(LockedFile(place.file(), Access::append), DataError) << error;
  }
  error_of_second = 0;
  EXPECT_NO_THROW(LockedFile(place.file(), Access::append));
}

/// Files may not grow beyond this while it is there: a full disk.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() { setrlimit(RLIMIT_FSIZE, &before_); }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit before_{};
};

TEST(LockedFile, IsAsBeforeWhereTheDiskIsFull) {
  const Place place;
  LockedFile::create(place.file(), "first\n");
  {
    const SmallDisk disk(10);  // four bytes of the next line go
    EXPECT_THROW(LockedFile(place.file(), Access::append).append("second\n"), DataError);
  }
  EXPECT_EQ(read(place.file()), "first\n");
}

TEST(LockedFile, DoesNotGrowBeyondWhatIsRead) {
  const Place place;
  LockedFile::create(place.file(), "first\n");
  constexpr std::uintmax_t kMost = std::uintmax_t{64} << 20;
  std::filesystem::resize_file(place.file(), kMost - 3);
  EXPECT_THROW(LockedFile(place.file(), Access::append).append("second\n"), DataError);
  EXPECT_EQ(std::filesystem::file_size(place.file()), kMost - 3);
  EXPECT_NO_THROW(LockedFile(place.file(), Access::append).append("2.\n"));
  EXPECT_NO_THROW(LockedFile(place.file(), Access::read).text());
}

TEST(LockedFile, RefusesWhatIsNoFileThatCanBeAppendedTo) {
  const Place place;
  EXPECT_THROW(LockedFile(place.file("none"), Access::read), DataError);
  EXPECT_THROW(LockedFile(place.file().parent_path(), Access::read), DataError);
  ASSERT_EQ(mkfifo(place.file("pipe").c_str(), 0600), 0);
  EXPECT_THROW(LockedFile(place.file("pipe"), Access::read), DataError);
  EXPECT_THROW(LockedFile::create(place.file("no/such/place"), "first\n"), DataError);
}

TEST(LockedFile, RefusesAFileThatWasReplacedWhileItWaited) {
  const Place place;
  LockedFile::create(place.file(), "first\n");
  LockedFile::create(place.file("new"), "another\n");
  std::future<void> other;
  {
    const LockedFile held(place.file(), Access::append);
    other = std::async(std::launch::async,
                       [&] { LockedFile(place.file(), Access::append).append("second\n"); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    std::filesystem::rename(place.file("new"), place.file());
  }
  EXPECT_THROW(other.get(), DataError);
  EXPECT_EQ(read(place.file()), "another\n");
}

double milliseconds_of_this_thread() {
  timespec spent{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return 1e3 * static_cast<double>(spent.tv_sec) + 1e-6 * static_cast<double>(spent.tv_nsec);
}

/// Of a reservation and its commit, in which nobody waits for the disk; the median of many.
double milliseconds_of_a_charge(const Place& place, const model::Statement& look) {
  std::vector<double> taken;
  for (int k = 0; k < 21; ++k) {
    const double from = milliseconds_of_this_thread();
    Charge charge(place.file().string(), "fit", look);
    model::LinearModel model = {};
    model.privacy = look;
    charge.commit(model);
    taken.push_back(milliseconds_of_this_thread() - from);
  }
  std::nth_element(taken.begin(), taken.begin() + 10, taken.end());
  return taken[10];
}

TEST(Ledger, CostsLittleBesideTheDisk) {
  constexpr double kMostMilliseconds = 50.0;  // under a sanitizer; without one 5
  const Place place;
  const Ledger ledger = small_ledger(place, 50.0);
  model::Statement look = gaussian_look(50000, 3);
  for (std::uint64_t k = 1; k < 8; ++k) {  // as many kinds of mechanisms as a default fit has
    look.mechanisms.push_back(gaussian_look(50000 + k, 40).mechanisms.front());
  }
  model::settle_spent(look);
  look.epsilon = look.epsilon_spent;
  model::settle_guarantee(look, {});
  const double of_few = milliseconds_of_a_charge(place, look);
  EXPECT_LT(of_few, kMostMilliseconds);
  for (int k = 0; k < 60; ++k) ledger.commit(ledger.reserve("fit", look));
  const double of_a_hundred = milliseconds_of_a_charge(place, look);
  RecordProperty("few", std::to_string(of_few));
  RecordProperty("hundred", std::to_string(of_a_hundred));
}

TEST(Ledger, AdmitsExactlyWhatItHasRoomForWhoeverAsks) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  std::atomic<int> admitted = 0;
  std::atomic<int> refused = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < 32; ++k) {
    threads.emplace_back([&] {
      try {
        ledger.commit(ledger.reserve("fit", laplace_look(99)));
        ++admitted;
      } catch (const BudgetError&) {
        ++refused;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(admitted, 10);
  EXPECT_EQ(refused, 22);
}

}  // namespace
}  // namespace southwell::ledger
