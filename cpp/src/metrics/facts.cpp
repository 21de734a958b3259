// facts(): every listed value name, from the facts and the traced formula of its row.
#include <string>
#include <utility>
#include <vector>

#include "confmat/metrics/catalogue.hpp"
#include "row_fact.hpp"

namespace confmat::metrics {
namespace {

std::string better_text(Better better) {
  if (better == Better::kHigher) return "higher";
  return better == Better::kLower ? "lower" : "neither";
}

std::string shape_text(Shape shape) {
  switch (shape) {
    case Shape::kMonotone:
      return "monotone";
    case Shape::kLinear:
      return "linear";
    case Shape::kAssociation:
      return "association";
    case Shape::kDome:
      return "dome";
    case Shape::kFree:
      break;
  }
  return "free";
}

std::string latex_of(const Written& formula) {
  const Trace trace;
  return trace.latex(formula());
}

std::string denominators_of(const Written& formula) {
  const Trace trace;
  return trace.denominators(formula());
}

// The cells of one class among several: "\\mathrm{tp}" becomes "\\mathrm{tp}_k".
std::string subscripted(const std::string& formula, std::string_view subscript) {
  std::string out;
  for (std::size_t i = 0; i < formula.size(); ++i) {
    out += formula[i];
    const std::string_view tail =
        std::string_view(out).substr(out.size() < 11 ? 0 : out.size() - 11);
    for (const char* cell : {"\\mathrm{tp}", "\\mathrm{fp}", "\\mathrm{fn}", "\\mathrm{tn}"}) {
      if (tail == cell) {
        out += subscript;
        break;
      }
    }
  }
  return out;
}

std::string averaged_latex(const Row& base, Average average) {
  const std::string plain = latex_of(base.text);
  const std::string inner = average == Average::kMicro
                                ? plain
                                : subscripted(plain, average == Average::kOvo ? "_{ij}" : "_k");
  const Suffix& suffix = suffix_of(average);
  return std::string(suffix.before).append(inner).append(suffix.after);
}

std::string formula_of(const Catalogue& all, const Row& row) {
  const ParamScope scope(row.facts);
  if (row.kind != Kind::kAveraged) {
    std::string formula = latex_of(row.text);
    if (!row.facts.of_two.empty()) {
      formula += ";\\ K = 2:\\ ";
      formula += row.facts.of_two;
    }
    return formula;
  }
  std::string mean = averaged_latex(all.base(row), row.average);
  if (row.text_post == nullptr) return mean;
  const Symbol symbol{mean.c_str(), "mean", Slot::kOpaque};
  const Symbol used{"K", "K", Slot::kOpaque};
  const Trace trace;
  return trace.latex(row.text_post(Trace::leaf(symbol), Trace::leaf(used)));
}

std::string undefined_of(const Row& row) {
  if (!row.facts.undefined.empty()) return std::string(row.facts.undefined);
  if (row.kind == Kind::kAveraged) return "no class has a value";
  const ParamScope scope(row.facts);
  return denominators_of(row.text);
}

std::string mirrored(std::string_view partner, const std::string& self) {
  return partner == "=" ? self : std::string(partner);
}

std::string level_of(const Row& row, Average average) {
  if (average != Average::kNone) return "average";
  return row.kind == Kind::kBinary ? "class" : "overall";
}

Fact fact_of(const Catalogue& all, const Row& row) {
  const RowFacts& from = row.facts;
  auto fact = row_fact<Fact>(from);
  fact.aliases = all.aliases_of(row, Average::kNone);
  fact.formula = formula_of(all, row);
  fact.better = better_text(from.better);
  fact.level = level_of(row, Average::kNone);
  fact.base = from.name;
  fact.of_many = from.of_many;
  fact.undefined = undefined_of(row);
  fact.transpose_invariant = from.transpose == "=";
  if (!fact.transpose_invariant) fact.transpose_partner = from.transpose;
  fact.swap_partner = mirrored(from.swap, fact.name);
  fact.relabel_invariant = row.kind != Kind::kBinary && from.relabel;
  fact.perfect_is_best = from.perfect;
  fact.scale_invariant = from.scale;
  fact.shape = shape_text(from.shape);
  fact.edges = from.edges;
  return fact;
}

std::string averaged_summary(const RowFacts& facts, Average average) {
  const std::string_view name = facts.name;
  std::string out = "The ";
  switch (average) {
    case Average::kMicro:
      out += name;
      return out + " of the cells of all classes summed.";
    case Average::kWeighted:
      out += "mean over the classes of ";
      out += name;
      return out + ", weighted by true support.";
    case Average::kOvo:
      out += "mean of ";
      out += name;
      return out + " over all ordered pairs of classes, the first one positive.";
    default:
      out += "mean over the classes of ";
      out += name;
      return out + ", every class weighing the same.";
  }
}

Fact averaged_fact(const Catalogue& all, const Row& row, Average average) {
  const ParamScope scope(row.facts);
  Fact fact = fact_of(all, row);
  const std::string suffix(suffix_of(average).text);
  fact.name = all.name_of(row, average);
  fact.aliases = all.aliases_of(row, average);
  fact.symbol = "{";
  fact.symbol += row.facts.symbol;
  fact.symbol += "}^{\\mathrm{" + suffix + "}}";
  fact.formula = averaged_latex(row, average);
  fact.level = level_of(row, average);
  fact.average = suffix;
  fact.summary = averaged_summary(row.facts, average);
  fact.undefined = average == Average::kMicro ? "for the summed cells: " + fact.undefined
                   : average == Average::kOvo ? "no pair of classes has a value"
                                              : "no class has a value";
  fact.of_many.clear();
  fact.swap_partner.clear();
  fact.relabel_invariant = true;
  // What is right of one class is right of the other.
  if (row.facts.shape != Shape::kMonotone) fact.shape = shape_text(Shape::kFree);
  // Pooled over the classes, fp = fn. Supports are those of the truth, so a weighted mean has no
  // twin when the two sides change, unless they cancel.
  if (average == Average::kMicro) fact.transpose_invariant = true;
  if (average == Average::kWeighted) fact.transpose_invariant = row.facts.over_support;
  if (average == Average::kWeighted || fact.transpose_invariant) {
    fact.transpose_partner.clear();
  } else if (const Entry* partner = all.find(row.facts.transpose); partner != nullptr) {
    fact.transpose_partner = all.name_of(all.row(partner->row), average);
  }
  return fact;
}

// Calls visit(row, average) for every listed value name, in order.
template <class Visit>
void each_listed(std::span<const Row> rows, Visit visit) {
  for (const Row& row : rows) {
    visit(row, Average::kNone);
    for (const Suffix& suffix : suffixes()) {
      if (suffix.listed && allows(row, suffix.average)) visit(row, suffix.average);
    }
  }
}

std::vector<Fact> facts_of(std::span<const Row> rows) {
  const Catalogue& all = catalogue();
  std::vector<Fact> out;
  each_listed(rows, [&](const Row& row, Average average) {
    const bool is_mean = average != Average::kNone;
    out.push_back(is_mean ? averaged_fact(all, row, average) : fact_of(all, row));
  });
  return out;
}

}  // namespace

const std::vector<Fact>& facts() {
  static const std::vector<Fact> all = facts_of(catalogue().rows());
  return all;
}

std::vector<Fact> own_facts(std::string_view definition) {
  return facts_of({&own_row(own_row_of(definition)), 1});
}

std::vector<std::pair<std::string, std::string>> levels() {
  const Catalogue& all = catalogue();
  std::vector<std::pair<std::string, std::string>> out;
  each_listed(all.rows(), [&](const Row& row, Average average) {
    out.emplace_back(all.name_of(row, average), level_of(row, average));
  });
  return out;
}

}  // namespace confmat::metrics
