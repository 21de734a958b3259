// The loops of one instruction set: included once by each file built with its own flags. All of it
// has internal linkage and calls no inline function shared with other files, so the linker can
// never pick a version compiled for a newer processor.
// Needs: CONFMAT_ISA, the name of this instruction set.
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "confmat/kernels/table.hpp"
#include "isa_tables.hpp"

namespace confmat {
namespace {

// clang-format off: the others need it
#include "reals.inl.hpp"
// clang-format on
#include "checksum.inl.hpp"
#include "class_pairs.inl.hpp"
#include "classify.inl.hpp"
#include "exact.inl.hpp"
#include "few_texts.inl.hpp"
#include "keys.inl.hpp"
#include "lanes.inl.hpp"
#include "logarithm.inl.hpp"
#include "ones.inl.hpp"
#include "pair_counts.inl.hpp"
#include "pairs.inl.hpp"
#include "products.inl.hpp"
#include "runs.inl.hpp"
#include "sort.inl.hpp"
#include "tally.inl.hpp"
#include "terms.inl.hpp"
#include "unit_bins.inl.hpp"
#include "weights.inl.hpp"

#define CONFMAT_TEXT_OF(name) #name
#define CONFMAT_NAME_OF(name) CONFMAT_TEXT_OF(name)

}  // namespace

// clang-format off
#define CONFMAT_CLASSIFY(Class)                                                                  \
  {classify<std::int8_t, Class>,   classify<std::int16_t, Class>, classify<std::int32_t, Class>, \
   classify<std::int64_t, Class>,  classify<std::uint8_t, Class>, classify<std::uint16_t, Class>, \
   classify<std::uint32_t, Class>, classify<std::uint64_t, Class>}
// clang-format on

namespace CONFMAT_ISA {
const Kernels kTable = {
    .name = CONFMAT_NAME_OF(CONFMAT_ISA),
    .classify = {CONFMAT_CLASSIFY(std::uint8_t), CONFMAT_CLASSIFY(std::uint16_t),
                 CONFMAT_CLASSIFY(std::uint32_t)},
    .contains = {contains<std::uint8_t>, contains<std::uint16_t>, contains<std::uint32_t>},
    .translate8 = translate8,
    .range = {range<std::int8_t>, range<std::int16_t>, range<std::int32_t>, range<std::int64_t>,
              range<std::uint8_t>, range<std::uint16_t>, range<std::uint32_t>,
              range<std::uint64_t>},
    .mask_nulls = {mask_nulls<std::uint8_t>, mask_nulls<std::uint16_t>, mask_nulls<std::uint32_t>},
    .combine8 = combine<std::uint8_t, std::uint8_t>,
    .combine16 = combine<std::uint8_t, std::uint16_t>,
    .combine32 = combine<std::uint16_t, std::uint32_t>,
    .tally_classes = kTallyClasses,
    .tally4 = tally_few<4>,
    .tally9 = tally_few<9>,
    .tally16_few = tally_few<16>,
    .tally8 = tally8,
    .tally16 = tally16,
    .tally32 = tally32,
    .add_weights = add_weights,
    .keys32 = order_keys<std::uint32_t>,
    .keys64 = order_keys<std::uint64_t>,
    .unit_bins32 = unit_bins<std::uint32_t, float>,
    .unit_bins64 = unit_bins<std::uint64_t, double>,
    .ones = {ones<std::uint8_t, std::uint8_t>, ones<std::uint16_t, std::uint16_t>,
             ones<std::uint32_t, std::uint32_t>, ones<std::uint64_t, std::uint64_t>},
    .ones32 = ones<float, std::uint32_t>,
    .ones64 = ones<double, std::uint64_t>,
    .stream_out = stream_out,
    .stream_end = stream_end,
    .crc32c = crc32c,
    .take_pairs = take_pairs,
    .exact_parts = exact_parts,
    .two_products = two_products,
    .distances = distances,
    .widen_bounds = widen_bounds,
    .sum_pairs = sum_pairs,
    .split_pairs = split_pairs,
    .terms = {terms<PercentageTerm>, terms<SymmetricTerm>, terms<LogarithmsTerm>,
              terms<PoissonTerm>, terms<GammaTerm>, terms<HuberTerm>},
    .sort32 = kSort32,
    .sort64 = kSort64,
    .runs32 = runs<std::uint32_t, float>,
    .runs64 = runs<std::uint64_t, double>,
    .find_texts = {kFindSlices32, kFindSlices64, kFindViews},
    .subtract_tile = subtract_tile,
    .tile_rows = kTileRows,
    .tile_columns = kTileColumns,
};
}  // namespace CONFMAT_ISA
}  // namespace confmat
