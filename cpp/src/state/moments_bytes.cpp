// Moments as saved states. `compatible`: a byte that is 1 where weights were summed, and 9 for each
// further term: its number, its parameter as a double. The payload:
//   8 x 3    the least and the largest truth, the largest error
//   4        how many bins of errors there are, where they are kept, and 8 for each
//   4, 4     the level of the grid, how many cells it has, where pairs are kept, and 8 x 2 for each
//            cell; sums of the columns of a grid follow those of its cells: see grid_columns.hpp
//   4        how many bits bins of truths have, where few are kept
//   4        how many bins of truths there are, where they are kept, and 8 for each
//   8 x ...  the sums, rounded; their further parts: see counts
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/state/grid_columns.hpp"
#include "confmat/state/moments.hpp"
#include "confmat/state/number_bins.hpp"
#include "payload.hpp"

namespace confmat {
namespace {

constexpr std::array kKindsOfMoments{StateKind::kMoments};
constexpr double kInf = std::numeric_limits<double>::infinity();

[[noreturn]] void refuse(const char* what) {
  throw StateError(std::string("not what rows of a regression give: ") + what);
}

std::vector<std::uint8_t> compatible_of(const Moments& moments) {
  ByteWriter out;
  out.put(static_cast<std::uint8_t>(moments.has_weights ? 1 : 0));
  for (const TermAsk& ask : moments.terms) {
    out.put(static_cast<std::uint8_t>(ask.term));
    out.put(ask.param);
  }
  return out.take();
}

void read_compatible(Bytes bytes, Moments& out) {
  ByteReader reader(bytes);
  const auto weights = reader.get<std::uint8_t>();
  if (weights > 1) throw StateError("unknown content of moments");
  out.has_weights = weights == 1;
  while (reader.left() > 0) {
    const auto term = reader.get<std::uint8_t>();
    const auto param = reader.get<double>();
    const TermAsk ask{static_cast<MomentTerm>(term), param};
    const bool is_huber = ask.term == MomentTerm::kHuber;
    const bool known = ask.term >= MomentTerm::kPercentage && ask.term <= MomentTerm::kTruths;
    const bool fits = is_huber               ? param > 0 && param <= kMostNumber
                      : is_in_bins(ask.term) ? param == kUsualBits || param == kAllBits
                                             : param == 0 && !std::signbit(param);
    if (!known || !fits) throw StateError("unknown content of moments");
    const bool is_second = is_in_bins(ask.term) && out.bits_of(ask.term) >= 0;
    if (is_second || (!out.terms.empty() && !(out.terms.back() < ask)))
      refuse("the order of its sums");
    out.terms.push_back(ask);
  }
}

double take_bound(ByteReader& reader) {
  const auto bound = reader.get<double>();
  const auto bits = std::bit_cast<std::uint64_t>(bound);
  const bool is_other = std::isnan(bound) ? bits != std::bit_cast<std::uint64_t>(Moments::kUnknown)
                                          : bound == 0 && std::signbit(bound);
  if (is_other) refuse("a bound that is written otherwise");
  return bound;
}

bool is_bound(double bound) { return std::isnan(bound) || std::fabs(bound) <= kMostNumber; }

void check_bounds(const Moments& of) {
  if (of.sums.leads[kSumWeight] == 0) {
    const bool none =
        of.least_truth == kInf && of.largest_truth == -kInf && of.largest_error == -kInf;
    if (!none) refuse("bounds without rows");
    return;
  }
  const bool fit = is_bound(of.least_truth) && is_bound(of.largest_truth) &&
                   !(of.least_truth > of.largest_truth) &&
                   (std::isnan(of.largest_error) ||
                    (of.largest_error >= 0 && of.largest_error <= 2 * kMostNumber));
  if (!fit) refuse("bounds of its numbers");
}

std::vector<std::uint64_t> take_bins(ByteReader& reader, double largest, int bits) {
  const auto n = reader.count(sizeof(std::uint64_t));
  std::vector<std::uint64_t> out;
  out.reserve(n);
  const std::uint64_t most = bin_of_number(largest, bits);
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto bin = reader.get<std::uint64_t>();
    if (size_of_bin(bin) > most || bin == kSignOfBin) refuse("a bin of no number");
    if (!out.empty() && bin <= out.back()) refuse("the order of its bins");
    out.push_back(bin);
  }
  return out;
}

void take_truths(ByteReader& reader, Moments& out) {
  const bool are_few = out.has_few_bins(MomentTerm::kTruths);
  if (are_few) out.truth_bits = reader.get<std::int32_t>();
  if (out.truth_bits < kUsualBits || out.truth_bits > kAllBits) refuse("the bits of its bins");
  out.truths = take_bins(reader, kMostNumber, out.truth_bits);
  const std::size_t n = out.truths.size();
  if (are_few && n > kFewBins && out.truth_bits != kUsualBits) refuse("too many bins");
  if (n == 0 && out.truth_bits != kAllBits) refuse("the bits of no bins");
}

void put_bins(ByteWriter& out, const std::vector<std::uint64_t>& bins) {
  out.put(static_cast<std::uint32_t>(bins.size()));
  for (const std::uint64_t bin : bins) out.put(bin);
}

void take_cells(ByteReader& reader, Moments& out) {
  out.grid_level = reader.get<std::int32_t>();
  if (out.grid_level < kEachPair || out.grid_level > kMostLevel) refuse("the size of its cells");
  const auto n = reader.count(sizeof(PairCell));
  if (n > kMostCells) refuse("too many cells");
  if (n == 0 && out.grid_level != kEachPair) refuse("the size of no cells");
  const double least = corner_of(-kMostNumber, out.grid_level);
  const auto is_corner = [&](double x) {
    return x >= least && x <= kMostNumber && !(x == 0 && std::signbit(x)) &&
           corner_of(x, out.grid_level) == x;
  };
  out.cells.reserve(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto truth = reader.get<double>();
    const PairCell cell{truth, reader.get<double>()};
    if (!is_corner(cell.truth) || !is_corner(cell.prediction)) refuse("a cell of no grid");
    if (!out.cells.empty() && !(out.cells.back() < cell)) refuse("the order of its cells");
    out.cells.push_back(cell);
  }
}

// The rows of all bins, and of all cells, are all rows: one sum of `each` of these.
void check_parts(const Moments& of, std::size_t first, std::size_t end, std::size_t each = 1) {
  ExactSum left;
  for (std::size_t i = first; i < end; i += each) {
    if (!(of.sums.leads[i] > 0)) refuse("an empty bin");
    left.add(of.sums.leads[i]);
    for (const Tail& tail : of.sums.tails_of(i)) left.add(tail.part);
  }
  left.add(-of.sums.leads[kSumWeight]);
  for (const Tail& tail : of.sums.tails_of(kSumWeight)) left.add(-tail.part);
  if (left.value() != 0) refuse("bins of other rows");
}

// Means of columns lie within their cells, but for rounding.
void check_columns(const Moments& of) {
  struct Column {
    double weight = 0, least = kInf, largest = -kInf;  // of truths
  };
  std::vector<Column> columns(of.columns.size());
  const double side = of.grid_level == kEachPair ? 0.0 : power_of_two(of.grid_level);
  for (std::size_t i = 0; !columns.empty() && i < of.cells.size(); ++i) {
    const auto found = std::ranges::lower_bound(of.columns, of.cells[i].prediction);
    Column& column = columns[static_cast<std::size_t>(found - of.columns.begin())];
    column.weight += of.sums.leads[of.first_cell() + i];
    column.least = std::min(column.least, of.cells[i].truth);
    column.largest = std::max(column.largest, of.cells[i].truth + side);
  }
  const auto check = [](double mean, double least, double largest) {
    const double slack = 1e-9 * std::max(std::fabs(least), std::fabs(largest)) + 1e-200;
    if (!(mean >= least - slack && mean <= largest + slack)) refuse("a mean beyond its cells");
  };
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& [weight, least, largest] = columns[i];
    const std::size_t at = of.first_column() + 2 * i;
    check(of.sums.leads[at] / weight, least, largest);
    check(of.sums.leads[at + 1] / weight, of.columns[i], of.columns[i] + side);
  }
}

