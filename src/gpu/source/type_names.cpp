#include "type_names.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <sstream>
#include <vector>

namespace lanes::gpu {

namespace {

// "long unsigned int" and "unsigned long" are the same type: words are sorted, and "int" is dropped
// if there are others.
std::string in_order(const std::string& spelling) {
    std::istringstream in(spelling);
    std::vector<std::string> words;
    for (std::string word; in >> word;)
        if (word != "const" && word != "volatile" && word != "struct" && word != "typename")
            words.push_back(word);
    std::sort(words.begin(), words.end());
    if (words.size() > 1) words.erase(std::remove(words.begin(), words.end(), "int"), words.end());
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text.compare(0, 5, "std::") == 0 ? text.substr(5)
           : text.compare(0, 2, "::") == 0  ? text.substr(2)
                                            : text;
}

const std::map<std::string, TypeTag>& scalars() {
    static const std::map<std::string, TypeTag> table{
        {"bool", tag_of<bool>()},
        {"char", tag_of<char>()},
        {"char signed", tag_of<signed char>()},
        {"char unsigned", tag_of<unsigned char>()},
        {"short", tag_of<short>()},
        {"short signed", tag_of<short>()},
        {"short unsigned", tag_of<unsigned short>()},
        {"int", tag_of<int>()},
        {"signed", tag_of<int>()},
        {"unsigned", tag_of<unsigned>()},
        {"long", tag_of<long>()},
        {"long signed", tag_of<long>()},
        {"long unsigned", tag_of<unsigned long>()},
        {"long long", tag_of<long long>()},
        {"long long signed", tag_of<long long>()},
        {"long long unsigned", tag_of<unsigned long long>()},
        {"float", tag_of<float>()},
        {"double", tag_of<double>()},
        {"size_t", tag_of<std::size_t>()},
        {"ptrdiff_t", tag_of<std::ptrdiff_t>()},
        {"intptr_t", tag_of<std::intptr_t>()},
        {"uintptr_t", tag_of<std::uintptr_t>()},
        {"int8_t", tag_of<std::int8_t>()},
        {"int16_t", tag_of<std::int16_t>()},
        {"int32_t", tag_of<std::int32_t>()},
        {"int64_t", tag_of<std::int64_t>()},
        {"uint8_t", tag_of<std::uint8_t>()},
        {"uint16_t", tag_of<std::uint16_t>()},
        {"uint32_t", tag_of<std::uint32_t>()},
        {"uint64_t", tag_of<std::uint64_t>()},
        {"uchar", tag_of<unsigned char>()},
        {"ushort", tag_of<unsigned short>()},
        {"uint", tag_of<unsigned>()},
        {"ulong", tag_of<unsigned long>()}};
    return table;
}

}  // namespace

TypeTag tag_of_component(const std::string& spelling) {
    const std::string name = in_order(spelling);
    if (name.empty() || name.back() < '1' || name.back() > '4') return {};
    std::string base = name.substr(0, name.size() - 1);
    if (base == "longlong") base = "long long";
    if (base == "ulonglong") base = "long long unsigned";
    static const char* const known[] = {
        "char",  "uchar", "short", "ushort",    "int",
        "uint",  "long",  "ulong", "long long", "long long unsigned",
        "float", "double"};
    if (std::find(std::begin(known), std::end(known), base) == std::end(known)) return {};
    return base == "char" ? tag_of<signed char>() : scalars().at(base);
}

TypeTag tag_of_spelling(const std::string& spelling) {
    const auto found = scalars().find(in_order(spelling));
    if (found != scalars().end()) return found->second;
    const TypeTag component = tag_of_component(spelling);
    TypeTag tag;
    if (component.bytes) {
        const std::string name = in_order(spelling);
        tag.bytes = component.bytes * static_cast<std::size_t>(name.back() - '0');
    }
    if (const std::string name = in_order(spelling); name == "half" || name == "__half")
        tag.bytes = 2;
    else if (name == "half2" || name == "__half2")
        tag.bytes = 4;
    return tag;
}

bool same_type(const TypeTag& wanted, const TypeTag& given) {
    if (wanted.kind != given.kind || wanted.bytes != given.bytes) return false;
    const bool any_char =
        std::strcmp(wanted.name, "char") == 0 || std::strcmp(given.name, "char") == 0;
    return wanted.is_signed == given.is_signed || any_char;
}

}  // namespace lanes::gpu
