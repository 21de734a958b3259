// One thread's share of a count of very many classes: the rows that count, each as a pair of
// classes, numbered as their labels are met or were given, and its weight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "confmat/base/pages.hpp"
#include "worker.hpp"

namespace confmat {

template <class Weight>
struct PairRow {
  std::uint64_t code;  // the true class and the predicted one, 32 bits each
  [[no_unique_address]] Weight weight;
};

template <class Weight>
class PairRows {
 public:
  // `fixed`: the classes, which all threads share; null: those that are met.
  PairRows(const Job& job, const ClassSet* fixed);
  PairRows(const PairRows&) = delete;
  PairRows& operator=(const PairRows&) = delete;
  ~PairRows() = default;

  // Needs: first < last.
  void run(std::int64_t first, std::int64_t last);

  // Whether a row that counts has the label, for each of those met.
  [[nodiscard]] std::vector<std::uint8_t> present() const;

  ClassSet met;
  Pages<PairRow<Weight>> rows;  // those before `size`
  std::size_t size = 0;
  std::int64_t n_dropped = 0;
  std::int64_t n_other = 0;
  Outsider outsider;

 private:
  void read(ClassReader& reader, std::int64_t at, std::size_t n, std::uint32_t* classes);
  void keep(const std::uint32_t* truth, const std::uint32_t* prediction, const Weight* weights,
            std::size_t n);

  const Job& job_;
  const ClassSet& set_;
};

extern template class PairRows<NoWeight>;
extern template class PairRows<std::uint64_t>;
extern template class PairRows<double>;

}  // namespace confmat
