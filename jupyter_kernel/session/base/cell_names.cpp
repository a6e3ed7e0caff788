#include "cell_names.hpp"

#include "llvm/ADT/StringRef.h"

namespace xcpp_session {
namespace {

// 0 if it is not a number.
int read_number(llvm::StringRef digits) {
    unsigned number = 0;
    return digits.getAsInteger(10, number) ? 0 : static_cast<int>(number);
}

}  // namespace

std::string cell_file_name(int cell) { return "In[" + std::to_string(cell) + "]"; }

int cell_of_file_name(std::string_view file) {
    llvm::StringRef number = file;
    return number.consume_front("In[") && number.consume_back("]") ? read_number(number) : 0;
}

std::string cell_namespace_name(int unit) {
    return std::string(cell_namespace_prefix) + std::to_string(unit);
}

int unit_of_namespace_name(std::string_view name) {
    llvm::StringRef number = name;
    return number.consume_front(cell_namespace_prefix) ? read_number(number) : 0;
}

}  // namespace xcpp_session
