// Values of properties as JSON text, and back. The reading functions return false and leave the
// value alone if the text holds another type.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace xw::detail {

std::string json_of(bool value);
std::string json_of(long long value);
std::string json_of(unsigned long long value);
std::string json_of(float value);  // shortest text that reads back as the same; null for NaN
std::string json_of(double value);
std::string json_of(std::string_view value);
std::string json_of(const std::vector<std::string>& value);
std::string json_of(const std::vector<int>& value);

bool read_json(std::string_view json, bool& value);
bool read_json(std::string_view json, double& value);  // any number
bool read_json(std::string_view json, std::string& value);
bool read_json(std::string_view json, std::vector<std::string>& value);
bool read_json(std::string_view json, std::vector<int>& value);

// How a property names another widget.
inline std::string reference_to(const std::string& id) { return "IPY_MODEL_" + id; }

template <class T>
std::string encode_value(const T& value) {
    if constexpr (std::is_same_v<T, std::optional<std::string>>)
        return value ? json_of(std::string_view(*value)) : "null";
    else if constexpr (std::is_same_v<T, std::vector<char>>)
        return "null";  // its bytes travel in a buffer beside the JSON
    else if constexpr (std::is_same_v<T, std::string>)
        return json_of(std::string_view(value));
    else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        if constexpr (std::is_signed_v<T>)
            return json_of(static_cast<long long>(value));
        else
            return json_of(static_cast<unsigned long long>(value));
    } else
        return json_of(value);
}

template <class T>
bool decode_value(std::string_view json, T& value) {
    if constexpr (std::is_same_v<T, std::optional<std::string>>) {
        if (json == "null") return value.reset(), true;
        std::string text;
        if (!read_json(json, text)) return false;
        value = std::move(text);
        return true;
    } else if constexpr (std::is_same_v<T, std::vector<char>>) {
        return false;
    } else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
        double number = 0;
        if (!read_json(json, number)) return false;
        if constexpr (std::is_integral_v<T>)
            if (number != static_cast<double>(static_cast<T>(number))) return false;
        value = static_cast<T>(number);
        return true;
    } else {
        return read_json(json, value);
    }
}

}  // namespace xw::detail
