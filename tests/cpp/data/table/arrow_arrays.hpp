#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "southwell/data/table/arrow_abi.hpp"

// Arrow arrays and streams made by hand, for tests.
namespace southwell::data {

/// A column: its schema, its array and the memory of both. It is let go by its owner, not by
/// release.
struct HandmadeColumn {
  std::string format;
  std::string name;
  std::deque<std::vector<unsigned char>> memory{};
  std::vector<const void*> buffers{};
  std::shared_ptr<HandmadeColumn> dictionary{};
  ArrowSchema schema{};
  ArrowArray array{};

  HandmadeColumn(std::string format_, std::string name_)
      : format(std::move(format_)), name(std::move(name_)) {}

  template <class T>
  void add_buffer(const std::vector<T>& values) {
    std::vector<unsigned char>& bytes = memory.emplace_back(values.size() * sizeof(T) + 1);
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
    buffers.push_back(bytes.data());
  }
  /// Null where all cells are valid.
  void add_validity(const std::vector<bool>& valid) {
    if (valid.empty()) return buffers.push_back(nullptr);
    std::vector<std::uint8_t> bits((valid.size() + 7) / 8);
    for (std::size_t i = 0; i < valid.size(); ++i) {
      if (valid[i]) bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | 1 << (i % 8));
    }
    add_buffer(bits);
  }
  void finish(std::size_t length, std::size_t offset = 0) {
    schema.format = format.c_str();
    schema.name = name.c_str();
    schema.release = [](ArrowSchema* self) { self->release = nullptr; };
    array.length = static_cast<std::int64_t>(length);
    array.offset = static_cast<std::int64_t>(offset);
    array.n_buffers = static_cast<std::int64_t>(buffers.size());
    array.buffers = buffers.data();
    array.null_count = -1;
    array.release = [](ArrowArray* self) { self->release = nullptr; };
    if (!dictionary) return;
    schema.dictionary = &dictionary->schema;
    array.dictionary = &dictionary->array;
  }
};

using Handmade = std::shared_ptr<HandmadeColumn>;

template <class T>
Handmade numbers_column(const std::string& format, const std::string& name,
                        const std::vector<T>& values, const std::vector<bool>& valid = {},
                        std::size_t offset = 0) {
  auto column = std::make_shared<HandmadeColumn>(format, name);
  column->add_validity(valid);
  column->add_buffer(values);
  column->finish(values.size() - offset, offset);
  return column;
}

template <class Offset>
Handmade text_column(const std::string& format, const std::string& name,
                     const std::vector<std::string>& texts, const std::vector<bool>& valid = {},
                     std::size_t offset = 0) {
  auto column = std::make_shared<HandmadeColumn>(format, name);
  std::vector<Offset> ends{0};
  std::vector<char> bytes;
  for (const std::string& text : texts) {
    bytes.insert(bytes.end(), text.begin(), text.end());
    ends.push_back(static_cast<Offset>(bytes.size()));
  }
  column->add_validity(valid);
  column->add_buffer(ends);
  column->add_buffer(bytes);
  column->finish(texts.size() - offset, offset);
  return column;
}

/// Texts by views; long ones lie in two buffers in turn.
inline Handmade view_column(const std::string& name, const std::vector<std::string>& texts) {
  auto column = std::make_shared<HandmadeColumn>("vu", name);
  std::vector<std::vector<char>> places(2);
  std::vector<unsigned char> views(16 * texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto put = [&](std::size_t at, std::int32_t value) {
      std::memcpy(views.data() + 16 * i + at, &value, 4);
    };
    put(0, static_cast<std::int32_t>(texts[i].size()));
    if (texts[i].size() <= 12) {
      std::memcpy(views.data() + 16 * i + 4, texts[i].data(), texts[i].size());
      continue;
    }
    std::vector<char>& place = places[i % 2];
    std::memcpy(views.data() + 16 * i + 4, texts[i].data(), 4);
    put(8, static_cast<std::int32_t>(i % 2));
    put(12, static_cast<std::int32_t>(place.size()));
    place.insert(place.end(), texts[i].begin(), texts[i].end());
  }
  column->add_validity({});
  column->add_buffer(views);
  column->add_buffer(places[0]);
  column->add_buffer(places[1]);
  column->add_buffer(std::vector<std::int64_t>{static_cast<std::int64_t>(places[0].size()),
                                               static_cast<std::int64_t>(places[1].size())});
  column->finish(texts.size());
  return column;
}

template <class T>
Handmade coded_column(const std::string& format, const std::string& name,
                      const std::vector<T>& codes, Handmade levels,
                      const std::vector<bool>& valid = {}) {
  auto column = std::make_shared<HandmadeColumn>(format, name);
  column->add_validity(valid);
  column->add_buffer(codes);
  column->dictionary = std::move(levels);
  column->finish(codes.size());
  return column;
}

/// A stream of batches, which counts those that nobody has let go of yet.
struct HandmadeStream {
  std::vector<std::vector<Handmade>> batches;
  std::size_t fails_at = ~std::size_t{0};  ///< the batch that cannot be made
  std::int64_t offset = 0;                 ///< of every batch
  std::vector<std::uint8_t> valid{};       ///< of whole records, the same in every batch
  std::size_t next = 0;
  std::size_t held = 0;
  std::size_t most_held = 0;
  ArrowArrayStream stream{};

  explicit HandmadeStream(std::vector<std::vector<Handmade>> batches_)
      : batches(std::move(batches_)) {
    stream.private_data = this;
    stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
      return static_cast<HandmadeStream*>(self->private_data)->put_schema(*out);
    };
    stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
      return static_cast<HandmadeStream*>(self->private_data)->put_batch(*out);
    };
    stream.get_last_error = [](ArrowArrayStream*) { return "the value of a record"; };
    stream.release = [](ArrowArrayStream* self) { self->release = nullptr; };
  }

 private:
  struct Lent {
    HandmadeStream* from;
    std::vector<ArrowArray*> children;
    const void* validity;
  };

  int put_schema(ArrowSchema& out) {
    out = {};
    for (const Handmade& column : batches.front()) schemas_.push_back(&column->schema);
    out.format = "+s";
    out.name = "";
    out.n_children = static_cast<std::int64_t>(schemas_.size());
    out.children = schemas_.data();
    out.release = [](ArrowSchema* self) { self->release = nullptr; };
    return 0;
  }
  int put_batch(ArrowArray& out) {
    out = {};
    if (next == fails_at) return 5;
    if (next == batches.size()) return 0;
    auto* const lent = new Lent{this, {}, valid.empty() ? nullptr : valid.data()};
    for (const Handmade& column : batches[next]) lent->children.push_back(&column->array);
    out.length = batches[next].front()->array.length - offset;
    out.offset = offset;
    out.n_buffers = 1;
    out.buffers = &lent->validity;
    out.n_children = static_cast<std::int64_t>(lent->children.size());
    out.children = lent->children.data();
    out.private_data = lent;
    out.release = [](ArrowArray* self) {
      auto* const back = static_cast<Lent*>(self->private_data);
      --back->from->held;
      delete back;
      self->release = nullptr;
    };
    ++next;
    most_held = std::max(most_held, ++held);
    return 0;
  }

  std::vector<ArrowSchema*> schemas_;
};

}  // namespace southwell::data
