#include "southwell/privacy/random/fork_generation.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <string>

#include "southwell/core/error.hpp"

namespace southwell::privacy {
namespace {

using Word = std::atomic<std::uint64_t>;
static_assert(Word::is_always_lock_free);

[[noreturn]] void fail(const char* what) {
  const int error = errno;  // before anything else can set it
  throw EntropyError(std::string("random bits: ") + what + ": " + std::strerror(error));
}

/// A word of zero on a page that the kernel wipes in every child, whichever call made it. (A
/// handler of pthread_atfork would not see _Fork() or the bare system calls.)
Word* wiped_on_fork() {
  const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* page = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) fail("a page of memory cannot be had");
  if (madvise(page, size, MADV_WIPEONFORK) != 0) {
    fail(errno == EINVAL ? "the kernel cannot wipe a page on fork(), as Linux 4.14 and later can"
                         : "a page cannot be made to be wiped on fork()");
  }
  return new (page) Word(0);  // never given back: objects look at it until the process ends
}

Word latest{0};  // survives forks, so that a child's number is larger than its parent's

}  // namespace

ForkGeneration ForkGeneration::now() {
  static Word* const word = wiped_on_fork();
  std::uint64_t number = word->load();
  if (number == 0) {  // the first call in this process; of two threads the first sets the number
    const std::uint64_t next = latest.fetch_add(1) + 1;
    if (word->compare_exchange_strong(number, next)) number = next;
  }
  return {word, number};
}

}  // namespace southwell::privacy
