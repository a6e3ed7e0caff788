// A .safetensors file: the length of the header (8 bytes, least significant first), the header as
// JSON, {"0.weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}, then the values.
#include "array_file.hpp"

#include "lanes/base/error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace lanes::nn {

namespace {

using nlohmann::json;
constexpr std::size_t length_bytes = 8;

[[noreturn]] void damaged(const FileContext& file, const std::string& name,
                          const std::string& what) {
    throw Error(file.text(), name.empty() ? "" : ", tensor \"" + name + "\"", ": ", what,
                ". The file is damaged: get it again.");
}

json header_of(const FileContext& file, const std::vector<unsigned char>& bytes) {
    std::size_t length = 0;
    if (bytes.size() < length_bytes)
        damaged(file, "", "it has only " + std::to_string(bytes.size()) + " bytes");
    for (std::size_t i = 0; i < length_bytes; ++i) length |= std::size_t{bytes[i]} << (8 * i);
    if (length > bytes.size() - length_bytes)
        damaged(file, "",
                "its header has " + std::to_string(length) + " bytes, the whole file " +
                    std::to_string(bytes.size()) + "; it was cut off or is no .safetensors file");
    const auto first = bytes.begin() + length_bytes;
    json header = json::parse(first, first + static_cast<std::ptrdiff_t>(length), nullptr, false);
    if (!header.is_object()) damaged(file, "", "its header is not a JSON object");
    return header;
}

// An array without its values, and where these are.
struct Entry {
    Array array;
    std::size_t begin = 0;
    std::size_t end = 0;
};

Entry entry_of(const FileContext& file, const std::string& name, const json& entry,
               std::size_t available) {
    Array array;
    array.name = name;
    std::vector<std::size_t> offsets;
    std::string type;
    try {
        type = entry.at("dtype").get<std::string>();
        array.shape = entry.at("shape").get<std::vector<std::size_t>>();
        offsets = entry.at("data_offsets").get<std::vector<std::size_t>>();
    } catch (const json::exception&) {
        damaged(file, name, "its entry lacks dtype, shape or data_offsets");
    }
    array.type = type_of_safetensors(type);
    LANES_REQUIRE(array.type != nullptr, file.text(), ", tensor \"", name, "\": its type is ", type,
                  ", which is not supported. Convert it to F32 before.");
    const std::size_t needed = bytes_of(array.shape, array.type->bytes, available);
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > available)
        damaged(file, name,
                "of shape " + detail::Part(array.shape).text() + ": the file was cut off, it has " +
                    std::to_string(available) + " bytes of values");
    if (needed != offsets[1] - offsets[0])
        damaged(file, name,
                "of shape " + detail::Part(array.shape).text() + " and type " + type + ": it has " +
                    std::to_string(offsets[1] - offsets[0]) + " bytes");
    return {std::move(array), offsets[0], offsets[1]};
}

}  // namespace

std::vector<Array> parse_safetensors(const FileContext& file,
                                     const std::vector<unsigned char>& bytes) {
    const json header = header_of(file, bytes);
    std::size_t length = 0;
    for (std::size_t i = 0; i < length_bytes; ++i) length |= std::size_t{bytes[i]} << (8 * i);
    const unsigned char* const values = bytes.data() + length_bytes + length;
    const std::size_t available = bytes.size() - length_bytes - length;
    std::vector<Entry> entries;
    for (const auto& [name, entry] : header.items())
        if (name != "__metadata__") entries.push_back(entry_of(file, name, entry, available));
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.begin, a.end, a.array.name) < std::tie(b.begin, b.end, b.array.name);
    });
    for (std::size_t i = 0, last = 0; i < entries.size(); ++i) {
        if (entries[i].begin == entries[i].end) continue;  // an array without values
        if (entries[i].begin < entries[last].end && i != last)
            damaged(file, entries[i].array.name,
                    "its values are also those of \"" + entries[last].array.name + "\"");
        last = i;
    }
    TotalSize total(file, bytes.size());
    std::vector<Array> arrays;
    arrays.reserve(entries.size());
    for (Entry& entry : entries) {
        total.add(entry.array.name, entry.end - entry.begin);
        entry.array.bytes.assign(values + entry.begin, values + entry.end);
        arrays.push_back(std::move(entry.array));
    }
    return arrays;
}

std::string safetensors_header(const std::vector<Array>& arrays) {
    json entries = json::object();
    std::size_t position = 0;
    for (const Array& array : arrays) {
        const std::size_t end = position + array.bytes.size();
        entries[array.name] = {{"dtype", array.type->safetensors},
                               {"shape", array.shape},
                               {"data_offsets", {position, end}}};
        position = end;
    }
    std::string text = entries.dump(-1, ' ', false, json::error_handler_t::replace);
    text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the values are aligned
    std::string header;
    for (std::size_t i = 0; i < length_bytes; ++i)
        header += static_cast<char>(text.size() >> (8 * i) & 0xff);
    return header + text;
}

}  // namespace lanes::nn
