// A ring of errors under a lock.
#include "confmat/base/refusals.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>

namespace confmat {
namespace {

// More than there are threads that fail at once, on large machines too: each may name a row.
constexpr std::size_t kRefusals = 256;

struct Refusal {
  ToldText told{};
  std::exception_ptr error;
  std::uint64_t number = 0;

  [[nodiscard]] std::string_view text() const noexcept { return told.data(); }
};

struct Refusals {
  std::mutex mutex;
  std::array<Refusal, kRefusals> all;
  std::uint64_t last = 0;

  // Never destroyed: threads of the host may fail when the process ends.
  static Refusals& kept() noexcept {
    alignas(Refusals) static std::array<std::byte, sizeof(Refusals)> room;
    static Refusals& refusals = *new (room.data()) Refusals;
    return refusals;
  }
};

}  // namespace

void keep_refusal(const ToldText& told, const std::exception_ptr& error) noexcept {
  Refusals& kept = Refusals::kept();
  const std::string_view text = told.data();
  std::exception_ptr other = error;  // let go of behind the lock
  const std::lock_guard lock(kept.mutex);
  auto* place = std::ranges::find(kept.all, text, &Refusal::text);
  if (place == kept.all.end()) place = std::ranges::min_element(kept.all, {}, &Refusal::number);
  place->told = told;
  place->number = ++kept.last;
  std::swap(place->error, other);
}

std::exception_ptr refusal_in(std::string_view message) noexcept {
  Refusals& kept = Refusals::kept();
  const std::lock_guard lock(kept.mutex);
  const Refusal* longest = nullptr;
  for (const Refusal& each : kept.all) {
    const std::size_t least = longest == nullptr ? 0 : longest->text().size();
    if (each.text().size() > least && message.find(each.text()) != message.npos) longest = &each;
  }
  return longest == nullptr ? nullptr : longest->error;
}

}  // namespace confmat
