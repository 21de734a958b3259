// Batches of rows of many slices: checked, added, and the level of the bins that fit.
#include "confmat/tally/slice_bins.hpp"

#include <algorithm>
#include <functional>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "confmat/base/error.hpp"
#include "confmat/batch/label_kind.hpp"
#include "full_bytes.hpp"
#include "slice_store.hpp"
#include "sweep_classes.hpp"
#include "sweep_source.hpp"

namespace confmat {
namespace {

bool holds_nothing(Chunks column) {
  return std::ranges::all_of(column, [](const Column& of) { return of.type == DType::kNull; });
}

const char* name_of(ScoreType type) {
  constexpr const char* kNames[] = {"float16", "float32", "float64"};
  return kNames[static_cast<std::size_t>(type)];
}

const char* name_of(Labels::Kind kind) {
  return kind == Labels::Kind::kText   ? "strings"
         : kind == Labels::Kind::kBool ? "booleans"
                                       : "integers";
}

std::uint64_t total_of(const AmountArray& amounts) {
  return std::visit(
      []<class Array>(const Array& of) {
        std::uint64_t total = 0;
        if constexpr (!std::is_same_v<Array, ExactSums>) {
          for (const auto amount : of.view()) total += amount;
        }
        return total;
      },
      amounts);
}

// Of classes that other batches may have.
[[noreturn]] void refuse(const Stranger& stranger, const Labels& negative, const Labels& positive) {
  throw InputError("label " + stranger.label.display(0), stranger.row,
                   " of `y_true` is a third class beside " + negative.display(0) + " and " +
                       positive.display(0) + "; scores sweep two: compare `y_true == label`");
}

// What a slice takes with no rows at all.
constexpr std::size_t kSliceBytes = 80;

}  // namespace

class SliceBins::Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  virtual void resize(std::size_t slices) = 0;
  // The first label of a row that counts but those of the job's classes.
  virtual std::optional<Labels> stranger(const SweepJob& job) = 0;
  virtual void read(const SweepJob& job, Chunks slices, std::int64_t first, std::int64_t last,
                    int threads) = 0;
  virtual void append(unsigned level, int threads, std::vector<Totals>& left_out) = 0;
  virtual std::size_t bytes() = 0;
  virtual std::size_t bytes_at(unsigned level) = 0;
  virtual void make_tables(unsigned level, int threads) = 0;
  virtual void coarsen(unsigned level, int threads) = 0;
  using Visit = std::function<void(std::size_t slice, Sweep sweep)>;
  virtual void sweeps(unsigned level, int threads, const Visit& visit) = 0;
};

template <class Key>
class SliceBins::StoreOf final : public SliceBins::Store {
 public:
  explicit StoreOf(std::uint64_t most_narrow) : store_(most_narrow) {}

  void resize(std::size_t slices) override { store_.resize(slices); }
  std::optional<Labels> stranger(const SweepJob& job) override {
    return first_stranger<Key, Unweighted>(job, total_length(job.y_true));
  }
  void read(const SweepJob& job, Chunks slices, std::int64_t first, std::int64_t last,
            int threads) override {
    store_.read(job, slices, first, last, threads);
  }
  void append(unsigned level, int threads, std::vector<Totals>& left_out) override {
    store_.for_each_left_out([&](const LeftOutRow& row) {
      Totals& of = left_out[row.slice];
      ++(row.is_nan ? of.nan : of.dropped);
    });
    store_.append(level, threads);
  }
  std::size_t bytes() override { return store_.bytes(); }
  std::size_t bytes_at(unsigned level) override { return store_.bytes_at(level); }
  void make_tables(unsigned level, int threads) override { store_.make_tables(level, threads); }
  void coarsen(unsigned level, int threads) override { store_.coarsen(level, threads); }
  void sweeps(unsigned level, int threads, const Visit& visit) override {
    store_.sweeps(level, threads, visit);
  }

 private:
  SliceStore<Key> store_;
};

