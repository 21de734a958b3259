// The arguments of expressions: the pickle around them and the message inside.
#include <cstring>
#include <string>

#include "confmat/base/bytes.hpp"
#include "confmat/base/error.hpp"
#include "confmat/evaluate/spec.hpp"
#include "plugin/kwargs.hpp"
#include "plugin_requests.hpp"
#include "target.hpp"

namespace confmat::fuzz {
namespace {

template <class Parse>
void attempt(const Parse& parse) {
  try {
    parse();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): what wrong bytes deserve
  } catch (const StateError&) {  // NOLINT(bugprone-empty-catch)
  }
}

void parse(std::span<const std::uint8_t> message) {
  attempt([&] {
    const Spec spec = parse_spec(message);
    require(!spec.positive || spec.positive->size() == 1, "one positive label");
    require(spec.labels.has_value() + spec.found.has_value() <= 1, "one set of labels");
    if (spec.labels) static_cast<void>(positive_in(spec, *spec.labels));
  });
}

void run(std::span<const std::uint8_t> bytes) {
  attempt([&] { parse(plugin::unwrap_kwargs(bytes)); });
  parse(bytes);
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  for (const Bytes& message : requests()) {
    out.push_back(message);
    out.push_back(pickled(message));
  }
  for (const Bytes& message : score_requests()) {
    out.push_back(message);
    out.push_back(pickled(message));
  }
  return out;
}

const Target kTarget("plugin_kwargs", run, seeds);

}  // namespace
}  // namespace confmat::fuzz
