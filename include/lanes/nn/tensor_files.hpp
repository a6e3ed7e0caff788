// Files with named tensors that Python reads and writes as well: .npz (numpy.savez, numpy.load) and
// .safetensors (the package safetensors). The end of the path decides which. PyTorch's .pth is
// read, too: the pickle in it is interpreted by code that knows weights only and calls nothing.
//
//   lanes::Sequential model{lanes::Linear(784, 10)};
//   lanes::save_weights("weights.safetensors", model);
//   lanes::load_weights("weights.safetensors", model);
//   lanes::save_tensors("one.npz", {{"a", lanes::Tensor::ones({2})}});
//   const auto tensors = lanes::load_tensors("one.npz");
//   const std::string name = tensors[0].first;  // "a"
//
// A file is written beside the path first and then renamed: if a program ends meanwhile, the file
// that was there stays as it was.
#pragma once

#include "lanes/nn/module.hpp"

#include <string>

namespace lanes {

// Tensors on any device.
void save_tensors(const std::string& path, const NamedTensors& tensors);

// On the CPU, in the order of the file. Floating-point numbers of 16 and 64 bits become float32,
// integers and bools int32. Throws Error with the path, and with the tensor's name if there is one,
// if the file is missing, cut off, damaged or of another kind.
NamedTensors load_tensors(const std::string& path);

// Parameters and buffers. The names and shapes in the file must be those of the module; otherwise
// an Error is thrown with the path, the name and both shapes, and the module stays as it was.
void save_weights(const std::string& path, const Module& module);
void load_weights(const std::string& path, Module& module);

}  // namespace lanes
