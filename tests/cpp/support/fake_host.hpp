// A host that calls the expression functions as Polars does: it hands over counted copies of its
// columns, forgets them, takes the result through copies of the structs, and checks every promise
// of plugin ABI 0.1 on the way. Memory is sized exactly, so that sanitizers see every overrun.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "confmat/batch/labels.hpp"
#include "plugin/polars_abi.hpp"

namespace confmat::host {

using Bytes = std::vector<std::uint8_t>;

struct Type {
  std::string format;
  std::string name;
  std::vector<Type> children = {};
  std::vector<Type> dictionary = {};  // none or one
  std::string metadata = {};          // as Arrow encodes it; empty: none
  bool operator==(const Type&) const = default;
};

// "+s m[L n, g accuracy]".
std::string shown(const Type& type);

// One chunk, with memory of its own. `buffers` as Arrow orders them; nullopt is a null pointer.
struct Array {
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  std::int64_t offset = 0;
  std::vector<std::optional<Bytes>> buffers = {};
  std::vector<Array> children = {};
  std::vector<Array> dictionary = {};  // none or one

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(length); }
  [[nodiscard]] bool valid(std::size_t i) const;
  [[nodiscard]] std::string text(std::size_t i) const;  // of a view array
  template <class T>
  [[nodiscard]] T value(std::size_t i) const {
    T out;
    std::memcpy(&out, buffers[1]->data() + (static_cast<std::size_t>(offset) + i) * sizeof(T),
                sizeof(T));
    return out;
  }
};

struct Series {
  Type type;
  std::vector<Array> chunks;
};

// How a column is cut. A chunk of no rows is handed over with dangling pointers.
struct Layout {
  std::vector<std::size_t> chunks = {};  // their lengths; empty: one chunk of all rows
  std::size_t offset = 0;                // rows before the first, in each chunk
  bool bitmap = false;                   // a validity bitmap even where nothing is null
  bool unknown_nulls = false;            // null_count is -1 where there is a bitmap
};

using Ints = std::vector<std::optional<std::int64_t>>;
using Doubles = std::vector<std::optional<double>>;
using Texts = std::vector<std::optional<std::string>>;

// `format` is one of c C s S i I l L; b; f g.
Series integers(std::string_view format, const Ints& values, const Layout& layout = {});
Series booleans(const Ints& values, const Layout& layout = {});
Series floats(std::string_view format, const Doubles& values, const Layout& layout = {});
Series nulls(std::size_t n);
// Utf8View; long texts are spread over `blobs` variadic buffers.
Series texts(const Texts& values, const Layout& layout = {}, std::size_t blobs = 2);
// Categorical: every chunk numbers its own dictionary, by first appearance after `unused` entries
// that occur in no row. `format` is that of the keys.
Series categories(std::string_view format, const Texts& values, const Layout& layout = {},
                  std::size_t unused = 0);
// Enum: the same dictionary in every chunk, and metadata that names it.
Series enumeration(const std::vector<std::string>& entries, const Texts& values,
                   const Layout& layout = {});
// One list a group, of the rows of the first chunk of `elements`. `layout` cuts the lists; the
// elements get an offset of their own.
Series lists(const Series& elements, const std::vector<std::vector<std::size_t>>& groups,
             const Layout& layout = {});
// The chunks of all parts, one after the other. Needs: equal types.
Series concatenated(const std::vector<Series>& parts);

// The request that travels as kwargs, of labels and of scores.
struct Request {
  std::vector<std::string> metrics = {"accuracy"};
  std::vector<std::string> score_metrics = {"roc_auc", "average_precision", "ks"};
  std::optional<Labels> labels = std::nullopt;
  std::optional<Labels> positive = std::nullopt;
  std::optional<double> undefined = std::nullopt;
  bool bucket = false;
  bool weighted = false;
  bool keep_empty = false;
  bool nan_drop = false;
  double smoothing = 0.0;
  std::uint8_t bins = 0;  // code of a map; 0: none
};
Labels int_labels(std::vector<std::int64_t> values);
Labels first_labels(std::size_t k);  // 0 to k - 1
Labels text_labels(std::vector<std::string> values);
Bytes packed(const Request& request);
Bytes pickled(const Bytes& value);  // pickle.dumps({"v": value}, protocol=5)
inline Bytes kwargs(const Request& request) { return pickled(packed(request)); }

struct Function {
  const char* name;
  void (*call)(SeriesExport*, std::size_t, const std::uint8_t*, std::size_t, SeriesExport*,
               const CallerContext*);
  void (*field)(const ArrowSchema*, std::size_t, ArrowSchema*, const std::uint8_t*, std::size_t);
};
extern const Function kEncode, kLabelMetrics, kPartial, kMerge;
extern const Function kLabelState, kMergeStates, kStateMetrics;

struct Outcome {
  std::string error;  // empty: success
  Series value;       // one chunk
  [[nodiscard]] bool ok() const { return error.empty(); }
  [[nodiscard]] const Array& array() const { return value.chunks.at(0); }
};

// Plans and calls. Checks that each input was released once, arrays before their export; that the
// error text can be shown; that the result's type is the planned one; that it can be imported.
Outcome run(const Function& function, const std::vector<Series>& inputs, const Bytes& kwargs);

// Input arrays and exports that were handed over and not released, of all calls.
std::int64_t live();

// Whole numbers below `n`, the same on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t bits() { return engine_(); }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace confmat::host
