// Which label of a column is the positive one and which the negative.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "confmat/batch/class_set.hpp"
#include "confmat/batch/labels.hpp"
#include "confmat/tally/sweep.hpp"
#include "sweep_rows.hpp"

namespace confmat {

// The classes of `y_true`; the job reads rows with them. `first_stranger(job)` says which label but
// those of the job's classes occurs first in a row that counts.
class SweepClasses {
 public:
  // Throws InputError: floats, texts without a positive label, a label of another kind.
  SweepClasses(Chunks y_true, const Labels* pos_label);

  // Whether the negative class has yet to be found.
  [[nodiscard]] bool is_open() const noexcept { return open_; }
  void set_negative(const std::optional<Labels>& negative);

  void give(SweepJob& job) const noexcept {
    job.classes = &set_;
    job.flip = flip_;
  }
  void give(SweptRows& rows) const {
    rows.positive = positive_;
    rows.negative = negative_;
  }

  [[noreturn]] void fail_stranger(const Stranger& stranger) const;
  bool has_usual_classes() const;                      // the positive one needs no row to be known
  [[noreturn]] void fail_absent(bool weighted) const;  // no row of the positive label counts
  [[nodiscard]] bool occurs() const;                   // a row has the positive label

 private:
  void build();

  Chunks y_true_;
  bool named_;  // the caller names the positive label
  bool open_ = false;
  Labels::Kind kind_;
  Labels positive_;
  std::optional<Labels> negative_;
  ClassSet set_;
  std::uint8_t flip_ = 0;
};

}  // namespace confmat
