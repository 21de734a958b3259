#include <memory>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/evaluate/pairs.hpp"
#include "plugin/finish_lists.hpp"
#include "plugin/known_labels.hpp"

namespace confmat::plugin {
namespace {

// Adds rows begin ... end - 1 of the elements. Null codes are no codes of ours, but lists may have
// been cut and put together since.
template <class Row>
void add_rows(PairTally& tally, const Lists& lists, std::int64_t begin, std::int64_t end) {
  const ArrowArray& elements = *lists.elements;
  const auto* rows = static_cast<const Row*>(elements.buffers[1]) + elements.offset;
  if (elements.null_count == 0 || elements.buffers[0] == nullptr) {
    tally.add(std::span(rows + begin, rows + end));
    return;
  }
  const auto* validity = static_cast<const std::uint8_t*>(elements.buffers[0]);
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t bit = elements.offset + i;
    if (((validity[bit >> 3] >> (bit & 7)) & 1) == 0) {
      tally.add_null();
    } else {
      tally.add(std::span(rows + i, 1));
    }
  }
}

// One huge list, cut into a part for each thread.
void tally_in_parts(PairTally& tally, const PairReading& pairs, const Lists& lists, int threads) {
  const auto [begin, end] = lists.range(0);
  std::vector<std::unique_ptr<PairTally>> parts;
  parts.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) parts.push_back(std::make_unique<PairTally>(pairs));
  for_each_task(threads, threads, [&, first = begin, n = end - begin] {
    return [&, first, n](std::int64_t i) {
      add_rows<std::uint32_t>(*parts[static_cast<std::size_t>(i)], lists, first + n * i / threads,
                              first + n * (i + 1) / threads);
    };
  });
  for (const auto& part : parts) tally.add(*part);
}

// Groups whose labels are of an Enum: all its categories are classes.
class EnumGroups {
 public:
  explicit EnumGroups(const Spec& spec) : asked_(&spec) {}

  // Needs: tally.resolve() gave the categories.
  GroupTotals evaluate(PairTally& tally, std::int64_t rows, const Categories& categories,
                       double* values) {
    if (last_ != &categories && (spec_ == nullptr || categories_ != categories)) begin(categories);
    last_ = &categories;
    const std::size_t side = categories.size() + 2;
    if (asked_->weighted) {
      tally.take_known(rows_);
      return weighted_->evaluate(rows_, values);
    }
    if (evaluator_->are_few(static_cast<std::size_t>(rows))) {
      tally.take_known(rows_);
      codes_.clear();
      for (const auto& row : rows_) codes_.push_back(static_cast<std::uint32_t>(row.code));
      GroupTotals totals;
      if (evaluator_->few(codes_, {}, totals, values)) return totals;
      cells_.assign(side * side, 0);
      for (const auto code : codes_) ++cells_[code];
    } else {
      cells_.resize(side * side);
      tally.take_known(cells_);
    }
    return evaluator_->codes(cells_, values);
  }

  [[nodiscard]] std::span<const std::string> reasons() const noexcept {
    return asked_->weighted ? weighted_->reasons() : evaluator_->reasons();
  }

 private:
  void begin(const Categories& categories) {
    evaluator_.reset();
    weighted_.reset();
    categories_ = categories;
    spec_ = std::make_unique<Spec>(
        with_labels(*asked_, {.kind = Labels::Kind::kText, .ints = {}, .texts = categories}));
    if (asked_->weighted) {
      weighted_ = std::make_unique<WeightedGroups>(*spec_);
    } else {
      evaluator_ = std::make_unique<GroupEvaluator>(*spec_);
    }
  }

  const Spec* asked_;
  Categories categories_;
  const Categories* last_ = nullptr;  // where they were found
  std::unique_ptr<const Spec> spec_;
  std::unique_ptr<GroupEvaluator> evaluator_;
  std::unique_ptr<WeightedGroups> weighted_;
  std::vector<WeightedCode> rows_;
  std::vector<std::uint32_t> codes_;
  std::vector<std::int64_t> cells_;
};

}  // namespace

void finish_pairs(const ListInput& input, const Spec& spec, MetricStruct& out) {
  if (input.format != (spec.weighted ? "_pli128" : "I")) {
    throw InputError("the lists do not hold codes of label pairs");
  }
  const PairReading pairs = PairDictionary::shared().reading();
  const int threads = threads_for(input);
  const bool in_parts = input.length == 1 && threads > 1 && !spec.weighted;
  for (const auto& lists : input.chunks) {
    for_each_task(lists.array->length, threads, [&] {
      return [&, evaluator = GroupEvaluator(spec), tally = std::make_unique<PairTally>(pairs),
              of_enum = EnumGroups(spec), values = out.scratch()](std::int64_t i) mutable {
        const auto [begin, end] = lists.range(i);
        if (in_parts) {
          tally_in_parts(*tally, pairs, lists, threads);
        } else if (begin < end && spec.weighted) {
          add_rows<WeightedCode>(*tally, lists, begin, end);
        } else if (begin < end) {
          add_rows<std::uint32_t>(*tally, lists, begin, end);
        }
        const Categories* categories = tally->resolve();
        if (categories == nullptr) {
          const auto totals = evaluator.table(tally->take(spec.weighted), values.data());
          out.set(lists.first_row + i, totals, values, evaluator.reasons());
        } else {
          const auto totals = of_enum.evaluate(*tally, end - begin, *categories, values.data());
          out.set(lists.first_row + i, totals, values, of_enum.reasons());
        }
      };
    });
  }
}

}  // namespace confmat::plugin