SliceBins::SliceBins(SliceBinsOptions options) : options_(std::move(options)) {}
SliceBins::~SliceBins() = default;

void SliceBins::require_whole() const {
  if (is_broken_) {
    throw InputError("an error ended an earlier call amid its rows; begin again");
  }
}

void SliceBins::fit(int threads) {
  const std::size_t least = n_slices_ * kSliceBytes;
  // At most, without a look at every slice.
  const std::size_t beyond = FullBytes::most_bytes(rows_);
  if (least + store_->bytes() + beyond <= options_.max_bytes) {
    return store_->make_tables(level_, threads);
  }
  for (unsigned level = level_; level <= kMostUnitLevel; ++level) {
    if (least + store_->bytes_at(level) > options_.max_bytes) continue;
    if (level == level_) return store_->make_tables(level, threads);
    store_->coarsen(level, threads);
    level_ = level;
    return;
  }
  throw InputError(options_.limit + " is " + std::to_string(options_.max_bytes) +
                   ", but the rows of " + std::to_string(n_slices_) + " slices take " +
                   std::to_string(least + store_->bytes_at(kMostUnitLevel)) +
                   " in the coarsest bins; wanted more memory or fewer slices");
}

SliceBins::Types SliceBins::types_of(const SliceBatch& batch) const {
  Types types = types_;
  if (!holds_nothing(batch.y_score)) {
    const bool is_double = score_kind(batch.y_score) == ScoreKind::kFloat64;
    types.scores = batch.half  ? ScoreType::kFloat16
                   : is_double ? ScoreType::kFloat64
                               : ScoreType::kFloat32;
    if (types_.scores && types.scores != types_.scores) {
      throw InputError("`y_score` holds " + std::string(name_of(*types.scores)) +
                       " after batches of " + name_of(*types_.scores) + "; wanted one dtype");
    }
  }
  if (!holds_nothing(batch.y_true)) {
    types.labels = joint_kind(batch.y_true, {});
    if (types_.labels && types.labels != types_.labels) {
      throw InputError("`y_true` holds " + std::string(name_of(*types.labels)) +
                       " after batches of " + name_of(*types_.labels) +
                       "; wanted labels of one kind");
    }
  }
  return types;
}

void SliceBins::make_room(const SliceBatch& batch, const Types& types) {
  if (store_ == nullptr || !types_.scores) {
    if (types.scores == ScoreType::kFloat64) {
      store_ = std::make_unique<StoreOf<std::uint64_t>>(options_.most_narrow);
    } else {
      store_ = std::make_unique<StoreOf<std::uint32_t>>(options_.most_narrow);
    }
  }
  store_->resize(batch.n_slices);
  left_out_.resize(batch.n_slices);
  n_slices_ = batch.n_slices;
}

void SliceBins::add(const SliceBatch& batch) {
  const std::lock_guard lock(mutex_);
  require_whole();
  const std::int64_t rows = total_length(batch.y_true);
  require_equal_lengths(rows, "y_true", total_length(batch.y_score), "y_score");
  require_equal_lengths(rows, "y_true", total_length(batch.slices), "slices");
  for (const Column& chunk : batch.slices) {
    if (chunk.type == DType::kUInt32) continue;
    throw InputError("`slices` has dtype " + std::string(name_of(chunk.type)) +
                     ": wanted uint32 without nulls");
  }
  if (batch.n_slices < n_slices_) {
    throw InputError("`n_slices` is " + std::to_string(batch.n_slices) + " after " +
                     std::to_string(n_slices_) + "; wanted at least as many");
  }
  const Types types = types_of(batch);
  make_room(batch, types);
  add_rows(batch, types);
}

