// Every published and recomputed number under tests/vectors, and that every row has one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "confmat/metrics/registry.hpp"

namespace confmat::metrics {
namespace {

// The subset of TOML in the vectors: [[case]], [case.section], one `key = value` a line, where a
// value is a number, a word, a string, or a list of numbers, nested or not.
struct Case {
  std::map<std::string, std::string> top;
  std::map<std::string, std::map<std::string, std::string>> sections;

  double number(const std::string& key, double otherwise) const {
    const auto at = top.find(key);
    return at == top.end() ? otherwise : std::strtod(at->second.c_str(), nullptr);
  }
};

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '"')) text.pop_back();
  const std::size_t from = text.find_first_not_of(" \"");
  return from == std::string::npos ? std::string() : text.substr(from);
}

std::vector<Case> read_cases(const std::string& name) {
  std::ifstream file(CONFMAT_TEST_VECTORS + ("/" + name));
  REQUIRE(file.good());
  std::vector<Case> cases;
  std::string section;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line == "[[case]]") {
      cases.emplace_back();
      section.clear();
    } else if (line.rfind("[case.", 0) == 0) {
      section = line.substr(6, line.size() - 7);
    } else {
      const std::size_t equals = line[0] == '"' ? line.find("\" = ") + 2 : line.find('=');
      auto& target = section.empty() ? cases.back().top : cases.back().sections[section];
      target[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
    }
  }
  return cases;
}

template <class T>
std::vector<T> numbers(const std::string& list) {
  std::vector<T> out;
  const char* at = list.c_str();
  while (*at != '\0') {
    if (*at == '[' || *at == ']' || *at == ',' || *at == ' ') {
      ++at;
      continue;
    }
    char* end = nullptr;
    if constexpr (std::is_integral_v<T>) {
      out.push_back(std::strtoll(at, &end, 10));
    } else {
      out.push_back(std::strtod(at, &end));
    }
    REQUIRE(end != at);
    at = end;
  }
  return out;
}

struct Loaded {
  std::vector<std::int64_t> counts;
  std::vector<double> weights;
  Table table;
  Options options;
};

Loaded load(const Case& from) {
  Loaded out;
  if (const auto at = from.top.find("counts"); at != from.top.end()) {
    out.counts = numbers<std::int64_t>(at->second);
  }
  if (const auto at = from.top.find("weights"); at != from.top.end()) {
    out.weights = numbers<double>(at->second);
  }
  const std::size_t cells = out.counts.size() + out.weights.size();
  out.table.k = std::llround(std::sqrt(static_cast<double>(cells)));
  out.table.counts = out.counts.empty() ? nullptr : out.counts.data();
  out.table.weights = out.weights.empty() ? nullptr : out.weights.data();
  out.options.pos = std::llround(from.number("pos", -1));
  out.options.smoothing = from.number("smoothing", 0.0);
  if (from.top.contains("undefined")) out.options.undefined = from.number("undefined", 0.0);
  return out;
}

bool close(double got, double wanted, const Case& to) {
  if (std::isnan(wanted)) return std::isnan(got);
  if (got == wanted) return true;
  const double room = to.number("atol", 0.0) + to.number("rtol", 0.0) * std::fabs(wanted);
  // Printed digits were rounded: let them be off by their last half unit, and one bit.
  return std::fabs(got - wanted) <= room + 4e-16 * std::min(1.0, std::fabs(wanted));
}

double value_of(const std::string& name, const Table& table, const Options& options) {
  const Ask ask = parse(name);
  double out = 0.0;
  values({&ask, 1}, table, options, &out);
  return out;
}

void check_vectors(const Case& of, const Table& table) {
  const auto section = of.sections.find("vectors");
  if (section == of.sections.end()) return;
  for (const auto& [name, text] : section->second) {
    const std::vector<double> wanted = numbers<double>(text);
    std::vector<double> got;
    if (name == "singular_values") got = singular_values(table);
    if (name == "eve_eigenvalues") got = eve_eigenvalues(table);
    if (name == "eve_bounds") got = {eve_bounds(table).first, eve_bounds(table).second};
    if (name == "pair_counts") {
      for (const std::int64_t count : pair_counts(table)) got.push_back(static_cast<double>(count));
    }
    REQUIRE(got.size() == wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      CHECK_MESSAGE(close(got[i], wanted[i], of), name, "[", i, "] = ", got[i], " not ", wanted[i]);
    }
  }
}

void check_case(const Case& of) {
  const Loaded loaded = load(of);
  INFO(of.top.at("name"));
  for (const auto& [name, text] : of.sections.at("values")) {
    const double wanted = std::strtod(text.c_str(), nullptr);
    const double got = value_of(name, loaded.table, loaded.options);
    CHECK_MESSAGE(close(got, wanted, of), name, " = ", doctest::toString(got), " not ", text,
                  ", off by ", got / wanted - 1);
  }
  check_vectors(of, loaded.table);
  if (const auto section = of.sections.find("of_balanced"); section != of.sections.end()) {
    const std::vector<double> cells = balanced(loaded.table);
    for (const auto& [name, text] : section->second) {
      const double wanted = std::strtod(text.c_str(), nullptr);
      const double got = value_of(name, {loaded.table.k, nullptr, cells.data()}, {});
      CHECK_MESSAGE(close(got, wanted, of), name, " = ", got, " not ", wanted);
    }
  }
}

}  // namespace

TEST_CASE("metrics: published numbers") {
  const auto cases = read_cases("metrics_published.toml");
  CHECK(cases.size() >= 17);
  for (const Case& each : cases) check_case(each);
}

TEST_CASE("metrics: recomputed numbers of every row") {
  const auto cases = read_cases("metrics_rows.toml");
  CHECK(cases.size() >= 18);
  for (const Case& each : cases) check_case(each);
}

TEST_CASE("metrics: recomputed numbers of the wider catalogue") {
  const auto cases = read_cases("metrics_catalogue.toml");
  CHECK(cases.size() >= 7);
  for (const Case& each : cases) check_case(each);
}

TEST_CASE("metrics: every listed name has a vector, class metrics one with four distinct cells") {
  std::set<std::string> seen, distinct;
  std::vector<Case> cases = read_cases("metrics_rows.toml");
  for (const Case& each : read_cases("metrics_catalogue.toml")) cases.push_back(each);
  for (const Case& each : cases) {
    const Loaded loaded = load(each);
    const std::set<std::int64_t> cells(loaded.counts.begin(), loaded.counts.end());
    for (const auto& [name, text] : each.sections.at("values")) {
      seen.insert(name);
      if (cells.size() == 4 && loaded.table.k == 2) distinct.insert(name);
    }
  }
  for (const Fact& fact : facts()) {
    CHECK_MESSAGE(seen.contains(fact.name), fact.name, " has no vector");
    if (fact.level != "class") continue;
    CHECK_MESSAGE(distinct.contains(fact.name), fact.name, " has no vector of distinct cells");
  }
}

}  // namespace confmat::metrics
