// What is known of a metric, whatever its rows are of.
#pragma once

#include <string>
#include <vector>

namespace confmat::metrics {

struct ParamFact {
  std::string name;
  double value = 0.0;  // by default; nan: what the one before leaves of 1
  std::string text;
  bool whole = false;
  bool exponent = false;  // takes the names of means
};

struct CommonFact {
  std::string name;
  std::vector<std::string> aliases;
  std::string symbol;   // LaTeX
  std::string formula;  // LaTeX; of tables and classes from the expression that computes it
  double lo = 0, hi = 1;
  std::string better;     // "higher", "lower", "neither"
  std::string summary;    // one sentence in plain words
  std::string undefined;  // when, in words
  std::string reference;  // "Matthews (1975), doi..." as printed
  std::vector<ParamFact> params;
};

}  // namespace confmat::metrics