void check_sums_of(const Moments& of) {
  const auto leads = of.sums.leads.view();
  for (std::size_t i = 0; i < leads.size(); ++i) {
    if (!std::isfinite(leads[i]) || (leads[i] == 0 && std::signbit(leads[i]))) {
      refuse("a sum that is no number");
    }
    const bool any_sign =
        i == kSumTruth || i == kSumPrediction || i == kSumProduct || i >= kMomentSums;
    if (!any_sign && leads[i] < 0) refuse("a negative sum");
    if (leads[kSumWeight] == 0 && leads[i] != 0) refuse("sums without rows");
  }
  if (!are_rounded_parts(leads, of.sums.tails.view())) {
    throw StateError("the parts of an exact sum are not those of its sum");
  }
  if (!sums_fit_rows(of)) refuse("a sum that is too large");
  const double rows = static_cast<double>(of.rows.counted);
  if (!of.has_weights && (leads[kSumWeight] != rows || leads[kSumSquared] != rows)) {
    throw StateError("the rows counted are not the total");
  }
}

}  // namespace

std::vector<std::uint8_t> encode(const Moments& moments) {
  const std::vector<std::uint8_t> compatible = compatible_of(moments);
  StateWriter writer(StateKind::kMoments, compatible, LabelSet{}, moments.rows);
  ByteWriter& out = writer.payload();
  for (const double bound : {moments.least_truth, moments.largest_truth, moments.largest_error}) {
    out.put(std::isnan(bound) ? Moments::kUnknown : bound);
  }
  if (moments.bits_of(MomentTerm::kErrors) >= 0) put_bins(out, moments.errors);
  if (moments.has_density()) {
    out.put(static_cast<std::int32_t>(moments.grid_level));
    out.put(static_cast<std::uint32_t>(moments.cells.size()));
    for (const PairCell& cell : moments.cells) {
      out.put(cell.truth);
      out.put(cell.prediction);
    }
  }
  if (moments.has_few_bins(MomentTerm::kTruths)) {
    out.put(static_cast<std::int32_t>(moments.truth_bits));
  }
  if (moments.bits_of(MomentTerm::kTruths) >= 0) put_bins(out, moments.truths);
  put_leads(out, moments.sums);
  put_tails(out, moments.sums);
  return writer.seal();
}

