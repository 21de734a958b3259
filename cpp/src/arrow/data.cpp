// Takes streams and arrays from their capsules, and releases them once.
#include "confmat/arrow/data.hpp"

#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/utf8.hpp"

namespace confmat {
namespace {

std::string quoted(std::string_view argument) { return "`" + std::string(argument) + "`"; }

// A stream of our own: released once, whatever happens.
class Stream {
 public:
  Stream(ArrowArrayStream& stream, std::string_view argument)
      : stream_(std::exchange(stream, {})), argument_(argument) {
    if (stream_.release == nullptr) {
      throw InputError(quoted(argument_) + " gave an Arrow stream that was used before");
    }
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (stream_.release != nullptr) stream_.release(&stream_);
  }

  [[nodiscard]] ArrowSchema schema() {
    if (stream_.get_schema == nullptr || stream_.get_next == nullptr) {
      throw InputError(quoted(argument_) + " gave an Arrow stream that cannot be read");
    }
    ArrowSchema schema{};
    check(stream_.get_schema(&stream_, &schema));
    return schema;
  }

  // Without release: there are no more.
  [[nodiscard]] ArrowArray next() {
    ArrowArray array{};
    check(stream_.get_next(&stream_, &array));
    return array;
  }

 private:
  void check(int code) {
    if (code == 0) return;
    const char* said =
        stream_.get_last_error == nullptr ? nullptr : stream_.get_last_error(&stream_);
    const std::string why = said == nullptr ? "the Arrow stream fails with code " +
                                                  std::to_string(code) + " and says no more"
                                            : printable(said);
    throw InputError(quoted(argument_) + " cannot be read: " + why);
  }

  ArrowArrayStream stream_;
  std::string_view argument_;
};

void require_usable(const ArrowSchema& schema, std::string_view argument) {
  if (schema.release == nullptr) {
    throw InputError(quoted(argument) + " gave an Arrow type that was used before");
  }
  if (schema.format == nullptr) {
    throw InputError(quoted(argument) + " has an Arrow type without format");
  }
}

}  // namespace

ArrowData::~ArrowData() {
  for (auto& array : arrays_) {
    if (array.release != nullptr) array.release(&array);
  }
  if (schema_.release != nullptr) schema_.release(&schema_);
}

void ArrowData::read(ArrowArrayStream& stream, std::string_view argument) {
  Stream own(stream, argument);
  schema_ = own.schema();
  require_usable(schema_, argument);
  for (;;) {
    const ArrowArray array = own.next();
    if (array.release == nullptr) return;
    arrays_.push_back(array);
  }
}

void ArrowData::take(ArrowSchema& schema, ArrowArray& array, std::string_view argument) {
  schema_ = std::exchange(schema, {});
  arrays_.push_back(std::exchange(array, {}));
  require_usable(schema_, argument);
  if (arrays_.front().release == nullptr) {
    throw InputError(quoted(argument) + " gave an Arrow array that was used before");
  }
}

}  // namespace confmat
