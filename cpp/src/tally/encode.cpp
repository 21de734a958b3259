// Encodes pairs of known labels with the kernels, and counts the codes.
#include "confmat/tally/encode.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/tally/code_histogram.hpp"
#include "confmat/tally/look_ahead.hpp"
#include "confmat/tally/pair_side.hpp"

namespace confmat {
namespace {

// Shorter steps than counting takes: each asks for the memory of the step after the next, and then
// finds its own already there.
constexpr std::int64_t kStep = 512;
static_assert(kStep <= kPairStep);

constexpr std::int64_t kManyRows = std::int64_t{1} << 20;

void request(const Column& column, std::int64_t at, std::size_t n) noexcept {
  Ahead ahead;
  look_ahead(column, at, n, ahead, 0);
  request(ahead, 0, n);
}

// The plain loop: for codes that are too few to pay for the tables of a CodeHistogram. False: some
// code is beyond the cells.
template <class Code>
bool tally_few(const void* codes, std::int64_t n, std::span<std::int64_t> cells) {
  const auto* code = static_cast<const Code*>(codes);
  bool inside = true;
  for (std::int64_t i = 0; i < n; ++i) {
    if (code[i] < cells.size()) {
      ++cells[code[i]];
    } else {
      inside = false;
    }
  }
  return inside;
}

}  // namespace

CodeWidth code_width(std::int64_t classes) {
  if (classes <= 14) return CodeWidth::k8;
  if (classes <= 254) return CodeWidth::k16;
  if (classes <= kMostClasses) return CodeWidth::k32;
  throw InputError("`labels` has " + std::to_string(classes) + " labels; at most " +
                   std::to_string(kMostClasses) + " are possible; cm.confusion_matrix takes more");
}

struct PairEncoder::Impl {
  ClassSet set;
  Labels::Kind kind;
};

PairEncoder::PairEncoder(const Labels& labels)
    : impl_(std::make_unique<const Impl>(Impl{fixed_classes(labels), labels.kind})) {}
PairEncoder::~PairEncoder() = default;
PairEncoder::PairEncoder(PairEncoder&&) noexcept = default;
PairEncoder& PairEncoder::operator=(PairEncoder&&) noexcept = default;

CodeWidth PairEncoder::width() const noexcept {
  const std::uint32_t k = impl_->set.classes;
  return k <= 14 ? CodeWidth::k8 : k <= 254 ? CodeWidth::k16 : CodeWidth::k32;
}

bool PairEncoder::encode(const Column& y_true, const Column& y_pred, void* out, int threads) const {
  require_kind({&y_true, 1}, "y_true", impl_->kind);
  require_kind({&y_pred, 1}, "y_pred", impl_->kind);
  if (y_true.length != 1 && y_pred.length != 1) {
    require_equal_lengths(y_true.length, "y_true", y_pred.length, "y_pred");
  }
  const std::int64_t rows = y_true.length == 1 ? y_pred.length : y_true.length;
  if (rows == 0) return false;
  std::atomic<bool> has_other{false};
  const ClassSet& set = impl_->set;
  const Kernels& loops = kernels();
  const auto combine = width() == CodeWidth::k8    ? loops.combine8
                       : width() == CodeWidth::k16 ? loops.combine16
                                                   : loops.combine32;
  const auto code_bytes = static_cast<std::int64_t>(width());
  const auto work = [&](int, std::int64_t first, std::int64_t last) {
    if (first >= last) return;
    // More than the caches hold is written past them.
    const bool stream = last - first >= kManyRows &&
                        reinterpret_cast<std::uintptr_t>(out) % 64 == 0 && first % kStep == 0;
    alignas(64) std::array<std::byte, kStep * sizeof(std::uint32_t)> codes;
    PairSide truth("y_true");
    PairSide prediction("y_pred");
    truth.start(y_true, set, 0);
    prediction.start(y_pred, set, 0);
    for (std::int64_t row = first; row < last;) {
      const std::int64_t n = std::min(kStep, last - row);
      const auto size = static_cast<std::size_t>(n);
      request(y_true, row + 2 * kStep, size);
      request(y_pred, row + 2 * kStep, size);
      std::byte* to = static_cast<std::byte*>(out) + row * code_bytes;
      const bool past = stream && n == kStep;
      const bool other = truth.read(row, size, set.width());
      if (prediction.read(row, size, set.width()) || other) has_other = true;
      combine(truth.classes, prediction.classes, size, set.classes + 2, past ? codes.data() : to);
      if (past) loops.stream_out(codes.data(), size * static_cast<std::size_t>(code_bytes), to);
      row += n;
    }
    if (stream) loops.stream_end();
  };
  over_ranges(threads == 1 ? 1 : thread_count(threads, rows), rows, work);
  return has_other;
}

bool tally_codes(const void* codes, std::int64_t n, CodeWidth width, std::span<std::int64_t> cells,
                 int threads) {
  std::uint32_t classes = 0;
  while (std::uint64_t{classes + 2} * (classes + 2) < cells.size()) ++classes;
  if (std::uint64_t{classes + 2} * (classes + 2) != cells.size() || code_width(classes) != width) {
    throw InputError("codes of " + std::to_string(static_cast<int>(width)) + " bytes and " +
                     std::to_string(cells.size()) + " cells do not belong together");
  }
  if (n < std::max<std::int64_t>(width == CodeWidth::k8 ? 512 : 4096,
                                 static_cast<std::int64_t>(cells.size()))) {
    return width == CodeWidth::k8    ? tally_few<std::uint8_t>(codes, n, cells)
           : width == CodeWidth::k16 ? tally_few<std::uint16_t>(codes, n, cells)
                                     : tally_few<std::uint32_t>(codes, n, cells);
  }
  const std::int64_t table = static_cast<std::int64_t>(cells.size()) * 8;
  // Large tables: one thread, for the sake of memory.
  const bool alone = threads == 1 || table > (std::int64_t{64} << 20);
  const int parts = alone ? 1 : thread_count(threads, n);
  std::vector<std::vector<std::int64_t>> counts(static_cast<std::size_t>(parts));
  std::vector<char> inside(static_cast<std::size_t>(parts), 1);
  over_ranges(parts, n, [&](int part, std::int64_t first, std::int64_t last) {
    if (first >= last) return;
    CodeHistogram histogram(classes, true, last - first);
    const auto code_bytes = static_cast<std::int64_t>(width);
    for (std::int64_t row = first; row < last;) {
      const auto step = std::min(static_cast<std::int64_t>(kBlock), last - row);
      const auto* at = static_cast<const std::byte*>(codes) + row * code_bytes;
      Ahead ahead;
      if (row + 2 * step <= last) {
        ahead.at[0] = at + step * code_bytes;
        ahead.width[0] = static_cast<std::size_t>(width);
      }
      histogram.add(at, static_cast<std::size_t>(step), ahead);
      row += step;
    }
    const auto at = static_cast<std::size_t>(part);
    inside[at] = histogram.take(counts[at]) ? 1 : 0;
  });
  bool all = true;
  for (std::size_t part = 0; part < counts.size(); ++part) {
    all = all && inside[part] != 0;
    for (std::size_t i = 0; i < counts[part].size(); ++i) cells[i] += counts[part][i];
  }
  return all;
}

}  // namespace confmat
