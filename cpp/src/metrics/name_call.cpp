// Names with numbers in brackets, read.
#include "name_call.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/shown.hpp"
#include "confmat/metrics/suffixes.hpp"
#include "name_text.hpp"

namespace confmat::metrics {
namespace {

// A number, or the name of a mean where the parameter is the exponent of one.
std::optional<double> read_number(std::string_view text, const Param& param) {
  const auto named = param.exponent ? exponent_named(text) : std::nullopt;
  return named ? named : number_in(text);
}

bool is_in_range(double value, const Param& param) {
  return value >= param.least && value <= param.most &&
         (!param.whole || value == std::floor(value)) &&
         !(param.above_least && value == param.least) && !(param.below_most && value == param.most);
}

std::string range_of_param(const Param& param, std::string_view before) {
  std::string out(param.name);
  out += param.whole ? ", a whole number " : ", a number ";
  out += param.above_least ? "above " : "from ";
  out += shown_number(param.least);
  out += param.below_most ? " and below " : param.above_least ? " and at most " : " to ";
  out += shown_number(param.most);
  if (std::isnan(param.value) && !before.empty()) {
    out += " (1 - ";
    out += before;
    out += " where it is not given)";
  }
  return out;
}

[[noreturn]] void refuse_params(const Call& call, Params params) {
  std::string message = quoted(call.asked);
  message += params.size() > 1 ? ": the parameters must be " : ": the parameter must be ";
  std::string_view before;
  for (const Param& param : params) {
    if (!before.empty()) message += ", and ";
    message += range_of_param(param, before);
    before = param.name;
  }
  throw InputError(message);
}

[[noreturn]] void refuse_without(const Call& call, const Param& param) {
  std::string message = quoted(call.name) + " takes ";
  message.append(param.name).append(", ").append(param.text);
  message.append("; give it, as in '").append(call.name).append("(2)'");
  throw InputError(message);
}

// Brackets without an end, or in the middle of a name: "fbeta(2)_macro".
[[noreturn]] void refuse_end(const Call& call, std::size_t close) {
  if (close == std::string_view::npos) {
    throw InputError(quoted(call.asked) + ": a closing ')' is missing");
  }
  const std::string_view rest = trimmed(call.brackets.substr(close + 1));
  std::string message = quoted(call.asked) + ": its brackets must be the end of the name";
  if (rest.starts_with('_') && rest.find_first_of("()") == std::string_view::npos) {
    const std::string_view brackets = call.brackets.substr(0, close + 1);
    message += "; did you mean " + quoted(std::string(call.name).append(rest).append(brackets));
    message += '?';
  }
  throw InputError(message);
}

// Which parameter "beta = 2" names; else that at this place.
std::size_t place_of_param(std::string_view piece, std::size_t place, Params params) {
  const std::size_t equals = piece.find('=');
  if (equals == std::string_view::npos) return place;
  const auto name = trimmed(piece.substr(0, equals));
  return static_cast<std::size_t>(std::ranges::find(params, name, &Param::name) - params.begin());
}

// Those given; nan for the others.
std::vector<double> given_in(const Call& call, Params params) {
  std::vector<double> out(params.size(), kRestOfOne);
  if (call.brackets.empty()) return out;
  if (const std::size_t close = call.brackets.find(')'); close + 1 != call.brackets.size()) {
    refuse_end(call, close);
  }
  if (params.empty()) throw InputError(quoted(call.name) + " takes no parameter");
  std::string_view rest = call.brackets.substr(1);
  for (std::size_t i = 0; !rest.empty(); ++i) {
    const std::size_t end = rest.find(',') < rest.size() ? rest.find(',') : rest.size() - 1;
    const std::string_view piece = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    const std::size_t at = place_of_param(piece, i, params);
    if (at >= params.size() || !std::isnan(out[at])) refuse_params(call, params);
    const auto value = read_number(trimmed(piece.substr(piece.find('=') + 1)), params[at]);
    if (!value || !is_in_range(*value, params[at])) refuse_params(call, params);
    out[at] = *value + 0.0;
  }
  return out;
}

}  // namespace

Call call_in(std::string_view text) {
  const std::string_view asked = trimmed(text);
  const std::size_t open = std::min(asked.find('('), asked.size());
  return {asked, trimmed(asked.substr(0, open)), asked.substr(open)};
}

std::vector<double> params_in(const Call& call, Params params) {
  std::vector<double> out = given_in(call, params);
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (!std::isnan(out[i])) continue;
    if (i == 0 && std::isnan(params[i].value)) refuse_without(call, params[i]);
    out[i] = std::isnan(params[i].value) ? 1 - out[i - 1] : params[i].value;
    if (!is_in_range(out[i], params[i])) refuse_params(call, params);
  }
  return out;
}

double param_in(const Call& call, Params params) {
  const std::vector<double> found = params_in(call, params);
  return found.empty() ? 0.0 : found.front();
}

}  // namespace confmat::metrics