void SliceBins::add_rows(const SliceBatch& batch, const Types& types) {
  const std::int64_t rows = total_length(batch.y_true);
  SweepClasses classes(batch.y_true, options_.pos_label ? &*options_.pos_label : nullptr);
  SweepJob job{.y_true = batch.y_true, .y_score = batch.y_score, .sample_weight = {}};
  job.nan_drop = options_.nan_drop;
  job.rows_before = batch.rows_before;
  classes.give(job);
  std::optional<Labels> negative = negative_;
  bool is_adding = false;
  try {
    if (classes.is_open()) {
      if (!negative) negative = store_->stranger(job);
      classes.set_negative(negative);
      classes.give(job);
    }
    job.tells_places = true;
    const int threads = thread_count(options_.threads, rows);
    for (std::int64_t first = 0; first < std::max<std::int64_t>(rows, 1); first += kRowsAtOnce) {
      store_->read(job, batch.slices, first, std::min(rows, first + kRowsAtOnce), threads);
      is_adding = true;
      types_ = types;
      negative_ = negative;
      rows_ += static_cast<std::uint64_t>(std::min(rows, first + kRowsAtOnce) - first);
      store_->append(level_, threads, left_out_);
      fit(threads);
    }
  } catch (const Stranger& stranger) {
    is_broken_ = is_adding;
    const bool is_first = !types_.labels;
    if (!is_first && options_.pos_label && negative) {
      refuse(stranger, *negative, *options_.pos_label);
    }
    classes.fail_stranger(stranger);
  } catch (...) {
    is_broken_ = is_adding;
    throw;
  }
}

BinaryViews SliceBins::states() {
  const std::lock_guard lock(mutex_);
  require_whole();
  BinaryViews out(n_slices_);
  if (store_ == nullptr) return out;
  Labels positive = options_.pos_label ? *options_.pos_label : Labels{{}, {1}, {}};
  if (types_.labels) positive.kind = *types_.labels;
  const SharedLabels usual = sweep_labels(usual_negative(positive), positive);
  const SharedLabels found = negative_ ? sweep_labels(negative_, positive) : usual;
  const auto work = std::max<std::int64_t>(static_cast<std::int64_t>(store_->bytes()) / 4,
                                           static_cast<std::int64_t>(n_slices_) * 64);
  const auto put = [&](std::size_t slice, Sweep sweep) {
    const Totals& left_out = left_out_[slice];
    const std::uint64_t negatives = total_of(sweep.negatives);
    const std::uint64_t counted = negatives + total_of(sweep.positives);
    sweep.labels = negatives > 0 ? found : usual;
    sweep.rows = {.counted = static_cast<std::int64_t>(counted),
                  .dropped = left_out.dropped,
                  .nan = left_out.nan};
    sweep.type = types_.scores.value_or(ScoreType::kFloat64);
    sweep.grid.kind = Grid::Kind::kMap;
    sweep.grid.map = BinMap::unit(level_);
    out.put(slice, encode(canonical(std::move(sweep))));
  };
  try {
    store_->sweeps(level_, thread_count(options_.threads, work), put);
  } catch (const std::bad_alloc&) {  // amid rows that waited for a table, perhaps
    is_broken_ = true;
    throw;
  }
  return out;
}

unsigned SliceBins::level_of(std::span<const std::uint64_t> negatives,
                             std::span<const std::uint64_t> positives, bool are_doubles,
                             std::size_t max_bytes) noexcept {
  const auto bytes_of =
      are_doubles ? &SliceGroup<std::uint64_t>::bytes_of : &SliceGroup<std::uint32_t>::bytes_of;
  for (unsigned level = 0; level < kMostUnitLevel; ++level) {
    std::size_t bytes = negatives.size() * kSliceBytes;
    for (std::size_t i = 0; i < negatives.size(); ++i) {
      bytes += bytes_of(negatives[i], positives[i], level);
    }
    if (bytes <= max_bytes) return level;
  }
  return kMostUnitLevel;
}

std::size_t SliceBins::n_slices() {
  const std::lock_guard lock(mutex_);
  return n_slices_;
}
unsigned SliceBins::level() {
  const std::lock_guard lock(mutex_);
  return level_;
}
std::size_t SliceBins::bytes() {
  const std::lock_guard lock(mutex_);
  return n_slices_ * kSliceBytes + (store_ == nullptr ? 0 : store_->bytes());
}

}  // namespace confmat
