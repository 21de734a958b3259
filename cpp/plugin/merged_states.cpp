// Sums of states of any kind, as Binary columns: of lists of them, and of rows with the same code;
// and their differences.
#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "confmat/arrow/format.hpp"
#include "confmat/base/error.hpp"
#include "confmat/state/state_difference.hpp"
#include "confmat/state/state_sum.hpp"
#include "plugin/binary_column.hpp"
#include "plugin/functions.hpp"
#include "plugin/lists.hpp"
#include "plugin/rows.hpp"

namespace confmat::plugin {
namespace {

using State = std::optional<Bytes>;  // nothing: null

// Each state of a column. Needs: the column stays.
std::vector<State> states_in(const Inputs& inputs, std::size_t column) {
  const std::string_view format = inputs.schema(column).format;
  check_states(format, dtype_word(inputs.schema(column)));
  std::vector<State> out(static_cast<std::size_t>(inputs.length(column)));
  std::size_t first = 0;
  for (const ArrowArray* array : inputs.chunks(column)) {
    if (format == kNulls) break;
    ArrowColumns held;
    held.add_binary(*array);
    const Column& states = held.front();
    for (std::int64_t i = 0; i < array->length; ++i) {
      if (states.valid(i)) out[first + static_cast<std::size_t>(i)] = bytes_of(states.text(i));
    }
    first += static_cast<std::size_t>(array->length);
  }
  return out;
}

// The rows of codes that are not much more than they are, or of any.
std::vector<std::uint32_t> sorted_rows(const std::vector<std::int64_t>& codes) {
  std::vector<std::uint32_t> rows(codes.size());
  const auto most = std::ranges::max(codes);
  if (std::ranges::min(codes) < 0 || static_cast<std::uint64_t>(most) > 8 * codes.size() + 1024) {
    std::iota(rows.begin(), rows.end(), 0U);
    std::ranges::stable_sort(rows, {}, [&](std::uint32_t row) { return codes[row]; });
    return rows;
  }
  std::vector<std::uint32_t> next(static_cast<std::size_t>(most) + 2);
  for (const std::int64_t code : codes) ++next[static_cast<std::size_t>(code) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::size_t row = 0; row < codes.size(); ++row) {
    rows[next[static_cast<std::size_t>(codes[row])]++] = static_cast<std::uint32_t>(row);
  }
  return rows;
}

// States that are merged lie far from each other.
constexpr std::size_t kAhead = 8;
void prefetch(const std::vector<State>& held, const std::vector<std::uint32_t>& sorted,
              std::size_t i) noexcept {
  if (i >= sorted.size()) return;
  const Bytes bytes = held[sorted[i]].value_or(Bytes());
  constexpr std::size_t kLine = 64, kMost = 256;
  for (std::size_t at = 0; at < std::min(bytes.size(), kMost); at += kLine) {
    __builtin_prefetch(bytes.data() + at);
  }
}

// Throws refused(row, why) of the first state that is none, or that does not go with those before
// it.
template <class StateAt, class Refused>
void refuse_first(std::size_t n, const StateAt& state_at, const Refused& refused) {
  std::size_t good = 0, bad = n;  // how many of the first
  std::string why;
  for (std::size_t tried = n; tried > good; tried = good + (bad - good) / 2) {
    try {
      StateSum sum;
      for (std::size_t i = 0; i < tried; ++i) {
        const State state = state_at(i).second;
        if (state) sum.add(*state);
      }
      if (!sum.is_empty()) static_cast<void>(sum.take());
      good = tried;
    } catch (const Error& error) {
      bad = tried;
      why = error.what();
    }
  }
  if (good < n) throw refused(state_at(bad - 1).first, why);
}

InputError refused_row(std::int64_t row, const std::string& why) {
  return {"a state", row, ": " + why};
}

// What is said of the first place, a group or a row, whichever thread comes to it first.
class FirstRefusal {
 public:
  void put(std::int64_t place, const InputError& error) {
    const std::lock_guard lock(mutex_);
    if (place >= first_) return;
    first_ = place;
    error_ = std::make_exception_ptr(error);
  }
  // Whether something is said of a place before this one.
  [[nodiscard]] bool is_before(std::int64_t place) const noexcept { return first_ < place; }
  // Throws InputError, if there is one.
  void raise() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::atomic<std::int64_t> first_{INT64_MAX};
  std::exception_ptr error_;
};

// The sum of n states, where state_at(i) is a row and its state; without any, no bytes. Needs: the
// sum is empty.
template <class StateAt, class Refused>
std::vector<std::uint8_t> merged(StateSum& sum, std::size_t n, const StateAt& state_at,
                                 const Refused& refused) {
  try {
    for (std::size_t i = 0; i < n; ++i) {
      const State state = state_at(i).second;
      if (state) sum.add(*state);
    }
    return sum.is_empty() ? std::vector<std::uint8_t>() : sum.take();
  } catch (const Error&) {  // some are merged long after they were added
    refuse_first(n, state_at, refused);
    throw;
  }
}

}  // namespace

Type merge_states_type(Fields fields, const Spec& /*spec*/) {
  return {"vz", fields.empty() ? "" : fields[0].name};
}

Result merge_states(const Inputs& inputs, const Spec& spec) {
  const ListInput input = read_lists(inputs);
  BinaryViews states(static_cast<std::size_t>(input.length));
  if (input.format == kNulls) {
    return {merge_states_type({&inputs.schema(0), 1}, spec), binaries(std::move(states))};
  }
  check_states(input.format, dtype_word(*inputs.schema(0).children[0]));
  const int threads = threads_for_states(input.n_elements);
  // Groups have no names here, and their rows no places in the frame.
  const auto refused = [groups = input.length](std::int64_t row, const std::string& why) {
    if (groups == 1) return refused_row(row, why);
    return InputError("a state at row " + std::to_string(row) + " of one of " +
                      std::to_string(groups) + " groups: " + why);
  };
  FirstRefusal refusal;
  for (const Lists& lists : input.chunks) {
    ArrowColumns column;
    column.add_binary(*lists.elements);
    for_each_task(lists.array->length, threads, [&] {
      return
          [&, &held = column.front(), sum = std::make_unique<StateSum>()](std::int64_t i) mutable {
            const auto [begin, end] = lists.range(i);
            const auto state_at = [&, begin = begin](std::size_t at) {
              const auto row = static_cast<std::int64_t>(at);
              State state;
              if (held.valid(begin + row)) state = bytes_of(held.text(begin + row));
              return std::pair(row, state);
            };
            const std::int64_t group = lists.first_row + i;
            if (refusal.is_before(group)) return;
            try {
              const std::vector<std::uint8_t> bytes =
                  merged(*sum, static_cast<std::size_t>(end - begin), state_at, refused);
              if (!bytes.empty()) states.put(static_cast<std::size_t>(group), bytes);
            } catch (const InputError& error) {
              sum = std::make_unique<StateSum>();
              refusal.put(group, error);
            }
          };
    });
  }
  refusal.raise();
  return {merge_states_type({&inputs.schema(0), 1}, spec), binaries(std::move(states))};
}

Type merge_states_by_type(Fields fields, const Spec& /*spec*/) {
  return {"+s", fields.empty() ? "" : fields[0].name, {{"I", "row"}, {"vz", "state"}}};
}

Result merge_states_by(const Inputs& inputs, const Spec& spec) {
  if (inputs.size() != 2 || !are_integers(inputs.schema(1))) {
    throw InputError("the expression takes a column of states, and integers");
  }
  const std::vector<State> held = states_in(inputs, 0);
  const std::int64_t rows = inputs.length(0);
  if (inputs.length(1) != rows) throw InputError("columns of unequal lengths");
  if (rows > UINT32_MAX) throw InputError("more than 2^32 - 1 states");
  std::vector<std::int64_t> codes, part;
  const ArrowColumns owner = inputs.rows(1, "code");
  const Chunks chunks[] = {owner.chunks()};
  for_each_run(chunks, rows, [&](std::int64_t, const std::vector<Column>& run) {
    read_numbers(run[0], run[0].length, part);
    codes.insert(codes.end(), part.begin(), part.end());
  });
  const std::vector<std::uint32_t> sorted =
      codes.empty() ? std::vector<std::uint32_t>() : sorted_rows(codes);
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i == 0 || codes[sorted[i]] != codes[sorted[i - 1]]) starts.push_back(i);
  }
  const std::size_t groups = starts.size();
  starts.push_back(sorted.size());
  BinaryViews states(groups);
  FirstRefusal refusal;
  for_each_task(static_cast<std::int64_t>(groups), threads_for_states(rows), [&] {
    return [&, sum = std::make_unique<StateSum>()](std::int64_t group) mutable {
      const auto at = static_cast<std::size_t>(group);
      const auto state_at = [&, first = starts[at]](std::size_t i) {
        prefetch(held, sorted, first + i + kAhead);
        const std::uint32_t row = sorted[first + i];
        return std::pair(std::int64_t{row}, held[row]);
      };
      if (refusal.is_before(sorted[starts[at]])) return;
      try {
        const std::vector<std::uint8_t> bytes =
            merged(*sum, starts[at + 1] - starts[at], state_at, refused_row);
        if (!bytes.empty()) states.put(at, bytes);
      } catch (const InputError& error) {
        sum = std::make_unique<StateSum>();
        refusal.put(error.row().value_or(sorted[starts[at]]), error);
      }
    };
  });
  refusal.raise();
  Buffer first(groups * sizeof(std::uint32_t));
  for (std::size_t at = 0; at < groups; ++at) first.as<std::uint32_t>()[at] = sorted[starts[at]];
  Array out{.length = static_cast<std::int64_t>(groups), .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  out.children.push_back(primitive(out.length, std::move(first)));
  out.children.push_back(binaries(std::move(states)));
  return {merge_states_by_type({&inputs.schema(0), 1}, spec), std::move(out)};
}

