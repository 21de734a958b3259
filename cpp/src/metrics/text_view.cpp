// The symbols that formulas are written with.
#include "confmat/metrics/row.hpp"
#include "confmat/metrics/view.hpp"

namespace confmat::metrics {
namespace {

constexpr Symbol kTp{"\\mathrm{tp}", "tp", Slot::kTp};
constexpr Symbol kFp{"\\mathrm{fp}", "fp", Slot::kFp};
constexpr Symbol kFn{"\\mathrm{fn}", "fn", Slot::kFn};
constexpr Symbol kTn{"\\mathrm{tn}", "tn", Slot::kTn};
constexpr Symbol kTotal{"N", "N", Slot::kTotal};
constexpr Symbol kTrace{"\\operatorname{tr} C", "trace", Slot::kTrace};
constexpr Symbol kClasses{"K", "K", Slot::kClasses};
constexpr Symbol kRow{"r_k", "row", Slot::kRow};
constexpr Symbol kCol{"c_k", "col", Slot::kCol};
constexpr Symbol kDiag{"C_{kk}", "diag", Slot::kDiag};
constexpr Symbol kCell{"C_{ij}", "cell", Slot::kCell};
constexpr Symbol kGap{"|i - j|", "abs(i - j)", Slot::kGap};
constexpr Symbol kRowI{"r_i", "row_i", Slot::kRowI};
constexpr Symbol kColI{"c_i", "col_i", Slot::kColI};
constexpr Symbol kDiagI{"C_{ii}", "diag_i", Slot::kDiagI};
constexpr Symbol kRowJ{"r_j", "row_j", Slot::kRowJ};
constexpr Symbol kColJ{"c_j", "col_j", Slot::kColJ};
constexpr Symbol kDiagJ{"C_{jj}", "diag_j", Slot::kDiagJ};
constexpr Symbol kMostOfRows{"\\left(\\sum_i \\max_j C_{ij}\\right)", "sum_of_row_maxima",
                             Slot::kMostOfRows};
constexpr Symbol kMostOfCols{"\\left(\\sum_j \\max_i C_{ij}\\right)", "sum_of_column_maxima",
                             Slot::kMostOfCols};
constexpr Symbol kLn2{"\\ln 2", "ln(2)", Slot::kOpaque};
constexpr Symbol kShare{"\\tilde\\eta", "share", Slot::kOpaque};
constexpr Symbol kDet{"\\det M", "det(M)", Slot::kOpaque};
constexpr Symbol kSign{"\\operatorname{sign}(\\det M)", "sign(det(M))", Slot::kOpaque};
constexpr Symbol kLogDet{"\\ln|\\det M|", "ln(abs(det(M)))", Slot::kOpaque};
constexpr Symbol kPowerDet{"\\det M_p", "det(M_p)", Slot::kOpaque};
constexpr Symbol kSigma2{"\\sigma_2(M)", "sigma_2(M)", Slot::kOpaque};

thread_local std::array<Symbol, kMostParams> param_symbols{
    {{"p", "p", Slot::kParam}, {"q", "q", Slot::kSecondParam}}};

}  // namespace

ParamScope::ParamScope(const RowFacts& facts) {
  for (std::size_t i = 0; i < facts.params.size(); ++i) {
    param_symbols[i].tex = facts.params[i].symbol.data();
    param_symbols[i].plain = facts.params[i].name.data();
  }
}

std::array<Text, kMostParams> param_texts() {
  return {Trace::leaf(param_symbols[0]), Trace::leaf(param_symbols[1])};
}

TextView::TextView()
    : n(Trace::leaf(kTotal)),
      trace(Trace::leaf(kTrace)),
      k(Trace::leaf(kClasses)),
      ln2(Trace::leaf(kLn2)),
      single(Trace::number(1.0)) {}

Text TextView::det() const { return Trace::leaf(kDet); }
Text TextView::root_of_det() const {
  return Trace::leaf(kSign) * power_of_e(log_abs_det() / (k - 1));
}
Text TextView::log_abs_det() const { return Trace::leaf(kLogDet); }
Text TextView::power_det(Text) const { return Trace::leaf(kPowerDet); }
Text TextView::canonical_correlation() const { return Trace::leaf(kSigma2); }

Text most_of_rows(const TextView&) { return Trace::leaf(kMostOfRows); }
Text most_of_cols(const TextView&) { return Trace::leaf(kMostOfCols); }

Cells<Text> text_cells() {
  return {Trace::leaf(kTp), Trace::leaf(kFp), Trace::leaf(kFn), Trace::leaf(kTn)};
}

ClassOf<Text> text_class() { return {Trace::leaf(kRow), Trace::leaf(kCol), Trace::leaf(kDiag)}; }

CellOf<Text, Text> text_cell() {
  return {.cell = Trace::leaf(kCell),
          .row = Trace::leaf(kRowI),
          .col = Trace::leaf(kColJ),
          .gap = Trace::leaf(kGap),
          .i = {Trace::leaf(kRowI), Trace::leaf(kColI), Trace::leaf(kDiagI)},
          .j = {Trace::leaf(kRowJ), Trace::leaf(kColJ), Trace::leaf(kDiagJ)}};
}

Text text_share() { return Trace::leaf(kShare); }

}  // namespace confmat::metrics
