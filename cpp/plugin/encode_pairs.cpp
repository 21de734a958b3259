#include "plugin/encode_pairs.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "confmat/base/threads.hpp"
#include "confmat/evaluate/pairs.hpp"
#include "plugin/rows.hpp"

namespace confmat::plugin {
namespace {

constexpr const char* kNames[] = {"y_true", "y_pred", "sample_weight"};

// Validity of an element-wise result; absent until the first null.
class Validity {
 public:
  explicit Validity(std::int64_t n) : n_(n) {}
  void set_null(std::int64_t i) {
    if (bits_.empty()) bits_.assign(static_cast<std::size_t>((n_ + 7) / 8), 0xFF);
    bits_[static_cast<std::size_t>(i >> 3)] &= static_cast<std::uint8_t>(~(1U << (i & 7)));
    ++nulls_;
  }
  void give_to(Array& array) const {
    array.null_count = nulls_;
    if (nulls_ == 0) return;
    array.buffers[0] = Buffer(bits_.size());
    std::memcpy(array.buffers[0].as<std::uint8_t>(), bits_.data(), bits_.size());
  }

 private:
  std::int64_t n_;
  std::int64_t nulls_ = 0;
  std::vector<std::uint8_t> bits_;
};

void check_fits(const Column& column, const std::vector<std::int64_t>& values,
                const char* argument) {
  if (column.type != DType::kUInt64) return;
  for (std::int64_t i = 0; i < column.length; ++i) {
    if (column.valid(i) && values[static_cast<std::size_t>(i)] < 0) {
      throw InputError("`" + std::string(argument) + "` has a label of 2^63 or more");
    }
  }
}

// The pairs of one short run, packed. `values` is scratch.
template <class Word>
void pack_ints(const Column& y_true, const Column& y_pred, std::int64_t n,
               std::array<std::vector<std::int64_t>, 2>& values, Word* to) {
  read_numbers(y_true, n, values[0]);
  read_numbers(y_pred, n, values[1]);
  check_fits(y_true, values[0], "y_true");
  check_fits(y_pred, values[1], "y_pred");
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    const auto high = static_cast<std::uint64_t>(values[0][i]);
    const auto low = static_cast<std::uint64_t>(values[1][i]);
    if constexpr (std::is_same_v<Word, Int128Bits>) {
      to[i] = {low, high};
    } else {
      constexpr unsigned kHalf = sizeof(Word) * 4;
      to[i] = static_cast<Word>(high << kHalf) |
              static_cast<Word>(low & ((std::uint64_t{1} << kHalf) - 1));
    }
  }
}

bool may_be_null(const Column& column) {
  return column.validity != nullptr || column.type == DType::kNull;
}

template <class Word>
Result encode_ints(const LabelArgs& args, Type type) {
  constexpr std::int64_t kBlock = 4096;
  Buffer out(static_cast<std::size_t>(args.length) * sizeof(Word));
  Validity validity(args.length);
  for_each_run(args.columns, args.length, [&](std::int64_t start, const std::vector<Column>& run) {
    const auto n = std::max(run[0].length, run[1].length);
    auto* to = out.as<Word>() + start;
    const int threads = n >= kWholeColumn ? core_count(0) : 1;
    for_each_task((n + kBlock - 1) / kBlock, threads, [&] {
      return [&, values = std::array<std::vector<std::int64_t>, 2>()](std::int64_t block) mutable {
        const auto first = block * kBlock;
        const auto rows = std::min(kBlock, n - first);
        pack_ints(block_of(run[0], first, rows), block_of(run[1], first, rows), rows, values,
                  to + first);
      };
    });
    if (!may_be_null(run[0]) && !may_be_null(run[1])) return;
    for (std::int64_t i = 0; i < n; ++i) {
      const bool valid =
          run[0].valid(run[0].length == 1 ? 0 : i) && run[1].valid(run[1].length == 1 ? 0 : i);
      if (!valid) validity.set_null(start + i);
    }
  });
  Array array = primitive(args.length, std::move(out));
  validity.give_to(array);
  return {std::move(type), std::move(array)};
}

// Byte strings of up to 12 bytes lie in their 16-byte view, longer ones in `blob`.
struct View {
  std::uint32_t length;
  char rest[12];  // the bytes, or 4 of them, the number of the blob and the offset in it
};

Array binary_views(const std::vector<std::string>& blobs, std::vector<View>&& views,
                   const Validity& validity) {
  Array out{.length = static_cast<std::int64_t>(views.size()), .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  out.buffers.emplace_back(views.size() * sizeof(View));
  if (!views.empty()) {
    std::memcpy(out.buffers[1].as<View>(), views.data(), views.size() * sizeof(View));
  }
  Buffer sizes(blobs.size() * sizeof(std::int64_t));
  for (std::size_t i = 0; i < blobs.size(); ++i) {
    out.buffers.emplace_back(blobs[i].size());
    std::memcpy(out.buffers.back().as<char>(), blobs[i].data(), blobs[i].size());
    sizes.as<std::int64_t>()[i] = static_cast<std::int64_t>(blobs[i].size());
  }
  out.buffers.push_back(std::move(sizes));
  validity.give_to(out);
  return out;
}

Result encode_binary(const LabelArgs& args, bool weighted, Type type) {
  constexpr std::size_t kBlob = std::size_t{1} << 30;  // offsets are 32 bits wide
  std::vector<std::string> blobs(1);
  std::vector<View> views(static_cast<std::size_t>(args.length));
  Validity validity(args.length);
  std::vector<double> weights;
  std::vector<std::int64_t> ints[2];
  std::string pair;
  for_each_run(args.columns, args.length, [&](std::int64_t start, const std::vector<Column>& run) {
    std::int64_t n = 1;
    for (const auto& column : run) n = std::max(n, column.length);
    const auto row_of = [](const Column& column, std::int64_t i) {
      return column.length == 1 ? 0 : i;
    };
    if (weighted) read_weights(run[2], n, start, weights);
    const bool text = run[0].type == DType::kText || run[0].type == DType::kDictionary;
    const bool boolean = run[0].type == DType::kBoolBits && run[1].type == DType::kBoolBits;
    const LabelForm form = text      ? LabelForm::kText
                           : boolean ? LabelForm::kBoolean
                                     : LabelForm::kInteger;
    for (std::size_t side = 0; side < 2 && !text; ++side) read_numbers(run[side], n, ints[side]);
    for (std::int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      std::string_view label[2];
      bool valid = !weighted || run[2].valid(row_of(run[2], i));
      for (std::size_t side = 0; side < 2; ++side) {
        const std::int64_t row = row_of(run[side], i);
        if (run[side].type == DType::kNull) {
          valid = false;
        } else if (text) {
          valid = read_text(run[side], row, {.argument = kNames[side], .first_row = start},
                            label[side]) &&
                  valid;
        } else {
          valid = run[side].valid(row) && valid;
          label[side] = {reinterpret_cast<const char*>(&ints[side][at]), sizeof(std::int64_t)};
        }
      }
      View& view = views[static_cast<std::size_t>(start) + at];
      view = {};
      if (!valid) {
        validity.set_null(start + i);
        continue;
      }
      if (weighted) check_weight(weights[at]);
      pair.clear();
      append_binary_pair(pair, weighted, weighted ? weights[at] : 0.0, form, label[0], label[1]);
      view.length = static_cast<std::uint32_t>(pair.size());
      if (pair.size() <= 12) {
        std::memcpy(view.rest, pair.data(), pair.size());
      } else {
        if (blobs.back().size() + pair.size() > kBlob) blobs.emplace_back();
        const std::uint32_t place[2] = {static_cast<std::uint32_t>(blobs.size() - 1),
                                        static_cast<std::uint32_t>(blobs.back().size())};
        std::memcpy(view.rest, pair.data(), 4);
        std::memcpy(view.rest + 4, place, sizeof(place));
        blobs.back() += pair;
      }
    }
  });
  return {std::move(type), binary_views(blobs, std::move(views), validity)};
}

}  // namespace

LabelArgs read_label_args(const Inputs& inputs, bool weighted) {
  const std::size_t n = weighted ? 3 : 2;
  if (inputs.size() != n)
    throw InputError("the expression takes " + std::to_string(n) + " columns");
  LabelArgs args;
  args.labels.reserve(2);
  std::int64_t shortest = inputs.length(0);
  for (std::size_t i = 0; i < n; ++i) {
    if (i < 2) {
      args.labels.emplace_back(inputs, i, kNames[i]);
    } else {
      args.weights = inputs.rows(i, kNames[i]);
    }
    args.length = std::max(args.length, inputs.length(i));
    shortest = std::min(shortest, inputs.length(i));
  }
  if (shortest == 0) args.length = 0;
  for (std::size_t i = 0; i < n; ++i) {
    args.columns.push_back(i < 2 ? args.labels[i].chunks() : args.weights.chunks());
    if (inputs.length(i) != args.length && inputs.length(i) != 1) {
      throw InputError("`" + std::string(kNames[i]) + "` has " + std::to_string(inputs.length(i)) +
                       " rows, wanted " + std::to_string(args.length));
    }
  }
  return args;
}

void check_weight(double weight) {
  if (std::isfinite(weight) && weight >= 0) return;
  char text[32];
  char* const end = std::to_chars(text, text + sizeof(text), weight).ptr;
  throw InputError("`sample_weight` has the value " + std::string(text, end) +
                   ": weights are finite and not negative");
}

Result encode_pairs(const LabelArgs& args, bool weighted, Type type) {
  if (type.format == "I" || type.format == "i")
    return encode_ints<std::uint32_t>(args, std::move(type));
  if (type.format == "L") return encode_ints<std::uint64_t>(args, std::move(type));
  if (type.format == "vz") return encode_binary(args, weighted, std::move(type));
  return encode_ints<Int128Bits>(args, std::move(type));
}

}  // namespace confmat::plugin
