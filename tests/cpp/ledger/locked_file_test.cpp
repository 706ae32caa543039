#include "southwell/ledger/locked_file.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "ledger/looks.hpp"
#include "southwell/core/error.hpp"

namespace southwell::ledger {
namespace {

std::atomic<int> synced_files = 0;
std::atomic<int> error_of_locks = 0;  ///< an error number; -1: yes, and nothing is locked
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
  return static_cast<int>(syscall(SYS_flock, descriptor, operation));
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
