#include "southwell/privacy/random/random_bits.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "southwell/core/error.hpp"

namespace southwell::privacy {
namespace {

using First128 = std::pair<std::uint64_t, std::uint64_t>;

First128 first_bits(RandomBits& bits) {
  const std::uint64_t first = bits.word();
  return {first, bits.word()};
}

void no_entropy(std::span<unsigned char, 32>) { throw EntropyError("none"); }

TEST(RandomBits, AreTheKeyStreamOfChaCha20) {
  // RFC 7539, appendix A.1, test vectors 1 and 2: key and nonce zero, blocks 0 and 1.
  SeededRandomBits bits(0);
  EXPECT_EQ(bits.word(), 0x903df1a0ade0b876u);
  EXPECT_EQ(bits.word(), 0x28bd8653e56a5d40u);
  for (int i = 2; i < 8; ++i) bits.word();
  EXPECT_EQ(bits.word(), 0x7a385155bee7079fu) << "block 1";
  for (int i = 9; i < 256; ++i) bits.word();
  EXPECT_EQ(bits.word(), 0x391ab472a3df42f9u) << "block 32, after the buffer was filled again";
}

TEST(RandomBits, OfTheSameSeedRepeatAndOfAnotherDiffer) {
  SeededRandomBits a(7);
  SeededRandomBits b(7);
  SeededRandomBits c(8);
  const First128 expected = first_bits(a);
  EXPECT_EQ(first_bits(b), expected);
  EXPECT_NE(first_bits(c), expected);
}

TEST(RandomBits, DoNotRepeatAcrossTheBuffer) {
  SeededRandomBits bits(3);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 10000; ++i) seen.insert(bits.word());
  EXPECT_EQ(seen.size(), 10000u);
}

TEST(RandomBits, OfAHundredThousandFitsAreAllDistinct) {
  std::set<First128> seen;
  for (int fit = 0; fit < 100000; ++fit) {
    SystemRandomBits bits;
    seen.insert(first_bits(bits));
  }
  EXPECT_EQ(seen.size(), 100000u);
}

TEST(RandomBits, OfAllStreamsOfAFitAreDistinct) {
  SystemRandomBits fit;
  SeededRandomBits seeded(5);
  for (RandomBits* bits : {static_cast<RandomBits*>(&fit), static_cast<RandomBits*>(&seeded)}) {
    std::set<First128> seen = {first_bits(*bits)};
    for (const Purpose purpose :
         {Purpose::selection, Purpose::release, Purpose::sampling, Purpose::target_scale}) {
      for (std::uint32_t index = 0; index < 100; ++index) {
        const auto stream = bits->stream(purpose, index);
        seen.insert(first_bits(*stream));
        seen.insert(first_bits(*stream->stream(purpose, index)));  // a stream of a stream
      }
    }
    EXPECT_EQ(seen.size(), 801u);
  }
}

TEST(RandomBits, OfTwoThreadsAreDistinct) {
  SystemRandomBits fit;
  std::array<std::vector<std::uint64_t>, 2> drawn;
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t t = 0; t < 2; ++t) {
      threads.emplace_back([&out = drawn[t], bits = fit.stream(Purpose::sampling, t)] {
        for (int i = 0; i < 1000; ++i) out.push_back(bits->word());
      });
    }
  }
  std::set<std::uint64_t> seen;
  for (const auto& words : drawn) seen.insert(words.begin(), words.end());
  EXPECT_EQ(seen.size(), 2000u);
}

TEST(RandomBits, HandOutAStreamOnlyOnce) {
  SystemRandomBits fit;
  EXPECT_NO_THROW(fit.stream(Purpose::release, 0));
  EXPECT_NO_THROW(fit.stream(Purpose::release, 1));
  EXPECT_THROW(fit.stream(Purpose::release, 0), std::logic_error);
}

/// What `draw` gives in a child made by `fork_call`.
template <class Draw>
std::vector<First128> drawn_in_child(pid_t (*fork_call)(), std::size_t count, Draw&& draw) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("pipe");
  const pid_t child = fork_call();
  std::vector<First128> drawn(count);
  const auto size = static_cast<ssize_t>(sizeof(First128) * count);
  if (child == 0) {
    drawn = draw();
    _exit(write(ends[1], drawn.data(), static_cast<std::size_t>(size)) == size ? 0 : 1);
  }
  const bool complete = read(ends[0], drawn.data(), static_cast<std::size_t>(size)) == size;
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  if (!complete) throw std::runtime_error("read");
  return drawn;
}

