// Looks at every count, pointer, offset and view of an array before anything is read through it.
#include "confmat/arrow/check.hpp"

#include <string>

#include "confmat/base/bytes.hpp"
#include "confmat/base/error.hpp"

namespace confmat {
namespace {

class Checked {
 public:
  Checked(const ArrowSchema& schema, const ArrowFormat& format, const ArrowArray& array,
          std::string_view argument)
      : schema_(schema), format_(format), array_(array), argument_(argument) {}

  void run() const {
    lengths();
    counts();
    if (array_.length == 0) return;  // Arrow leaves buffers of empty arrays undefined
    validity();
    if (format_.layout == ArrowLayout::kViews) return views();
    if (const std::int64_t data = data_buffers(); data > 1) {
      require(array_.buffers[1] != nullptr, "its buffer 1 is null, for ", array_.length, " rows");
    }
    if (format_.layout == ArrowLayout::kOffsets32) ends<std::int32_t>();
    if (format_.layout == ArrowLayout::kOffsets64) ends<std::int64_t>();
    if (format_.layout == ArrowLayout::kList32) ends<std::int32_t>();
    if (format_.layout == ArrowLayout::kList64) ends<std::int64_t>();
  }

 private:
  template <class... Parts>
  void require(bool holds, const Parts&... parts) const {
    if (!holds) [[unlikely]] {
      fail(parts...);
    }
  }
  template <class... Parts>
  [[noreturn]] void fail(const Parts&... parts) const {
    std::string text = "`" + std::string(argument_) + "` is not a valid Arrow array: ";
    const auto add = [&text](const auto& part) {
      if constexpr (std::is_integral_v<std::decay_t<decltype(part)>>) {
        text += std::to_string(part);
      } else {
        text += part;
      }
    };
    (add(parts), ...);
    throw InputError(text);
  }

  // The number of buffers; at least so many for views.
  [[nodiscard]] std::int64_t data_buffers() const noexcept {
    switch (format_.layout) {
      case ArrowLayout::kNull:
      case ArrowLayout::kOther:
        return 0;
      case ArrowLayout::kFixedList:
      case ArrowLayout::kStruct:
        return 1;
      case ArrowLayout::kOffsets32:
      case ArrowLayout::kOffsets64:
      case ArrowLayout::kViews:
        return 3;
      default:
        return 2;
    }
  }

  void lengths() const {
    require(array_.length >= 0, "its length is ", array_.length);
    require(array_.offset >= 0, "its offset is ", array_.offset);
    require(array_.length <= kMostArrowRows && array_.offset <= kMostArrowRows, "its length is ",
            array_.length, " from ", array_.offset, " on, beyond any memory");
    require(array_.null_count >= -1 && array_.null_count <= array_.length, "it says ",
            array_.null_count, " nulls in ", array_.length, " rows");
  }

  void counts() const {
    const std::int64_t wanted = data_buffers();
    const bool more = format_.layout == ArrowLayout::kViews;
    // Old writers give nulls a buffer of validity.
    const bool enough = format_.layout == ArrowLayout::kNull
                            ? array_.n_buffers >= 0
                            : array_.n_buffers == wanted || (more && array_.n_buffers > wanted);
    require(enough, "it has ", array_.n_buffers, " buffers, wanted ", wanted,
            more ? " or more" : "");
    require(wanted == 0 || array_.buffers != nullptr, "its buffers are null");
    const std::int64_t children = children_of(schema_, format_);
    require(schema_.n_children == children, "its type has ", schema_.n_children,
            " children, wanted ", children);
    require(array_.n_children == schema_.n_children, "it has ", array_.n_children,
            " children, its type ", schema_.n_children);
    require(schema_.n_children == 0 || (schema_.children != nullptr && array_.children != nullptr),
            "its children are null");
    require((schema_.dictionary == nullptr) == (array_.dictionary == nullptr),
            "it is a dictionary array without dictionary, or has one that its type lacks");
  }

  void validity() const {
    if (format_.layout == ArrowLayout::kNull || array_.null_count <= 0) return;
    require(array_.buffers[0] != nullptr, "it has ", array_.null_count,
            " nulls and no buffer of validity");
  }

  // The buffers behind the views and their sizes are looked at with each view.
  void views() const {
    require(array_.buffers[1] != nullptr, "its views are null, for ", array_.length, " rows");
    require(array_.n_buffers == 3 || array_.buffers[array_.n_buffers - 1] != nullptr,
            "the sizes of its buffers are null");
  }

  template <class Offset>
  void ends() const {
    const std::int64_t first = load<Offset>(array_.buffers[1], array_.offset);
    const std::int64_t last = load<Offset>(array_.buffers[1], array_.offset + array_.length);
    require(first >= 0 && first <= last, "its offsets go from ", first, " to ", last);
    const bool text = data_buffers() == 3;
    require(!text || first == last || array_.buffers[2] != nullptr, "its ", last - first,
            " bytes of text are null");
  }

  const ArrowSchema& schema_;
  const ArrowFormat& format_;
  const ArrowArray& array_;
  std::string_view argument_;
};

}  // namespace

void check_array(const ArrowSchema& schema, const ArrowFormat& format, const ArrowArray& array,
                 std::string_view argument) {
  Checked(schema, format, array, argument).run();
}

}  // namespace confmat
