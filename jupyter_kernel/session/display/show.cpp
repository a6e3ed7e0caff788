// Texts of single values and the messages that carry them: the compiled side of
// xcpp/detail/write.hpp and show.hpp.
#include "xcpp/detail/show.hpp"
#include "xcpp/capi.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <regex>
#include <sstream>
#include <string_view>

namespace xcpp::detail {

namespace {

constexpr std::size_t max_text = 64UL * 1024;

void publish(const Where& where, nlohmann::json data) {
    nlohmann::json content = {{"data", std::move(data)}, {"metadata", nlohmann::json::object()}};
    if (where.display_id) content["transient"] = {{"display_id", where.display_id}};
    xcpp_publish(where.type,
                 content.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str(),
                 "");
}

template <class T>
void add_number(Text& out, T value) {
    char text[64];
    const auto size =
        static_cast<std::size_t>(std::to_chars(text, text + sizeof text, value).ptr - text);
    out.add(text, size);
    const bool looks_whole =
        std::string_view(text, size).find_first_not_of("-0123456789") == std::string_view::npos;
    if (std::is_floating_point_v<T> && looks_whole) out.add(".0");
}

void append_escaped(std::string& out, unsigned char c, char quote) {
    constexpr const char* digits = "0123456789abcdef";
    constexpr std::string_view named("\n\t\r\0\\", 5);
    if (const std::size_t at = named.find(static_cast<char>(c)); at != std::string_view::npos)
        (out += '\\') += "ntr0\\"[at];
    else if (c == static_cast<unsigned char>(quote))
        (out += '\\') += quote;
    else if (c < 0x20 || c == 0x7f)
        ((out += "\\x") += digits[c >> 4]) += digits[c & 15];
    else
        out += static_cast<char>(c);
}

void append_utf8(std::string& out, char32_t c) {
    if (c < 0x800) {
        out += static_cast<char>(0xc0 | c >> 6);
    } else {
        if (c < 0x10000) {
            out += static_cast<char>(0xe0 | c >> 12);
        } else {
            out += static_cast<char>(0xf0 | (c >> 18 & 7));
            out += static_cast<char>(0x80 | (c >> 12 & 63));
        }
        out += static_cast<char>(0x80 | (c >> 6 & 63));
    }
    out += static_cast<char>(0x80 | (c & 63));
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

// signature: "... [T = what we want]".
std::string argument_of(const char* signature, std::string_view name) {
    std::string text(signature);
    const std::size_t begin = text.find(name);
    const std::size_t end = text.rfind(']');
    return begin == std::string::npos || end == std::string::npos
               ? text
               : text.substr(begin + name.size(), end - begin - name.size());
}

std::string tidy_type(std::string text) {
    // "(lambda at file:1:2)" and "(anonymous struct at ...)" name places that mean nothing to a
    // reader, and __c5 is the namespace into which the session puts the declarations of a cell.
    static const std::regex place("\\(([^()]*) at [^)]*\\)"), cell_namespace("\\b__c[0-9]+::");
    text = std::regex_replace(text, place, "$1");
    text = std::regex_replace(text, cell_namespace, "");
    replace_all(text, "std::basic_string<char>", "std::string");
    replace_all(text, "std::basic_string_view<char>", "std::string_view");
    replace_all(text, " *", "*");
    replace_all(text, " &", "&");
    replace_all(text, "(*)", " (*)");
    if (text.size() > 8 && text.compare(text.size() - 7, 7, ") const") == 0)
        text.resize(text.size() - 6);  // a lambda's call operator
    return text;
}

}  // namespace

// A stream is made only for those who ask for it. What was added before and after it keeps its
// order.
struct Text::Parts {
    std::string text;
    std::unique_ptr<std::ostringstream> stream;

