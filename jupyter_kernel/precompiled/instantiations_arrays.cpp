// Common instantiations for arrays of XCPP_ELEMENT (float, double or int): a part of the library of
// instantiations, see CMakeLists.txt. Nothing here is ever called.
#include "precompiled.hpp"

#include "common_operations.hpp"

#ifdef XCPP_HAS_XTENSOR
namespace xcpp::precompiled {

// Explicit, so that the object file contains it although nobody calls it.
template void use_type<XCPP_ELEMENT>();

}  // namespace xcpp::precompiled
#endif
