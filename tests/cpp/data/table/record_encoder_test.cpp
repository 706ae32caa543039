#include "southwell/data/table/record_encoder.hpp"

#include <cmath>

#include "tables.hpp"

namespace southwell::data {
namespace {

std::vector<double> encoded(const std::string& fields, const std::string& header,
                            const std::string& line, const std::string& beside = "") {
  const Dataset data =
      table_from(header + "\n" + line + "\n", encoding_of(schema_of(fields, beside)));
  return record_of(data, 0);
}

const char* const kAge =
    R"({"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 100}})";

TEST(RecordEncoder, ClampsNumbersToTheirBoundsAndCentersThem) {
  using V = std::vector<double>;
  EXPECT_EQ(encoded(kAge, "age", "75"), (V{0.5, 0}));
  EXPECT_EQ(encoded(kAge, "age", "1e400"), (V{1, 0}));
  EXPECT_EQ(encoded(kAge, "age", "-3"), (V{-1, 0}));
  EXPECT_EQ(encoded(kAge, "age", "old"), (V{0, 1}));  // missing: the middle, and a sign of it
  EXPECT_EQ(encoded(kAge, "age", ""), (V{0, 1}));
}

TEST(RecordEncoder, CentersLevelsAndGivesAnUndeclaredValueNone) {
  using V = std::vector<double>;
  const std::string region =
      R"({"name": "r", "type": "string", "constraints": {"enum": ["a", "b", "c", "d"]}})";
  EXPECT_EQ(encoded(region, "r", "b"), (V{-.25, .75, -.25, -.25, 0}));
  EXPECT_EQ(encoded(region, "r", "z"), (V{-.25, -.25, -.25, -.25, 0}));
  EXPECT_EQ(encoded(region, "r", ""), (V{0, 0, 0, 0, 1}));
}

TEST(RecordEncoder, SpacesOrderedLevelsEvenly) {
  const std::string size =
      R"({"name": "s", "type": "string", "constraints": {"enum": ["S", "M", "L"]},
          "southwell": {"ordered": true, "missing": "middle"}})";
  EXPECT_EQ(encoded(size, "s", "S")[0], -1.0);
  EXPECT_EQ(encoded(size, "s", "M")[0], 0.0);
  EXPECT_EQ(encoded(size, "s", "L")[0], 1.0);
  EXPECT_EQ(encoded(size, "s", "XL")[0], 0.0);
}

TEST(RecordEncoder, TakesDatesApart) {
  const std::string when =
      R"({"name": "t", "type": "datetime", "constraints": {"minimum": "2026-01-01",
          "maximum": "2027-01-01"}, "southwell": {"parts": ["month", "weekday", "hour"]}})";
  const std::vector<double> x = encoded(when, "t", "2026-11-18T13:45");
  ASSERT_EQ(x.size(), 1u + 12 + 7 + 24 + 1);
  EXPECT_NEAR(x[0], 2.0 * (321.0 + 13.75 / 24.0) / 365.0 - 1.0, 1e-12);
  EXPECT_NEAR(x[1 + 10], 1.0 - 1.0 / 12, 1e-15);
  EXPECT_NEAR(x[1 + 12 + 2], 1.0 - 1.0 / 7, 1e-15);
  EXPECT_NEAR(x[1 + 12 + 7 + 13], 1.0 - 1.0 / 24, 1e-15);
  const std::vector<double> absurd = encoded(when, "t", "2026-99-99");
  EXPECT_EQ(absurd.back(), 1.0);
  for (std::size_t j = 0; j + 1 < absurd.size(); ++j) EXPECT_EQ(absurd[j], 0.0);
}

TEST(RecordEncoder, BringsHashedTextToNormOne) {
  const std::string note =
      R"({"name": "n", "type": "string", "southwell": {"encode": "hash", "features": 4096}})";
  const std::vector<double> x = encoded(note, "n", "\"the cat, the dog\"");
  double squares = 0.0;
  for (const double v : x) squares += v * v;
  EXPECT_NEAR(squares, 1.0, 1e-12);
  EXPECT_EQ(encoded(note, "n", "").back(), 1.0);
  EXPECT_EQ(encoded(note, "n", "!?").back(), 0.0);
}

TEST(RecordEncoder, MakesHingesBinsAndProductsOfTheEncodedNumbers) {
  const std::string fields =
      std::string(kAge) +
      R"(, {"name": "s", "type": "boolean", "southwell": {"missing": "middle"}})";
  const std::string beside =
      R"("southwell": {"expand": {"age": {"hinges": 1, "bins": 2}}, "interactions": "all"})";
  // age, age>50, two bins, age?, s=false, s=true, age*s=false, age*s=true
  EXPECT_EQ(encoded(fields, "age,s", "75,true", beside),
            (std::vector<double>{.5, .25, -.5, .5, 0, -.5, .5, -.25, .25}));
  EXPECT_EQ(encoded(fields, "age,s", ",true", beside),
            (std::vector<double>{0, 0, 0, 0, 1, -.5, .5, 0, 0}));
}

}  // namespace
}  // namespace southwell::data
