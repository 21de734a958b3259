// The table of maps: names, codes, numbers of bins and where each begins.
#include "confmat/scores/bin_map.hpp"

#include "confmat/base/error.hpp"

namespace confmat {

BinMap BinMap::of_number(std::uint32_t bins) {
  if (bins < 2 || bins > kMostBins || !std::has_single_bit(bins)) {
    throw InputError("`bins` is " + std::to_string(bins) + "; wanted a power of two from 2 to " +
                     std::to_string(kMostBins) + ", or edges");
  }
  return BinMap(static_cast<std::uint8_t>(std::countr_zero(bins)));
}

BinMap BinMap::of_name(std::string_view name) {
  if (name == "unit") return BinMap(kUnit);
  if (name == "float16") return BinMap(kHalf);
  if (name.size() == 6 && name.starts_with("unit/") && name[5] >= '1' &&
      name[5] <= static_cast<char>('0' + kMostUnitLevel)) {
    return unit(static_cast<unsigned>(name[5] - '0'));
  }
  throw InputError("`bins` is \"" + std::string(name) + R"("; wanted "unit" or "float16")");
}

std::optional<BinMap> BinMap::of_code(std::uint8_t code) noexcept {
  if (code == 0 || code > kUnit + kMostUnitLevel) return std::nullopt;
  return BinMap(code);
}

std::string BinMap::name() const {
  if (code_ == kUnit) return "unit";
  if (code_ > kUnit) return "unit/" + std::to_string(code_ - kUnit);
  if (code_ == kHalf) return "float16";
  return std::to_string(1U << code_);
}

std::vector<double> BinMap::lower() const {
  std::vector<double> out;
  bins<std::uint64_t>([&](const auto& map) {
    for (std::size_t bin = 0; bin < map.size(); ++bin) out.push_back(map.lower(bin));
  });
  return out;
}

}  // namespace confmat
