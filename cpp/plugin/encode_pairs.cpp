// Reads two label columns run by run and writes their codes, on several threads where it pays.
#include "plugin/encode_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/evaluate/pair_coder.hpp"
#include "plugin/rows.hpp"

namespace confmat::plugin {
namespace {

constexpr const char* kPairNames[] = {"y_true", "y_pred", "sample_weight"};

// Calls make_encode() for each thread, and what it returns, encode(y_true, y_pred, first row), for
// each piece of the rows. A whole column is cut into pieces for the threads; it may lie in many
// chunks.
template <class MakeEncode>
void for_each_piece(const LabelArgs& args, const MakeEncode& make_encode) {
  constexpr std::int64_t kPiece = std::int64_t{1} << 20;
  struct Piece {
    Column y_true;
    Column y_pred;
    std::int64_t start;
  };
  std::vector<Piece> pieces;
  for_each_run(
      std::span(args.columns).first(2), args.label_rows,
      [&](std::int64_t start, const std::vector<Column>& run) {
        const auto n = std::max(run[0].length, run[1].length);
        for (std::int64_t at = 0; at < n; at += kPiece) {
          const auto rows = std::min(kPiece, n - at);
          pieces.push_back({block_of(run[0], at, rows), block_of(run[1], at, rows), start + at});
        }
      });
  const int threads = args.label_rows >= kWholeColumn ? core_count(0) : 1;
  for_each_task(static_cast<std::int64_t>(pieces.size()), threads, [&] {
    return [&, encode = make_encode()](std::int64_t i) {
      const auto& [y_true, y_pred, start] = pieces[static_cast<std::size_t>(i)];
      encode(y_true, y_pred, start);
    };
  });
}

}  // namespace

LabelArgs read_label_args(const Inputs& inputs, const Spec& spec) {
  const std::size_t n = spec.weighted ? 3 : 2;
  const Labelling labelling = spec.coded() != nullptr ? Labelling::kNamed : Labelling::kFound;
  if (inputs.size() != n && inputs.size() != n + 2)
    throw InputError("the expression takes " + std::to_string(n) + " columns");
  LabelArgs args;
  args.labels.reserve(2);
  std::int64_t shortest = inputs.length(0);
  for (std::size_t i = 0; i < n; ++i) {
    if (i < 2) {
      args.labels.emplace_back(inputs, i, type_of(i, n, inputs.size()), labelling, kPairNames[i]);
    } else {
      args.weights = inputs.rows(i, kPairNames[i]);
    }
    args.length = std::max(args.length, inputs.length(i));
    shortest = std::min(shortest, inputs.length(i));
  }
  if (shortest == 0) args.length = 0;
  args.label_rows = std::min(args.length, std::max(inputs.length(0), inputs.length(1)));
  for (std::size_t i = 0; i < n; ++i) {
    args.columns.push_back(i < 2 ? args.labels[i].chunks() : args.weights.chunks());
    if (inputs.length(i) != args.length && inputs.length(i) != 1) {
      throw InputError("`" + std::string(kPairNames[i]) + "` has " +
                       std::to_string(inputs.length(i)) + " rows, wanted " +
                       std::to_string(args.length));
    }
  }
  return args;
}

KnownCodes encode_known(const LabelArgs& args, const Labels& labels) {
  const auto& encoder = encoder_for(labels);
  const auto width = static_cast<std::int64_t>(encoder.width());
  Buffer out(static_cast<std::size_t>(args.label_rows * width));
  std::atomic<bool> has_other{false};
  for_each_piece(args, [&] {
    return [&](const Column& y_true, const Column& y_pred, std::int64_t start) {
      if (encoder.encode(y_true, y_pred, out.as<std::byte>() + start * width)) has_other = true;
    };
  });
  return {std::move(out), has_other};
}

Buffer encode_unknown(const LabelArgs& args, const Categories* categories) {
  Buffer out(static_cast<std::size_t>(args.label_rows) * sizeof(std::uint32_t));
  for_each_piece(args, [&] {
    return [&](const Column& y_true, const Column& y_pred, std::int64_t start) {
      std::uint32_t* to = out.as<std::uint32_t>() + start;
      if (categories != nullptr) {
        PairCoder::own().encode(y_true, y_pred, start, *categories, to);
      } else {
        PairCoder::own().encode(y_true, y_pred, start, to);
      }
    };
  });
  return out;
}

std::uint32_t unknown_null(const Categories* categories) {
  return categories != nullptr ? PairCoder::own().null_code(*categories) : PairCode::kNull;
}

}  // namespace confmat::plugin
