// What needs every cell of a table, and is not computed where a sparse one has too many.
#include <cmath>
#include <cstdio>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/metrics/evaluate.hpp"

namespace confmat::metrics {
namespace {

// `of_2000`: seconds that it takes for 2,000 classes on two cores, and `power` how that grows.
std::string too_many_cells(std::int64_t k, double of_2000, int power) {
  const double cells = static_cast<double>(k) * static_cast<double>(k);
  const double minutes = of_2000 * std::pow(static_cast<double>(k) / 2000, power) / 60;
  const bool in_hours = minutes > 90;
  char cost[96];
  std::snprintf(cost, sizeof cost, "%.3g GB and about %.0f %s", cells * 8e-9,
                std::ceil(in_hours ? minutes / 60 : minutes), in_hours ? "hours" : "minutes");
  return "over " + std::to_string(kMostTableClasses) + " classes: not computed, as all cells of " +
         std::to_string(k) + " are needed, " + cost +
         "; count fewer classes with labels= and other=\"bucket\"";
}

std::string too_many_cells(const Row& row, std::int64_t k) {
  if (!row.facts.decomposed) return too_many_cells(k, 0.16, 2);
  return too_many_cells(k, row.facts.degenerate ? 0.67 : 7, 3);
}

// Of the classes that an ask is over, which it cannot have all pairs of.
const Margins* beyond(const Ask& ask, Session& session) {
  const Row& row = catalogue().row(ask.row);
  const auto average =
      row.kind == Kind::kAveraged ? row.average : static_cast<Average>(ask.average);
  const Margins* of = row.facts.decomposed       ? &session.kept()
                      : average == Average::kOvo ? &session.averaged()
                                                 : nullptr;
  return of == nullptr || of->has_table() ? nullptr : of;
}

}  // namespace

bool is_refused(const Ask& ask, Session& session) { return beyond(ask, session) != nullptr; }

void require_table(const Margins& of) {
  if (!of.has_table()) throw InputError(too_many_cells(of.k, 7, 3));
}

std::string refusal(const Ask& ask, const Table& table, const Options& options) {
  if (!table.is_sparse) return "";
  Session session(table, options);
  const Margins* of = beyond(ask, session);
  if (of == nullptr) return "";
  return ask.name + " of " + too_many_cells(catalogue().row(ask.row), of->k);
}

std::string refusal_in(const Ask& ask, Session& session) {
  const Margins* of = beyond(ask, session);
  if (of == nullptr) return "";
  return too_many_cells(catalogue().row(ask.row), of->k);
}

}  // namespace confmat::metrics
