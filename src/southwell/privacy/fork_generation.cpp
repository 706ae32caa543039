#include "southwell/privacy/fork_generation.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "southwell/core/error.hpp"

namespace southwell::privacy {
namespace {

using Word = std::atomic<std::uint64_t>;
static_assert(Word::is_always_lock_free);

/// A word of zero on a page that the kernel wipes in every child, whichever call made it. (A
/// handler of pthread_atfork would not see _Fork() or the bare system calls.)
Word* wiped_on_fork() {
  const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* page = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED || madvise(page, size, MADV_WIPEONFORK) != 0) {
    throw EntropyError("random bits: cannot be made safe for fork() (needs Linux 4.14 or later)");
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
