// The inner loops of counting and of products of matrices, one set for each instruction set, chosen
// once at run time. Every loop reads and writes foreign or preallocated memory: no allocation, no
// exception.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "confmat/batch/class_width.hpp"
#include "confmat/batch/column.hpp"

namespace confmat {

// Which values have a class: lo, lo + 1, ..., lo + last become shift, shift + 1, ...; all other
// values become `other`. `lo` and `lo + last` are values of the column's type.
struct Window {
  std::uint64_t lo = 0;
  std::uint64_t last = 0;
  std::uint32_t shift = 0;
  std::uint32_t other = 0;
};

// Smallest and largest value; 2^63 - 1 stands for every unsigned value beyond it.
struct Extremes {
  std::int64_t low = INT64_MAX;
  std::int64_t high = INT64_MIN;
};

// Contiguous memory that is read next, row by row; brought into the cache while codes are counted,
// which leaves the memory idle otherwise.
inline constexpr std::byte kNothingAhead{};
struct Ahead {
  const std::byte* at[2] = {&kNothingAhead, &kNothingAhead};
  std::size_t width[2] = {0, 0};  // bytes a row; at least as many rows as there are codes
};

// Weights as fixed-point numbers: those of kWeightPlaces neighbouring exponents, from the given
// ones on, at least 1, of the weights and of their squares.
inline constexpr std::uint64_t kWeightPlaces = 40;
inline constexpr unsigned kWeightBits = 47;  // of the low word; so many rows less than 2^17 fit
struct WeightWindow {
  std::uint64_t weights = 1;
  std::uint64_t squares = 1;
};

// low and high word of the sum of the weights, of their squares: low + high * 2^kWeightBits units
// of 2^(window - 1075).
struct alignas(32) WeightSums {
  std::uint64_t words[4] = {};
};

// What the bins called "unit" read of an octave (scores/unit_bins.hpp): the first bin, above as
// many bits that say how far to shift the fraction.
inline constexpr unsigned kUnitShiftBits = 5;
// Exponents of the distance to 0 or 1 below which the bins of an octave are fewer, and from which
// on all have one width, so many to the length of 1.
inline constexpr int kUnitFine = -20;
inline constexpr int kUnitMiddle = -5;
inline constexpr unsigned kUnitMiddleBits = 15;

// Keys of texts (tally/text_keys.hpp), each at the place that a sum of two products tells, in its
// upper bits. Where there is none, a key that no text has.
inline constexpr unsigned kFewTextBits = 4;
inline constexpr std::size_t kFewTexts = std::size_t{1} << kFewTextBits;
inline constexpr std::size_t kFewTextRows = 8;  // at once
struct alignas(64) FewTexts {
  std::uint64_t first[kFewTexts], second[kFewTexts], number[kFewTexts];
  std::uint64_t factors[2];
};

// What offsets point into.
struct TextBytes {
  const char* at;
  std::int64_t size;
};

inline constexpr std::size_t kIntTypes = 8;  // DType::kInt8 ... DType::kUInt64

inline constexpr std::size_t kMostTileRows = 8;
inline constexpr std::size_t kMostTileColumns = 24;

// Sums of doubles without rounding: of so many terms at most, padded with zeros to a multiple.
inline constexpr std::size_t kExactTerms = 1024;
inline constexpr std::size_t kExactGrain = 8;
inline constexpr std::size_t kExactParts = 3;

// Sums over pairs of a true and a predicted number of at most 2^m in size, as whole numbers of
// units: 2^(m - kPairBits[i]), and 2^(2m - kPairSquareBits[i]) of squares and products.
inline constexpr int kPairBits[] = {22, 68};
inline constexpr int kPairSquareBits[] = {44, 67, 90, 113, 136};
inline constexpr int kLeastPairExponent = -300, kMostPairExponent = 200;
struct PairSums {
  std::int64_t truth[2] = {}, prediction[2] = {}, error[2] = {};  // error: |y - p|
  std::int64_t truth_squared[5] = {}, prediction_squared[5] = {}, product[5] = {};
  double largest_error = 0;
};
struct PairBounds {
  double least_truth, largest_truth, least_prediction, largest_prediction;
};

// Quotients by what is nearer to 0 would be no doubles.
inline constexpr double kLeastDivisor = 1e-60;
inline constexpr double kMostTermSquare = 1e200;
inline constexpr std::size_t kTermKinds = 6;

inline constexpr std::size_t kFewClasses = 16;   // that TallyClasses counts
inline constexpr std::size_t kPairsBeyond = 16;  // for which TakePairs needs room

struct Kernels {
  // Values are contiguous and native, but need no alignment. Returns whether one is outside the
  // window.
  using Classify = bool (*)(const std::byte* values, std::size_t n, const Window& window,
                            void* classes) noexcept;
  // Whether one of the classes is `wanted`.
  using Contains = bool (*)(const void* classes, std::size_t n, std::uint32_t wanted) noexcept;
  // classes[i] = to[classes[i]] of 8-bit classes. Needs: `to` has 256 entries; classes < `size`.
  using Translate = void (*)(const std::uint8_t* to, std::size_t size, std::size_t n,
                             void* classes) noexcept;
  // Widens `extremes` to the values.
  using Range = void (*)(const std::byte* values, std::size_t n, Extremes& extremes) noexcept;
  // classes[i] = null_class where bit (first_bit + i) of `validity` is 0.
  using MaskNulls = void (*)(const std::uint8_t* validity, std::int64_t first_bit, std::size_t n,
                             std::uint32_t null_class, void* classes) noexcept;
  // codes[i] = min(rows[i], side - 1) * side + min(columns[i], side - 1).
  using Combine = void (*)(const void* rows, const void* columns, std::size_t n, std::uint32_t side,
                           void* codes) noexcept;
  // Adds each row to one of the eight counters from 8 * (kFewClasses * rows[i] + columns[i]) on.
  // Classes are below kFewClasses, and most of them below `classes`. Null where there are no
  // vectors whose bits are counted.
  using TallyClasses = void (*)(const std::uint8_t* rows, const std::uint8_t* columns,
                                std::size_t n, std::uint32_t classes, const Ahead& ahead,
                                std::uint64_t* counters) noexcept;
  // Counts the codes equal to live[k] into counts[k]; returns how many rows these are.
  using TallyFew = std::size_t (*)(const std::uint8_t* codes, std::size_t n, const Ahead& ahead,
                                   const std::uint8_t* live, std::uint32_t* counts) noexcept;
  // Tables of 256 counters each, eight of them; their sum is the histogram.
  using Tally8 = void (*)(const std::uint8_t* codes, std::size_t n, const Ahead& ahead,
                          std::uint32_t* tables) noexcept;
  // `lanes` (1, 2 or 4) tables, `size` counters apart. Needs: every code < size.
  using Tally16 = void (*)(const std::uint16_t* codes, std::size_t n, const Ahead& ahead,
                           std::uint32_t* tables, std::size_t size, int lanes) noexcept;
  // False: a code is not below `size`; all the others are counted.
  using Tally32 = bool (*)(const std::uint32_t* codes, std::size_t n, std::int64_t* cells,
                           std::size_t size) noexcept;
  // Adds each weight and its square to the sums of its code, and 1 to its rows; returns how many
  // weights were left out because they lie outside the window. Needs: finite weights, not negative.
  using AddWeights = std::size_t (*)(const std::uint32_t* codes, const double* weights,
                                     std::size_t n, const WeightWindow& window, WeightSums* sums,
                                     std::uint32_t* rows) noexcept;
  // Keys of the same order as the floats (see tally/score_key.hpp). False: there is a nan.
  using Keys = bool (*)(const std::byte* values, std::size_t n, void* keys) noexcept;
  // The bins of keys in the map called "unit". Needs: a table as scores/unit_bins.hpp has them.
  using UnitBins = void (*)(const void* keys, std::size_t n, const std::uint32_t* octaves,
                            std::uint32_t* bins) noexcept;
  // out[i] = 1 where a value is 1, else 0. True: one of the values is not 0 either.
  using Ones = bool (*)(const std::byte* values, std::size_t n, std::byte* out) noexcept;
  // Copies to memory that is not read again soon. Needs: `to` and n multiples of 64. The thread
  // that wrote calls stream_end() before it tells others.
  using StreamOut = void (*)(const std::byte* from, std::size_t n, std::byte* to) noexcept;
  using StreamEnd = void (*)() noexcept;
  // The CRC-32C of what `crc` is of (0: nothing) and the bytes behind it.
  using Crc32c = std::uint32_t (*)(std::uint32_t crc, const std::byte* data,
                                   std::size_t n) noexcept;
  // The cells that are not 0, of two counts of 32 bits each: where they lie, counted down from
  // `first`, and both counts; returns how many. They are 0 afterwards. Needs: room for
  // kPairsBeyond more of each than these.
  using TakePairs = std::size_t (*)(std::uint64_t* cells, std::size_t n, std::uint32_t first,
                                    std::uint32_t* places, std::uint32_t* low,
                                    std::uint32_t* high) noexcept;
  // Takes the product of `depth` columns of a tile's rows (column after column) and `depth` rows of
  // its columns (row after row) away from the tile at `out`, whose rows are `stride` apart. Every
  // entry is summed alone and in order.
  using SubtractTile = void (*)(const double* rows, const double* columns, std::size_t depth,
                                double* out, std::size_t stride) noexcept;
  // kExactParts parts that are the sum of the terms, exactly. False: no such doubles were found.
  // Needs: finite terms; n <= kExactTerms, a multiple of kExactGrain.
  using ExactParts = bool (*)(const double* terms, std::size_t n, double* parts) noexcept;
  // high[i] + low[i] = a[i] * b[i], or = |a[i] - b[i]|. Needs: no product or square of 2^27 times a
  // value is beyond the largest double.
  using TwoParts = void (*)(const double* a, const double* b, std::size_t n, double* high,
                            double* low) noexcept;
  // Widens [low, high] to the values. False: the size of one is not at most `most`, or it is nan.
  using WidenBounds = bool (*)(const double* values, std::size_t n, double most, double* low,
                               double* high) noexcept;
  // False: a number has bits below the least unit, and nothing is written. Needs: n <= kExactTerms,
  // numbers of at most 2^exponent, which is from kLeastPairExponent to kMostPairExponent.
  using SumPairs = bool (*)(const double* y, const double* p, std::size_t n, int exponent,
                            PairSums* sums) noexcept;
  // Takes pairs of a true and a predicted number apart, in any order of the rows, and widens the
  // bounds to them. False: the size of a number is not at most `most`, or it is nan.
  using SplitPairs = bool (*)(const double* pairs, std::size_t n, double most, double* y, double* p,
                              PairBounds* bounds) noexcept;
  // Two numbers of each row, and 1 where it has none: see MomentTerm in state/moments.hpp. Returns
  // whether a row has none. Needs: finite numbers of at most 1e60.
  using Terms = bool (*)(const double* y, const double* p, std::size_t n, double param,
                         double* first, double* second, double* none) noexcept;
  // Sorts, with as much memory to work in; null where there are no vectors of eight.
  template <class Number>
  using Sort = void (*)(Number* numbers, Number* spare, std::size_t n) noexcept;

