// The columns that the fake host hands over.
#include <algorithm>
#include <limits>
#include <numeric>

#include "support/fake_host.hpp"

namespace confmat::host {
namespace {

template <class T>
void put(Bytes& out, const T& value) {
  const auto* from = reinterpret_cast<const std::uint8_t*>(&value);
  out.insert(out.end(), from, from + sizeof(T));
}

void put_bit(Bytes& out, std::size_t at, bool bit) {
  if (out.size() <= at / 8) out.resize(at / 8 + 1);
  if (bit) out[at / 8] = static_cast<std::uint8_t>(out[at / 8] | (1U << (at % 8)));
}

void put_integer(Bytes& out, char format, std::int64_t value) {
  switch (format) {
    case 'c':
    case 'C':
      return put(out, static_cast<std::uint8_t>(value));
    case 's':
    case 'S':
      return put(out, static_cast<std::uint16_t>(value));
    case 'i':
    case 'I':
      return put(out, static_cast<std::uint32_t>(value));
    default:
      return put(out, value);
  }
}

// Calls make(begin, end) for each chunk.
template <class Make>
Series cut(Type type, std::size_t n, const Layout& layout, const Make& make) {
  Series out{std::move(type), {}};
  const auto lengths = layout.chunks.empty() ? std::vector<std::size_t>{n} : layout.chunks;
  std::size_t begin = 0;
  for (const auto length : lengths) {
    out.chunks.push_back(make(begin, begin + length));
    begin += length;
  }
  return out;
}

template <class T>
Array header(const std::vector<std::optional<T>>& values, std::size_t begin, std::size_t end,
             const Layout& layout) {
  Array out;
  out.length = static_cast<std::int64_t>(end - begin);
  out.offset = static_cast<std::int64_t>(layout.offset);
  Bytes bitmap;
  for (std::size_t i = 0; i < layout.offset; ++i) put_bit(bitmap, i, i % 3 != 0);
  for (std::size_t i = begin; i < end; ++i) {
    put_bit(bitmap, layout.offset + i - begin, values[i].has_value());
    out.null_count += values[i] ? 0 : 1;
  }
  const bool present = out.null_count > 0 || layout.bitmap;
  out.buffers.push_back(present ? std::optional(std::move(bitmap)) : std::nullopt);
  if (present && layout.unknown_nulls) out.null_count = -1;
  return out;
}

Bytes views(const Texts& values, std::size_t begin, std::size_t end, std::size_t offset,
            std::vector<Bytes>& blobs) {
  Bytes out(offset * 16, 0x55);
  for (std::size_t i = begin; i < end; ++i) {
    // Nothing promises what lies under a null.
    if (!values[i]) {
      out.insert(out.end(), 16, 0x7F);
      continue;
    }
    const std::string& text = *values[i];
    put(out, static_cast<std::uint32_t>(text.size()));
    if (text.size() <= 12) {
      out.insert(out.end(), text.begin(), text.end());
      out.insert(out.end(), 12 - text.size(), 0);
      continue;
    }
    Bytes& blob = blobs[i % blobs.size()];
    out.insert(out.end(), text.begin(), text.begin() + 4);
    put(out, static_cast<std::uint32_t>(i % blobs.size()));
    put(out, static_cast<std::uint32_t>(blob.size()));
    blob.insert(blob.end(), text.begin(), text.end());
  }
  return out;
}

Array text_array(const Texts& values, std::size_t begin, std::size_t end, const Layout& layout,
                 std::size_t n_blobs) {
  Array out = header(values, begin, end, layout);
  std::vector<Bytes> blobs(n_blobs);
  out.buffers.emplace_back(views(values, begin, end, layout.offset, blobs));
  Bytes sizes;
  for (auto& blob : blobs) {
    put(sizes, static_cast<std::int64_t>(blob.size()));
    out.buffers.emplace_back(std::move(blob));
  }
  out.buffers.emplace_back(std::move(sizes));
  return out;
}

std::size_t width_of(std::string_view format) {
  if (format == "c" || format == "C") return 1;
  if (format == "s" || format == "S") return 2;
  if (format == "i" || format == "I" || format == "f") return 4;
  return format == "l" || format == "L" || format == "g" ? 8 : 16;
}

// The rows asked for, behind `offset` others. Views go on pointing into the same blobs.
Array taken(const Array& from, std::size_t width, const std::vector<std::size_t>& rows,
            std::size_t offset) {
  Array out;
  out.length = static_cast<std::int64_t>(rows.size());
  out.offset = static_cast<std::int64_t>(offset);
  Bytes bitmap((offset + 7) / 8, 0xFF);
  Bytes values(offset * width, 0xEE);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool valid = from.valid(rows[i]);
    put_bit(bitmap, offset + i, false);
    const auto bit = static_cast<std::uint8_t>(1U << ((offset + i) % 8));
    auto& byte = bitmap[(offset + i) / 8];
    byte = static_cast<std::uint8_t>(valid ? byte | bit : byte & ~bit);
    out.null_count += valid ? 0 : 1;
    const auto* value =
        from.buffers[1]->data() + (static_cast<std::size_t>(from.offset) + rows[i]) * width;
    values.insert(values.end(), value, value + width);
  }
  out.buffers.push_back(out.null_count > 0 ? std::optional(std::move(bitmap)) : std::nullopt);
  out.buffers.emplace_back(std::move(values));
  for (std::size_t b = 2; b < from.buffers.size(); ++b) out.buffers.push_back(from.buffers[b]);
  return out;
}

}  // namespace

