// .npy, NumPy's file format for one array: np.save and np.load read and write the same files.
//
//   const lanes::Matrix weights{{1, 2}, {3, 4}};
//   lanes::write_npy("weights.npy", weights);
//   const auto again = lanes::read_npy<lanes::Matrix>("weights.npy");
#pragma once

#include "lanes/array/types.hpp"

#include <string>

namespace lanes {

// Array: an xt::xtensor of float or double with 1 to 4 axes. The file must hold numbers of the same
// type with as many axes, row by row. Throws Error with the path and the reason if the file is
// missing, is cut off, is damaged or holds something else. Nothing is allocated that the file could
// not fill.
template <class Array>
Array read_npy(const std::string& path);

template <class Array>
void write_npy(const std::string& path, const Array& array);

}  // namespace lanes