  // Runs of equal keys, the highest first, of entries 2 * (key - low) + class that ascend: the
  // score of each (see scores/score_key.hpp), and its rows of class 1 and 0. Returns how many there
  // are. Needs: room for them, and for no more; n < 2^32.
  template <class Entry, class Score>
  using Runs = std::size_t (*)(const Entry* entries, std::size_t n, Entry low, Score* scores,
                               std::uint32_t* positives, std::uint32_t* negatives) noexcept;

  // The number of the text of each row; UINT32_MAX where it is none of these or, in the layouts of
  // offsets, is not below 16 bytes, or as many cannot be read from where it begins. Needs: n is a
  // multiple of kFewTextRows, and at least 16 bytes. Null where there are no vectors of eight
  // words.
  using FindTexts = void (*)(const std::byte* rows, const TextBytes& bytes, std::size_t n,
                             const FewTexts& texts, std::uint32_t* found) noexcept;

  const char* name;
  Classify classify[kClassWidths][kIntTypes];
  Contains contains[kClassWidths];
  Translate translate8;
  Range range[kIntTypes];
  MaskNulls mask_nulls[kClassWidths];
  Combine combine8;   // 8-bit classes to 8-bit codes
  Combine combine16;  // 8-bit classes to 16-bit codes
  Combine combine32;  // 16-bit classes to 32-bit codes
  TallyClasses tally_classes;
  TallyFew tally4;  // 4, 9 or 16 live codes
  TallyFew tally9;
  TallyFew tally16_few;
  Tally8 tally8;
  Tally16 tally16;
  Tally32 tally32;
  AddWeights add_weights;
  Keys keys32;  // of float
  Keys keys64;  // of double
  UnitBins unit_bins32;
  UnitBins unit_bins64;
  Ones ones[4];  // of integers of 1, 2, 4 and 8 bytes
  Ones ones32;   // of float
  Ones ones64;   // of double
  StreamOut stream_out;
  StreamEnd stream_end;
  Crc32c crc32c;
  TakePairs take_pairs;
  ExactParts exact_parts;
  TwoParts two_products;
  TwoParts distances;
  WidenBounds widen_bounds;
  SumPairs sum_pairs;
  SplitPairs split_pairs;
  Terms terms[kTermKinds];  // in the order of MomentTerm
  Sort<std::uint32_t> sort32;
  Sort<std::uint64_t> sort64;
  Runs<std::uint32_t, float> runs32;
  Runs<std::uint64_t, double> runs64;
  FindTexts find_texts[3];  // in the order of TextLayout
  SubtractTile subtract_tile;
  std::size_t tile_rows;     // at most kMostTileRows
  std::size_t tile_columns;  // at most kMostTileColumns
};

// The best set this machine can run, or the one named by the environment variable CONFMAT_ISA
// (base, avx2, avx512) if the machine can run it. Decided once.
const Kernels& kernels() noexcept;

// Every set this machine can run, slowest first.
std::span<const Kernels* const> runnable_kernels() noexcept;

}  // namespace confmat