Type subtract_states_type(Fields fields, const Spec& spec) {
  return merge_states_type(fields, spec);
}

Result subtract_states(const Inputs& inputs, const Spec& spec) {
  if (inputs.size() != 2) throw InputError("the expression takes 2 columns of states");
  const std::vector<State> wholes = states_in(inputs, 0);
  const std::vector<State> parts = states_in(inputs, 1);
  const std::size_t rows = std::max(wholes.size(), parts.size());
  const auto fits = [&](std::size_t size) { return size == rows || size == 1; };
  if (!fits(wholes.size()) || !fits(parts.size())) throw InputError("columns of unequal lengths");
  BinaryViews states(rows);
  const auto n = static_cast<std::int64_t>(rows);
  for_each_task(n, threads_for_states(n), [&] {
    return [&, difference = std::make_unique<StateDifference>()](std::int64_t row) {
      const auto at = static_cast<std::size_t>(row);
      const State whole = wholes[wholes.size() == 1 ? 0 : at];
      const State part = parts[parts.size() == 1 ? 0 : at];
      if (!part) {
        if (whole) states.put(at, *whole);
      } else if (whole) {
        try {
          states.put(at, difference->of(*whole, *part));
        } catch (const Error& error) {
          throw refused_row(row, error.what());
        }
      }
    };
  });
  return {subtract_states_type({&inputs.schema(0), 1}, spec), binaries(std::move(states))};
}

}  // namespace confmat::plugin
