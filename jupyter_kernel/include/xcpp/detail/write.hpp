// The compiled part of value display: what these functions do is never compiled again in a cell
// (they live in the session's executable).
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

namespace xcpp::detail {

// A text that grows. Opaque, so that a cell compiles calls and nothing of std::string.
class Text {
public:
    Text();
    ~Text();
    Text(const Text&) = delete;
    Text& operator=(const Text&) = delete;
    void add(const char* text);
    void add(const char* text, std::size_t size);
    bool full() const;       // long texts end here
    std::ostream& stream();  // for types with operator<<, without <sstream> in every cell
    const std::string& str();

private:
    struct Parts;
    Parts* parts_;
};

// Where a shown value goes. type: of xcpp_publish. display_id: nullptr for none.
struct Where {
    const char* type = "execute_result";
    const char* display_id = nullptr;
};

void publish_text(const Where& where, Text& plain);
// bundle: a JSON object {mime: value}. plain: the text to add where the bundle has none.
void publish_bundle(const Where& where, const std::string& bundle, Text& plain);

// Text of one value, appended to out.
void write_bool(Text& out, bool value);
void write_char(Text& out, char32_t value);
void write_integer(Text& out, long long value);
void write_integer(Text& out, unsigned long long value);
void write_integer(Text& out, __int128 value);
void write_integer(Text& out, unsigned __int128 value);
void write_real(Text& out,
                float value);  // shortest text that reads back as the same value; 3 is 3.0
void write_real(Text& out, double value);
void write_real(Text& out, long double value);
void write_string(Text& out, const char* text, std::size_t size);  // quoted, escaped
// UTF-16 (unit of 2 bytes) or UTF-32 (4), such as std::wstring.
void write_wide_string(Text& out, const void* text, std::size_t size, std::size_t unit);
void write_duration(Text& out, double seconds);
std::string duration_text(double seconds, int digits);  // "1.5 ms"
// signature: __PRETTY_FUNCTION__ of a function template with the one argument T.
void write_type(Text& out, const char* signature);
// names: __PRETTY_FUNCTION__ of enumerator_name<E, V> for V = first, first + 1, ....
void write_enum(Text& out, const char* signature, long long value, const char* const* names,
                int count, int first);

// An array of any number of dimensions (xtensor's, or one with the same members): the compiled code
// walks over it, the cell brings one small function.
enum class ElementKind { boolean, integer, unsigned_integer, real, complex, other };
struct Element {
    long long integer = 0;
    unsigned long long unsigned_integer = 0;
    double real = 0, imaginary = 0;
    Text* text = nullptr;  // where an element of kind other is written to
};
struct Array {
    const void* object;
    const std::size_t* shape;
    std::size_t dimension;
    ElementKind kind;
    void (*element)(const void* object, const std::size_t* index, std::size_t dimension,
                    Element& out);
};
void print_array(std::ostream& out, const Array& array);  // as xtensor's operator<< does
void show_array(const Where& where, const Array& array);  // that, and an HTML table

}  // namespace xcpp::detail
