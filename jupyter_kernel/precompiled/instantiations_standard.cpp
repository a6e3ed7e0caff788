// Common instantiations of the standard library and of json: a part of the library of
// instantiations, see CMakeLists.txt. Nothing here is ever called.
#include "precompiled.hpp"

#include "common_standard.hpp"

extern "C" __attribute__((used, visibility("default"))) void xcpp17_standard_instantiations() {
    using namespace xcpp::precompiled;
    use_standard_library();
    use_regular_expressions();
    use_json();
}
