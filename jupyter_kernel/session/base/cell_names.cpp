#include "cell_names.hpp"

namespace xcpp_session {
namespace {

// 0 if it is no number.
int read_number(std::string_view digits) {
    int number = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9' || number > 100000000) return 0;
        number = number * 10 + (c - '0');
    }
    return number;
}

}  // namespace

std::string cell_file_name(int cell) { return "In[" + std::to_string(cell) + "]"; }

int cell_of_file_name(std::string_view file) {
    if (file.size() < 5 || file.substr(0, 3) != "In[" || file.back() != ']') return 0;
    return read_number(file.substr(3, file.size() - 4));
}

std::string cell_namespace_name(int unit) {
    return std::string(cell_namespace_prefix) + std::to_string(unit);
}

int unit_of_namespace_name(std::string_view name) {
    if (name.substr(0, cell_namespace_prefix.size()) != cell_namespace_prefix) return 0;
    return read_number(name.substr(cell_namespace_prefix.size()));
}

}  // namespace xcpp_session
