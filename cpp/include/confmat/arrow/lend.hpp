// Columns of ours as Arrow data, which others read where they lie.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "confmat/arrow/data.hpp"

namespace confmat {

// Numbers that live as long as their owner.
struct LentColumn {
  std::string name;
  const char* format = nullptr;  // as Arrow writes it
  std::shared_ptr<const void> owner;
  const void* numbers = nullptr;
  std::vector<std::uint8_t> validity;  // a bit a number; none: all are there
  std::int64_t n_nulls = 0;
};

template <class T>
LentColumn lent(std::string name, std::shared_ptr<const void> owner, std::span<const T> numbers) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> ||
                std::is_same_v<T, std::int64_t>);
  LentColumn out;
  out.name = std::move(name);
  out.format = std::is_same_v<T, float> ? "f" : std::is_same_v<T, double> ? "g" : "l";
  out.owner = std::move(owner);
  out.numbers = numbers.data();
  return out;
}

// The same in which nan stands for null.
LentColumn lent_nullable(std::string name, std::shared_ptr<const void> owner,
                         std::span<const double> numbers);

// One array of structs with these fields. Needs: each has so many rows.
std::shared_ptr<const ArrowData> lent_struct(std::vector<LentColumn> columns, std::int64_t rows);

}  // namespace confmat
