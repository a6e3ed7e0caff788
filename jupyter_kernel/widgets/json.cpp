#include "widgets/json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace xw::detail {
namespace {

using nlohmann::json;

template <class T>
std::string shortest(T value) {
    if (!std::isfinite(value)) return "null";
    char digits[64];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return {digits, end};
}

json parse(std::string_view text) { return json::parse(text.begin(), text.end(), nullptr, false); }

template <class T>
bool read_list(std::string_view text, std::vector<T>& value, bool (*fits)(const json&)) {
    const json parsed = parse(text);
    if (!parsed.is_array() || !std::all_of(parsed.begin(), parsed.end(), fits)) return false;
    value = parsed.get<std::vector<T>>();
    return true;
}

}  // namespace

std::string json_of(bool value) { return value ? "true" : "false"; }
std::string json_of(long long value) { return std::to_string(value); }
std::string json_of(unsigned long long value) { return std::to_string(value); }
std::string json_of(float value) { return shortest(value); }
std::string json_of(double value) { return shortest(value); }
std::string json_of(std::string_view value) {
    return json(value).dump(-1, ' ', false, json::error_handler_t::replace);
}
std::string json_of(const std::vector<std::string>& value) {
    return json(value).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string json_of(const std::vector<int>& value) { return json(value).dump(); }

bool read_json(std::string_view text, bool& value) {
    if (text != "true" && text != "false") return false;
    value = text == "true";
    return true;
}

bool read_json(std::string_view text, double& value) {
    const json parsed = parse(text);
    if (!parsed.is_number()) return false;
    value = parsed.get<double>();
    return true;
}

bool read_json(std::string_view text, std::string& value) {
    const json parsed = parse(text);
    if (!parsed.is_string()) return false;
    value = parsed.get<std::string>();
    return true;
}

bool read_json(std::string_view text, std::vector<std::string>& value) {
    return read_list(text, value, [](const json& item) { return item.is_string(); });
}

bool read_json(std::string_view text, std::vector<int>& value) {
    return read_list(text, value, [](const json& item) { return item.is_number_integer(); });
}

}  // namespace xw::detail