    std::string& flushed() {
        if (stream) {
            text += stream->str();
            stream.reset();
        }
        return text;
    }
};

Text::Text() : parts_(new Parts) {}
Text::~Text() { delete parts_; }
void Text::add(const char* text) { parts_->flushed() += text; }
void Text::add(const char* text, std::size_t size) { parts_->flushed().append(text, size); }
bool Text::full() const { return parts_->flushed().size() >= max_text; }
const std::string& Text::str() { return parts_->flushed(); }
std::ostream& Text::stream() {
    if (!parts_->stream) parts_->stream = std::make_unique<std::ostringstream>();
    return *parts_->stream;
}

void publish_text(const Where& where, Text& plain) {
    publish(where, {{"text/plain", plain.str()}});
}

void publish_bundle(const Where& where, const std::string& bundle, Text& plain) {
    auto data = nlohmann::json::parse(bundle, nullptr, false);
    if (!data.is_object()) data = {{"application/json", data}};
    if (!data.contains("text/plain")) data["text/plain"] = plain.str();
    publish(where, std::move(data));
}

void write_bool(Text& out, bool value) { out.add(value ? "true" : "false"); }

void write_char(Text& out, char32_t value) {
    std::string text = "'";
    if (value < 0x80)
        append_escaped(text, static_cast<unsigned char>(value), '\'');
    else
        append_utf8(text, value);
    text += '\'';
    out.add(text.data(), text.size());
}

void write_integer(Text& out, long long value) { add_number(out, value); }
void write_integer(Text& out, unsigned long long value) { add_number(out, value); }
void write_integer(Text& out, unsigned __int128 value) {
    char digits[40];
    char* const end = digits + sizeof digits;
    char* at = end;
    do *--at = static_cast<char>('0' + static_cast<int>(value % 10));
    while (value /= 10);
    out.add(at, static_cast<std::size_t>(end - at));
}
void write_integer(Text& out, __int128 value) {
    if (value < 0) out.add("-");
    const auto bits = static_cast<unsigned __int128>(value);
    write_integer(out, value < 0 ? -bits : bits);
}
void write_real(Text& out, float value) { add_number(out, value); }
void write_real(Text& out, double value) { add_number(out, value); }
void write_real(Text& out, long double value) { add_number(out, value); }

namespace {

// unit: the bytes of one character; texts with units of one byte are UTF-8 already.
void write_quoted(Text& out, const void* text, std::size_t size, std::size_t unit) {
    const auto at = [&](std::size_t i) -> char32_t {
        return unit == 1   ? static_cast<const unsigned char*>(text)[i]
               : unit == 2 ? static_cast<const char16_t*>(text)[i]
                           : static_cast<const char32_t*>(text)[i];
    };
    const std::size_t shown = std::min(size, max_text);
    std::string quoted = "\"";
    for (std::size_t i = 0; i < shown; ++i) {
        char32_t c = at(i);
        // Two units of UTF-16 for characters from U+10000 on.
        if (unit == 2 && c >> 10 == 0xd800 >> 10 && i + 1 < size && at(i + 1) >> 10 == 0xdc00 >> 10)
            c = 0x10000 + ((c & 0x3ff) << 10) + (at(++i) & 0x3ff);
        if (c < 0x80 || unit == 1)
            append_escaped(quoted, static_cast<unsigned char>(c), '"');
        else
            append_utf8(quoted, c);
    }
    quoted += shown < size ? "\"…" : "\"";
    out.add(quoted.data(), quoted.size());
}

}  // namespace

void write_string(Text& out, const char* text, std::size_t size) {
    write_quoted(out, text, size, 1);
}
void write_wide_string(Text& out, const void* text, std::size_t size, std::size_t unit) {
    write_quoted(out, text, size, unit);
}

std::string duration_text(double seconds, int digits) {
    struct Unit {
        double size;
        const char* name;
    };
    constexpr Unit units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}};
    const Unit* unit = units;
    while (unit != std::end(units) - 1 && std::abs(seconds) < unit->size) ++unit;
    char text[64];
    std::snprintf(text, sizeof text, "%.*g %s", digits, seconds / unit->size, unit->name);
    return text;
}

void write_duration(Text& out, double seconds) {
    out.add(seconds == 0 ? "0 s" : duration_text(seconds, 6).c_str());
}

void write_type(Text& out, const char* signature) {
    out.add(tidy_type(argument_of(signature, "[T = ")).c_str());
}

void write_enum(Text& out, const char* signature, long long value, const char* const* names,
                int count, int first) {
    const std::string type = tidy_type(argument_of(signature, "[T = "));
    if (value >= first && value - first < count && names[value - first]) {
        const std::string name = argument_of(names[value - first], ", V = ");
        if (name[0] != '(') {  // "(Color)5": no enumerator has this value
            out.add(tidy_type(name).c_str());
            return;
        }
    }
    // Names are looked at from 0 on if the enumeration has an unsigned type.
    const std::string number =
        first < 0 ? std::to_string(value) : std::to_string(static_cast<unsigned long long>(value));
    out.add(('(' + type + ") " + number).c_str());
}

namespace {

template <class Write>
void show_with(const Write& write) {
    Text out;
    write(out);
    publish_text(Where{}, out);
}

}  // namespace

void show_number(bool value) {
    show_with([=](Text& out) { write_bool(out, value); });
}
void show_number(long long value) {
    show_with([=](Text& out) { write_integer(out, value); });
}
void show_number(unsigned long long value) {
    show_with([=](Text& out) { write_integer(out, value); });
}
void show_number(float value) {
    show_with([=](Text& out) { write_real(out, value); });
}
void show_number(double value) {
    show_with([=](Text& out) { write_real(out, value); });
}
void show_string(const char* text, std::size_t size) {
    show_with([=](Text& out) { write_string(out, text, size); });
}

}  // namespace xcpp::detail
