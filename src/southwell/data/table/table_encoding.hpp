#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "southwell/data/table/schema.hpp"

namespace southwell::data {

/// How a bounded number, its transform included, becomes a feature: (t(x) - center) / half.
struct NumberMap {
  explicit NumberMap(const Field& field);

  double low, high;  ///< what x is clamped to
  double center, half;
  Transform transform;

  /// Of a number that is not NaN.
  double operator()(double x) const;
  /// The x whose feature is z.
  double inverse(double z) const;

 private:
  double transformed(double x) const;
};

/// The features that a schema's records become, with their public names, centers and scales. It
/// follows from the schema alone.
class TableEncoding {
 public:
  /// Neighbouring features that are made the same way.
  enum class Make {
    number,
    levels,
    ordered,
    month,
    weekday,
    hour,
    words,
    hinges,
    bins,
    missing,
    products
  };
  struct Block {
    Make make;
    std::size_t field;
    std::size_t other;  ///< the second field of products
    std::size_t first;  ///< feature
    std::size_t count;
    std::size_t last() const { return first + count; }
    /// Whether products are made of them: all but hinges, bins, words and signs of missing cells.
    bool is_main() const { return make < Make::words; }
    /// Whether they say which of `count` levels a record has.
    bool is_one_of() const {
      return make == Make::levels || make == Make::bins ||
             (make >= Make::month && make <= Make::hour);
    }
    /// What is subtracted from each of them. Of many levels nothing: a record then has one entry.
    double center() const {
      return count <= kMostCentered ? 1.0 / static_cast<double>(count) : 0.0;
    }
    static constexpr std::size_t kMostCentered = 256;
  };

  /// Throws DataError for more than 2^23 features and for names that clash.
  TableEncoding(std::shared_ptr<const Schema> schema, const std::string& name);

  const Schema& schema() const { return *schema_; }
  const std::shared_ptr<const Schema>& shared_schema() const { return schema_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  std::size_t features() const { return features_; }

  std::string feature_name(std::size_t j) const;
  std::vector<std::string> feature_names() const;
  /// How large features typically are: declared scales of a fit.
  std::vector<double> feature_scales() const;
  /// The typical l2 norm of an encoded record.
  double record_norm() const;
  /// Whether records are kept by the entries that are not zero: a rule of the schema's.
  bool is_sparse() const;

  /// What a feature says in the user's terms: slope * (what the user knows) + constant.
  struct InUserTerms {
    double slope = 1.0;
    double constant = 0.0;
    std::string per;  ///< "per unit", "per day"; empty where the feature is its own unit
  };
  InUserTerms in_user_terms(std::size_t j) const;

 private:
  const Block& block_of(std::size_t j) const;
  double scale_in(const Block& block, std::size_t k) const;
  std::string name_in(const Block& block, std::size_t k) const;
  std::string point_name(const Field& field, double z) const;
  /// The main feature number k of a field: its block, and its place there.
  std::pair<const Block*, std::size_t> main_feature(std::size_t field, std::size_t k) const;
  std::size_t main_features(std::size_t field) const;
  std::span<const Block> blocks_of(std::size_t field) const;
  void add_block(Make make, std::size_t field, std::size_t count, std::size_t other = 0);
  void add_field(std::size_t field);
  void check_names(const std::string& name) const;

  std::shared_ptr<const Schema> schema_;
  std::vector<Block> blocks_;             ///< of all fields in their order, then the products
  std::vector<std::size_t> first_block_;  ///< of every field, and where the products begin
  std::size_t features_ = 0;
};

}  // namespace southwell::data
