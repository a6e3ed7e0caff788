// The library of common instantiations. Built with the flags of cells, from IR in which every
// template function is weak_odr: the compiler then keeps also those that it inlines everywhere
// here, and a cell that needs one finds it.
#include "precompiled.hpp"

#include "common_operations.hpp"
#include "common_standard.hpp"

extern "C" __attribute__((used, visibility("default"))) void xcpp17_instantiations() {
    using namespace xcpp::precompiled;
    use_standard_library();
    use_json();
#ifdef XCPP_HAS_XTENSOR
    use_first_arrays();
    use_type<float>();
    use_type<double>();
    use_type<int>();
#endif
}