Moments decode_moments(Bytes bytes) {
  const Envelope state = open_state(bytes, kKindsOfMoments);
  if (state.labels != LabelSet{}) throw StateError("moments have no labels");
  if (state.compatible.empty()) throw StateError("unknown content of moments");
  Moments out;
  read_compatible(state.compatible, out);
  out.rows = state.rows;
  if (out.rows.counted < 0) throw StateError("moments know how many rows were counted");
  if (out.rows.other != 0) throw StateError("moments have no rows of other labels");
  ByteReader reader(state.payload);
  out.least_truth = take_bound(reader);
  out.largest_truth = take_bound(reader);
  out.largest_error = take_bound(reader);
  const int of_errors = out.bits_of(MomentTerm::kErrors);
  const bool has_truths = out.bits_of(MomentTerm::kTruths) >= 0;
  if (of_errors >= 0) out.errors = take_bins(reader, 2 * kMostNumber, of_errors);
  if (out.has_density()) take_cells(reader, out);
  if (has_truths) take_truths(reader, out);
  out.columns = columns_of(out.cells, out.grid_level);
  const std::size_t each = out.sums_of_bin(MomentTerm::kTruths);
  const std::size_t size = out.first_bin(MomentTerm::kTruths) + each * out.truths.size();
  auto leads = take_array<double>(reader, size);
  out.sums = {std::move(leads), take_tails(reader)};
  if (reader.left() != 0) throw StateError("bytes are left after the last sum");
  check_sums_of(out);
  if (of_errors >= 0) check_parts(out, out.size(), out.first_cell());
  if (out.has_density()) {
    check_parts(out, out.first_cell(), out.first_column());
    check_columns(out);
  }
  if (has_truths) {
    check_parts(out, out.first_bin(MomentTerm::kTruths), size, each);
    if (!sizes_fit_bins(out)) refuse("truths beyond their bin");
  }
  check_bounds(out);
  return out;
}

}  // namespace confmat
