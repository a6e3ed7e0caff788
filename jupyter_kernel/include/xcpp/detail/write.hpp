// The compiled part of value display: what these functions do is never compiled again in a cell (they live in the session's executable).
#pragma once

#include <cstddef>
#include <string>

namespace xcpp::detail {

// Where a shown value goes. type: of xcpp_publish. display_id: nullptr for none.
struct Where {
    const char* type = "execute_result";
    const char* display_id = nullptr;
};

void publish_text(const Where& where, const std::string& plain);
void publish_html(const Where& where, const std::string& plain, const std::string& html);
// bundle: a JSON object {mime: value}. plain: the text to add where the bundle has none, or nullptr.
void publish_bundle(const Where& where, const std::string& bundle, const std::string* plain);

// Text of one value, appended to out.
void write_bool(std::string& out, bool value);
void write_char(std::string& out, char32_t value);
void write_integer(std::string& out, long long value);
void write_integer(std::string& out, unsigned long long value);
void write_real(std::string& out, float value);  // shortest text that reads back as the same value; 3 is 3.0
void write_real(std::string& out, double value);
void write_real(std::string& out, long double value);
void write_string(std::string& out, const char* text, std::size_t size);  // quoted, escaped
void write_duration(std::string& out, double seconds);
// signature: __PRETTY_FUNCTION__ of a function template with the one argument T.
void write_type(std::string& out, const char* signature);
// names: __PRETTY_FUNCTION__ of enumerator_name<E, V> for V = first, first + 1, ...; nullptr where there is no such value.
void write_enum(std::string& out, const char* signature, long long value, const char* const* names, int count, int first);

// Long texts end here.
bool is_full(const std::string& out);

// A std::ostream on memory, for types with operator<<, without <sstream> in every cell.
class TextStream {
public:
    TextStream();
    ~TextStream();
    TextStream(const TextStream&) = delete;
    TextStream& operator=(const TextStream&) = delete;
    std::ostream& stream();
    void append_to(std::string& out) const;

private:
    void* stream_;
};

// An array of any number of dimensions (xtensor's, or one with the same members): the compiled code walks over it, the cell brings one small function.
enum class ElementKind { boolean, integer, unsigned_integer, real, complex, other };
struct Element {
    long long integer = 0;
    unsigned long long unsigned_integer = 0;
    double real = 0, imaginary = 0;
    std::string text;
};
struct Array {
    const void* object;
    const std::size_t* shape;
    std::size_t dimension;
    ElementKind kind;
    void (*element)(const void* object, const std::size_t* index, std::size_t dimension, Element& out);
};
void write_array(std::string& out, const Array& array);                 // as xtensor's operator<< prints it
void show_array(const Where& where, const Array& array);                // that, and an HTML table

}  // namespace xcpp::detail
