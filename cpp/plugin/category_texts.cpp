// Keeps the texts of the first codes of some collections of categories while a query runs.
#include "plugin/category_texts.hpp"

#include <algorithm>
#include <chrono>
#include <list>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

namespace confmat::plugin {
namespace {

using Clock = std::chrono::steady_clock;

// What is kept belongs to Python, and must not be let go of after the process ends.
class Kept {
 public:
  static Kept& all() {
    static Kept& kept = *new Kept;
    return kept;
  }

  struct Entry {
    CategoriesName name;
    std::shared_ptr<const CodeTexts> texts;  // null: they are too long
    Clock::time_point since;
  };

  std::optional<Entry> find(const CategoriesName& name) {
    const std::lock_guard lock(mutex_);
    const auto at = std::ranges::find(latest_, name, &Entry::name);
    if (at == latest_.end()) return std::nullopt;
    latest_.splice(latest_.begin(), latest_, at);
    return *at;
  }
  // The longest ones stay.
  void keep(Entry&& entry) {
    constexpr std::size_t kMost = 64;
    std::list<Entry> gone;  // let go of outside the lock: that may wait for Python
    const std::lock_guard lock(mutex_);
    const auto at = std::ranges::find(latest_, entry.name, &Entry::name);
    if (at != latest_.end()) {
      const bool longer = at->texts == nullptr ||
                          (entry.texts != nullptr && at->texts->size() > entry.texts->size());
      if (longer) return;
      gone.splice(gone.begin(), latest_, at);
    }
    latest_.push_front(std::move(entry));
    if (latest_.size() > kMost) gone.splice(gone.begin(), latest_, std::prev(latest_.end()));
  }
  void forget(Clock::time_point before) {
    std::list<Entry> gone;
    const std::lock_guard lock(mutex_);
    for (auto at = latest_.begin(); at != latest_.end();) {
      const auto one = at++;
      if (one->since <= before) gone.splice(gone.begin(), latest_, one);
    }
  }

 private:
  std::mutex mutex_;
  std::list<Entry> latest_;
};

}  // namespace

CodeTexts::CodeTexts(OwnedTexts&& owned) : owner_(std::move(owned.owner)) {
  const std::size_t n = owned.texts.size();
  validity_.resize((n + 7) / 8);
  offsets_.reserve(n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    if (const auto& text = owned.texts[i]) {
      bytes_ += *text;
      validity_[i / 8] = static_cast<std::uint8_t>(validity_[i / 8] | 1U << i % 8);
    } else {
      is_whole_ = false;
    }
    offsets_.push_back(static_cast<std::int64_t>(bytes_.size()));
  }
}

Column CodeTexts::column() const noexcept {
  Column out;
  out.type = DType::kText;
  out.layout = TextLayout::kOffsets64;
  out.length = static_cast<std::int64_t>(size());
  out.data = reinterpret_cast<const std::byte*>(offsets_.data());
  out.stride = sizeof(std::int64_t);
  out.bytes = bytes_.data();
  if (!is_whole_) out.validity = validity_.data();
  return out;
}

std::shared_ptr<const CodeTexts> texts_of(const CategoriesName& name,
                                          std::span<const std::uint32_t> codes) {
  return std::make_shared<const CodeTexts>(ask_for_texts(name, codes));
}

std::shared_ptr<const CodeTexts> texts_of_first(const CategoriesName& name, std::uint32_t n) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 22;
  const auto kept = Kept::all().find(name);
  if (kept && (kept->texts == nullptr || n <= kept->texts->size())) return kept->texts;
  // Codes come one by one: each question is for twice as many as the one before.
  const std::uint32_t known = kept ? static_cast<std::uint32_t>(kept->texts->size()) : 0;
  std::vector<std::uint32_t> codes(std::max(n, std::min(2 * known, kMostKeptCodes)));
  std::iota(codes.begin(), codes.end(), 0U);
  const auto since = Clock::now();
  OwnedTexts owned = ask_for_texts(name, codes);
  const auto end = std::ranges::find_if(owned.texts.begin() + n, owned.texts.end(),
                                        [](const auto& text) { return !text; });
  owned.texts.erase(end, owned.texts.end());
  auto texts = std::make_shared<const CodeTexts>(std::move(owned));
  const bool too_long = texts->bytes() > kMostBytes;
  if (too_long || (texts->is_whole() && texts->size() > 0)) {
    Kept::all().keep({name, too_long ? nullptr : texts, since});
  }
  return texts;
}

void forget_texts() noexcept {
  constexpr std::chrono::milliseconds kJustNow{20};
  Kept::all().forget(Clock::now() - kJustNow);
}

}  // namespace confmat::plugin
