// For the tests of all modules: the text of the Error that a call throws, "" if it throws none. Any
// other exception fails the test; error_of<std::exception> catches all of them.
#pragma once

#include "lanes/base/error.hpp"

#include <string>

namespace lanes_test {

template <class Kind = lanes::Error, class Call>
std::string error_of(const Call& call) {
    try {
        call();
    } catch (const Kind& error) {
        return error.what();
    }
    return "";
}

}  // namespace lanes_test
