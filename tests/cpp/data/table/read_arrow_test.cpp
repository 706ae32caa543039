#include "southwell/data/table/read_arrow.hpp"

#include <algorithm>
#include <cmath>

#include "arrow_arrays.hpp"
#include "southwell/core/error.hpp"
#include "tables.hpp"

namespace southwell::data {
namespace {

const TableEncoding& person() {
  static const TableEncoding encoding = encoding_of(schema_of(kPerson));
  return encoding;
}

/// Some records of the table of persons, in other types than text.
std::vector<Handmade> batch(const std::vector<double>& age, const std::vector<std::string>& who) {
  std::vector<std::string> region;
  std::vector<std::int8_t> smoker;
  for (std::size_t i = 0; i < age.size(); ++i) {
    region.push_back(i % 3 == 0 ? "south" : "north");
    smoker.push_back(i % 2 == 0 ? 1 : 0);
  }
  return {numbers_column<double>("g", "cost", age),
          numbers_column<double>("+l", "not needed", age),
          text_column<std::int32_t>("u", "region", region),
          numbers_column<double>("g", "age", age),
          numbers_column<std::int8_t>("c", "smoker", smoker),
          text_column<std::int64_t>("U", "patient", who)};
}

std::string as_csv(const std::vector<std::vector<double>>& ages,
                   const std::vector<std::string>& who) {
  std::string text = "patient,age,region,smoker,cost\n";
  std::size_t at = 0;
  for (const std::vector<double>& batch_ages : ages) {
    for (std::size_t i = 0; i < batch_ages.size(); ++i) {
      const std::string age = std::to_string(batch_ages[i]);
      text += who[at++] + "," + age + "," + (i % 3 == 0 ? "south" : "north") + "," +
              (i % 2 == 0 ? "true" : "false") + "," + age + "\n";
    }
  }
  return text;
}

void expect_same_data(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.records(), b.records());
  EXPECT_EQ(a.target, b.target);
  EXPECT_EQ(a.feature_names, b.feature_names);
  EXPECT_EQ(a.units(), b.units());
  for (std::size_t i = 0; i < a.records(); ++i) EXPECT_EQ(record_of(a, i), record_of(b, i)) << i;
}

TEST(ReadArrow, ReadsWhatAFileOfTheSameCellsHolds) {
  const std::vector<std::vector<double>> ages{{10, 20, 30.5}, {}, {40}, {101, -3}};
  const std::vector<std::string> who{"a", "b", "a", "c", "d", "d"};
  HandmadeStream stream({batch(ages[0], {"a", "b", "a"}), batch({}, {}), batch(ages[2], {"c"}),
                         batch(ages[3], {"d", "d"})});
  const Dataset data = read_arrow(stream.stream, person());
  expect_same_data(data, table_from(as_csv(ages, who), person()));
  EXPECT_EQ(data.units(), 4u);
  EXPECT_EQ(data.target_name, "cost");
  EXPECT_EQ(stream.held, 0u);
}

template <class T>
std::vector<T> slice(const std::vector<T>& all, std::size_t first, std::size_t last) {
  return {all.begin() + static_cast<std::ptrdiff_t>(first),
          all.begin() + static_cast<std::ptrdiff_t>(last)};
}

TEST(ReadArrow, GivesTheSameBitsHoweverTheTableIsCutAndOnAnyNumberOfThreads) {
  std::vector<double> ages(50'000);
  std::vector<std::string> who(ages.size());
  for (std::size_t i = 0; i < ages.size(); ++i) {
    ages[i] = static_cast<double>(i % 101);
    who[i] = std::to_string(i % 777);
  }
  HandmadeStream whole({batch(ages, who)});
  const Dataset expected = read_arrow(whole.stream, person(), {.threads = 1});
  std::vector<std::vector<Handmade>> cut;
  for (std::size_t first = 0; first < ages.size(); first += 30) {  // a multiple of 2 and 3
    const std::size_t last = std::min(first + 30, ages.size());
    cut.push_back(batch(slice(ages, first, last), slice(who, first, last)));
  }
  HandmadeStream parts(std::move(cut));
  const Dataset data = read_arrow(parts.stream, person(), {.threads = 3});
  EXPECT_EQ(data.target, expected.target);
  EXPECT_EQ(data.units(), expected.units());
  for (std::size_t i = 0; i < ages.size(); i += 7) {
    ASSERT_EQ(record_of(data, i), record_of(expected, i)) << i;
  }
}

TEST(ReadArrow, LetsGoOfBatchesWhileItReads) {
  std::vector<std::vector<Handmade>> batches;
  for (int k = 0; k < 200; ++k) {
    batches.push_back(batch(std::vector<double>(1000, 5), std::vector<std::string>(1000, "a")));
  }
  HandmadeStream stream(std::move(batches));
  const Dataset data = read_arrow(stream.stream, person(), {.threads = 2});
  EXPECT_EQ(data.records(), 200'000u);
  EXPECT_LE(stream.most_held, 70u);
}

TEST(ReadArrow, TakesOffsetsAndMissingRecordsOfATableIntoAccount) {
  HandmadeStream stream({batch({10, 20, 30, 40}, {"a", "b", "c", "d"})});
  stream.offset = 1;
  stream.valid = {0b1011};  // the third is missing
  const Dataset data = read_arrow(stream.stream, person());
  ASSERT_EQ(data.records(), 3u);
  EXPECT_EQ(data.target[0], 20);
  EXPECT_TRUE(std::isnan(data.target[1]));
  EXPECT_EQ(data.target[2], 40);
  EXPECT_EQ(data.units(), 2u);
}

TEST(ReadArrow, ReadsNoMoreThanItsUseNeeds) {
  std::vector<Handmade> columns = batch({10}, {"a"});
  columns.pop_back();              // patient
  columns.erase(columns.begin());  // cost
  HandmadeStream stream({columns});
  const Dataset data = read_arrow(stream.stream, person(), {.use = TableUse::predict});
  EXPECT_FALSE(data.has_target());
  EXPECT_EQ(data.records(), 1u);
}

std::string refusal(HandmadeStream& stream) {
  try {
    read_arrow(stream.stream, person());
  } catch (const DataError& error) {
    EXPECT_EQ(stream.held, 0u);
    return error.what();
  }
  return "";
}

TEST(ReadArrow, RefusesAFormThatIsWrongBeforeAnyRecord) {
  std::vector<Handmade> columns = batch({10}, {"a"});
  columns.pop_back();
  HandmadeStream absent({columns});
  EXPECT_NE(refusal(absent).find("columns of the schema are absent: 'patient'"), std::string::npos);
  columns.push_back(numbers_column<double>("g", "patient", {1}));
  HandmadeStream floating({columns});
  EXPECT_NE(refusal(floating).find("the column 'patient': ids of units in a floating type"),
            std::string::npos);
  columns.back() = numbers_column<double>("+l", "patient", {1});
  HandmadeStream nested({columns});
  EXPECT_NE(refusal(nested).find("of the Arrow type '+l'"), std::string::npos);
  EXPECT_EQ(absent.next + floating.next + nested.next, 0u);
}

TEST(ReadArrow, TellsNothingOfWhatAProgramSaysThatFails) {
  HandmadeStream stream({batch({10}, {"a"}), batch({20}, {"b"})});
  stream.fails_at = 1;
  const std::string words = refusal(stream);
  EXPECT_NE(words.find("the program that makes it failed"), std::string::npos);
  EXPECT_EQ(words.find("the value of a record"), std::string::npos);
}

TEST(ReadArrow, RefusesArraysThatLackMemory) {
  const auto refused = [](const auto& spoil) {
    auto columns = batch({10, 20}, {"a", "b"});
    spoil(*columns[3], *columns[5]);
    HandmadeStream stream({columns});
    EXPECT_NE(refusal(stream).find("the program that makes it failed"), std::string::npos);
  };
  refused([](HandmadeColumn& age, HandmadeColumn&) { age.array.length = 1; });
  refused([](HandmadeColumn& age, HandmadeColumn&) { age.array.offset = -1; });
  refused([](HandmadeColumn& age, HandmadeColumn&) { age.array.n_buffers = 1; });
  refused([](HandmadeColumn& age, HandmadeColumn&) { age.buffers[1] = nullptr; });
  refused([](HandmadeColumn&, HandmadeColumn& who) { who.array.n_buffers = 2; });
}

TEST(ReadArrow, RefusesASingleColumn) {
  const Handmade column = numbers_column<double>("g", "x", {1});
  HandmadeStream stream({{column}});
  stream.stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    *out = static_cast<HandmadeStream*>(self->private_data)->batches[0][0]->schema;
    return 0;
  };
  EXPECT_NE(refusal(stream).find("given a single column"), std::string::npos);
}

}  // namespace
}  // namespace southwell::data
