// The first row with a label beyond the given ones, found by its code and then read.
#include "plugin/outsiders.hpp"

#include <string>

#include "confmat/batch/class_set.hpp"
#include "confmat/evaluate/met_outsiders.hpp"
#include "confmat/evaluate/pair_tally.hpp"
#include "confmat/tally/class_reader.hpp"
#include "confmat/tally/encode.hpp"

namespace confmat::plugin {
namespace {

struct Outsiders {
  std::int64_t rows = 0;
  std::int64_t first = -1;
  bool in_truth = false;  // of the first
};

template <class CodeAt>
Outsiders outsiders_among(std::int64_t rows, std::uint32_t classes, const CodeAt& code_at) {
  Outsiders out;
  const std::uint32_t other = classes, null = classes + 1, side = classes + 2;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::uint32_t code = code_at(i), truth = code / side, pred = code % side;
    if (truth == null || pred == null || (truth != other && pred != other)) continue;
    if (out.rows++ == 0) {
      out.first = i;
      out.in_truth = truth == other;
    }
  }
  return out;
}

Outsiders outsiders_among(const LabelArgs& args, std::uint32_t classes, const Buffer& codes,
                          bool weighted) {
  const auto among = [&]<class Code>(const Code* of) {
    return outsiders_among(args.label_rows, classes, [of](std::int64_t i) { return of[i]; });
  };
  if (weighted) {
    return outsiders_among(args.length, classes, [&](std::int64_t i) {
      return static_cast<std::uint32_t>(codes.as<WeightedCode>()[i].code);
    });
  }
  switch (code_width(classes)) {
    case CodeWidth::k8:
      return among(codes.as<std::uint8_t>());
    case CodeWidth::k16:
      return among(codes.as<std::uint16_t>());
    default:
      return among(codes.as<std::uint32_t>());
  }
}

// The label in a row of a column, which may have one for all rows.
std::string label_at(Chunks chunks, std::int64_t row, const ClassSet& set, const char* argument) {
  if (chunks.size() == 1 && chunks[0].length == 1) row = 0;
  std::size_t at = 0;
  for (; row >= chunks[at].length; ++at) row -= chunks[at].length;
  Scratch scratch;
  ClassReader reader(argument, scratch);
  std::uint32_t read = 0;
  reader.start(chunks[at], set, 0);
  reader.read(row, 1, kClass32, &read);
  return reader.display(row);
}

}  // namespace

void note_outsiders(const LabelArgs& args, const Labels& labels, const Buffer& codes,
                    bool weighted) {
  const auto classes = static_cast<std::uint32_t>(labels.size());
  const auto [rows, first, in_truth] = outsiders_among(args, classes, codes, weighted);
  if (rows == 0) return;
  std::string label = label_at(args.columns[in_truth ? 0 : 1], first, fixed_classes(labels),
                               in_truth ? "y_true" : "y_pred");
  MetOutsiders::shared().put(labels, {in_truth, first, std::move(label)}, rows);
}

}  // namespace confmat::plugin
