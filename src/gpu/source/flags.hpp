// Converts the flags of a program to one spelling, so that both back-ends read the same.
#pragma once

#include <string>
#include <vector>

namespace lanes::gpu {

// One string per flag: -DNAME, -DNAME=value, -UNAME, -Ifolder, --std=c++17, --use_fast_math,
// --generate-line-info, --device-debug, --restrict, --disable-warnings, --maxrregcount=N,
// --fmad=false, --ftz=true, --prec-div=false, --prec-sqrt=false. Throws Error that names any other
// flag.
std::vector<std::string> normal_flags(const std::vector<std::string>& flags);

}  // namespace lanes::gpu