Series integers(std::string_view format, const Ints& values, const Layout& layout) {
  return cut({std::string(format), "y"}, values.size(), layout, [&](auto begin, auto end) {
    Array out = header(values, begin, end, layout);
    Bytes data;
    for (std::size_t i = 0; i < layout.offset; ++i) put_integer(data, format[0], 0x55);
    for (auto i = begin; i < end; ++i) put_integer(data, format[0], values[i].value_or(0x66));
    out.buffers.emplace_back(std::move(data));
    return out;
  });
}

Series booleans(const Ints& values, const Layout& layout) {
  return cut({"b", "y"}, values.size(), layout, [&](auto begin, auto end) {
    Array out = header(values, begin, end, layout);
    Bytes data;
    for (std::size_t i = 0; i < layout.offset; ++i) put_bit(data, i, i % 2 == 0);
    for (auto i = begin; i < end; ++i) {
      put_bit(data, layout.offset + i - begin, values[i].value_or(1) != 0);
    }
    out.buffers.emplace_back(std::move(data));
    return out;
  });
}

Series floats(std::string_view format, const Doubles& values, const Layout& layout) {
  return cut({std::string(format), "w"}, values.size(), layout, [&](auto begin, auto end) {
    Array out = header(values, begin, end, layout);
    Bytes data(layout.offset * width_of(format), 0xFF);  // nan
    for (auto i = begin; i < end; ++i) {
      const double value = values[i].value_or(std::numeric_limits<double>::quiet_NaN());
      if (format == "f") put(data, static_cast<float>(value));
      if (format == "g") put(data, value);
    }
    out.buffers.emplace_back(std::move(data));
    return out;
  });
}

Series nulls(std::size_t n) {
  const auto length = static_cast<std::int64_t>(n);
  return {{"n", "y"}, {{.length = length, .null_count = length}}};
}

Series texts(const Texts& values, const Layout& layout, std::size_t blobs) {
  return cut({"vu", "y"}, values.size(), layout,
             [&](auto begin, auto end) { return text_array(values, begin, end, layout, blobs); });
}

Series categories(std::string_view format, const Texts& values, const Layout& layout,
                  std::size_t unused) {
  Type type{std::string(format), "y"};
  type.dictionary.push_back({"vu", ""});
  return cut(std::move(type), values.size(), layout, [&](auto begin, auto end) {
    Texts entries;
    for (std::size_t i = 0; i < unused; ++i) entries.emplace_back("unused " + std::to_string(i));
    Ints keys;
    for (auto i = begin; i < end; ++i) {
      if (!values[i]) {
        keys.emplace_back();
        continue;
      }
      const auto at = std::ranges::find(entries, values[i]);
      keys.emplace_back(at - entries.begin());
      if (at == entries.end()) entries.push_back(values[i]);
    }
    Array out = integers(format, keys, {.offset = layout.offset}).chunks[0];
    out.dictionary.push_back(text_array(entries, 0, entries.size(), {.offset = 1}, 2));
    return out;
  });
}

Series enumeration(const std::vector<std::string>& entries, const Texts& values,
                   const Layout& layout) {
  const std::string key = "_PL_ENUM_VALUES2";
  std::string value;
  for (const auto& entry : entries) value += std::to_string(entry.size()) + ";" + entry;
  Bytes metadata;
  put(metadata, std::int32_t{1});
  for (const auto& text : {key, value}) {
    put(metadata, static_cast<std::int32_t>(text.size()));
    metadata.insert(metadata.end(), text.begin(), text.end());
  }
  Type type{"C", "y"};
  type.dictionary.push_back({"vu", ""});
  type.metadata.assign(metadata.begin(), metadata.end());
  const Texts all(entries.begin(), entries.end());
  Ints keys;
  for (const auto& text : values) {
    keys.emplace_back();
    if (text) keys.back() = std::ranges::find(entries, *text) - entries.begin();
  }
  Series out = integers("C", keys, layout);
  out.type = std::move(type);
  for (auto& chunk : out.chunks) {
    chunk.dictionary.push_back(text_array(all, 0, all.size(), {}, 1));
  }
  return out;
}

Series lists(const Series& elements, const std::vector<std::vector<std::size_t>>& groups,
             const Layout& layout) {
  const std::size_t width = width_of(elements.type.format);
  Type type{"+L", "m", {elements.type}};
  return cut(std::move(type), groups.size(), layout, [&](auto begin, auto end) {
    std::vector<std::size_t> rows = {0, 0};  // elements before the first list
    if (elements.chunks[0].length == 0) rows.clear();
    Bytes offsets;
    for (std::size_t i = 0; i < layout.offset; ++i) put(offsets, std::int64_t{0});
    put(offsets, static_cast<std::int64_t>(rows.size()));
    for (auto g = begin; g < end; ++g) {
      rows.insert(rows.end(), groups[g].begin(), groups[g].end());
      put(offsets, static_cast<std::int64_t>(rows.size()));
    }
    Array out{.length = static_cast<std::int64_t>(end - begin),
              .offset = static_cast<std::int64_t>(layout.offset)};
    out.buffers = {std::nullopt, std::move(offsets)};
    out.children.push_back(taken(elements.chunks[0], width, rows, 3));
    return out;
  });
}

Series concatenated(const std::vector<Series>& parts) {
  Series out{parts.at(0).type, {}};
  for (const auto& part : parts) {
    out.chunks.insert(out.chunks.end(), part.chunks.begin(), part.chunks.end());
  }
  return out;
}

}  // namespace confmat::host