// _Fork() runs no handlers of pthread_atfork, as little as the bare system call.
constexpr std::array<pid_t (*)(), 2> kForkCalls = {fork, _Fork};

TEST(RandomBits, OfParentAndForkedChildrenAreDistinct) {
  for (const auto fork_call : kForkCalls) {
    SystemRandomBits fit;
    const auto stream = fit.stream(Purpose::selection, 0);
    fit.word();  // both buffers are half used: a check at the next refill would come too late
    stream->word();
    const auto draw = [&]() -> std::vector<First128> {
      return {first_bits(fit), first_bits(*stream), first_bits(*fit.stream(Purpose::release, 99))};
    };
    std::vector<First128> all;
    for (int i = 0; i < 3; ++i) {
      for (const First128& bits : drawn_in_child(fork_call, 3, draw)) all.push_back(bits);
    }
    for (const First128& bits : draw()) all.push_back(bits);
    EXPECT_EQ(std::set<First128>(all.begin(), all.end()).size(), all.size());
  }
}

TEST(RandomBits, OfAStreamThatAChildAsksForFirstAreNotItsParents) {
  for (const auto fork_call : kForkCalls) {
    SystemRandomBits fit;
    const auto draw = [&]() -> std::vector<First128> {
      return {first_bits(*fit.stream(Purpose::release, 0))};
    };
    std::vector<First128> all = drawn_in_child(fork_call, 1, draw);
    all.push_back(drawn_in_child(fork_call, 1, draw).front());
    all.push_back(draw().front());
    EXPECT_EQ(std::set<First128>(all.begin(), all.end()).size(), all.size());
  }
}

TEST(RandomBits, OfGrandchildrenAreDistinctToo) {
  SystemRandomBits fit;
  fit.word();
  const auto draw = [&]() -> std::vector<First128> {
    const First128 mine = first_bits(fit);
    const auto below = drawn_in_child(fork, 1, [&] { return std::vector{first_bits(fit)}; });
    return {mine, below.front(), first_bits(fit)};
  };
  std::vector<First128> all = drawn_in_child(fork, 3, draw);
  all.push_back(first_bits(fit));
  EXPECT_EQ(std::set<First128>(all.begin(), all.end()).size(), all.size());
}

TEST(RandomBits, AreRefusedWithoutEntropy) {
  EXPECT_THROW(SystemRandomBits{no_entropy}, EntropyError);
}

bool entropy_is_gone = false;
void failing_entropy(std::span<unsigned char, 32> key) {
  if (entropy_is_gone) throw EntropyError("none");
  system_entropy(key);
}

TEST(RandomBits, AreRefusedInAChildThatGetsNoEntropy) {
  SystemRandomBits fit(failing_entropy);
  fit.word();
  const pid_t child = fork();
  if (child == 0) {
    entropy_is_gone = true;
    try {
      fit.word();
    } catch (const EntropyError&) {
      _exit(0);
    }
    _exit(1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(RandomBits, SayWhereTheyComeFromAndSoDoTheirStreams) {
  SystemRandomBits fit;
  SeededRandomBits seeded(1);
  ScriptedRandomBits scripted(std::vector<std::uint64_t>{});
  EXPECT_EQ(fit.origin(), Origin::system);
  EXPECT_EQ(fit.stream(Purpose::release, 0)->origin(), Origin::system);
  EXPECT_EQ(seeded.origin(), Origin::seeded);
  EXPECT_EQ(seeded.stream(Purpose::release, 0)->origin(), Origin::seeded);
  EXPECT_EQ(scripted.origin(), Origin::scripted);
  EXPECT_EQ(scripted.stream(Purpose::release, 0)->origin(), Origin::scripted);
}

TEST(RandomBits, OfAnotherEntropySourceAreNotTheSystems) {
  SystemRandomBits fit([](std::span<unsigned char, 32> key) { key[0] = 7; });
  EXPECT_EQ(fit.origin(), Origin::scripted);
  EXPECT_EQ(fit.stream(Purpose::release, 0)->origin(), Origin::scripted);
}

TEST(RandomBits, ReplayAScriptAndStopAtItsEnd) {
  ScriptedRandomBits bits({1, 2, 3});
  EXPECT_EQ(bits.word(), 1u);
  EXPECT_EQ(bits.stream(Purpose::release, 0)->word(), 2u);
  EXPECT_EQ(bits.left(), 1u);
  EXPECT_EQ(bits.word(), 3u);
  EXPECT_THROW(bits.word(), std::out_of_range);
}

}  // namespace
}  // namespace southwell::privacy
