// What the tables of CUDA kernels in lessons share.
#pragma once

#include "lanes/gpu.hpp"
#include "lanes/notebook/table.hpp"

#include <functional>
#include <string>

namespace lanes::lesson {

inline const std::string no_gpu = "no GPU here";

bool has_gpu();

// "1.5 ms", or "no GPU here" for 0.
std::string in_ms(double milliseconds);

// Whether the answer in this CUDA source is written: a stub has a line #error "Fill in …".
bool is_filled_in(const std::string& text);

// Mean CUDA kernel time of the fastest of three rounds of launches, in ms; 0 without a GPU. launch
// returns the seconds of one launch.
double kernel_ms(int launches, const std::function<double()>& launch);

// The table of this run, with the recorded one of that name below it unless the name is "".
void show_recorded(Table& table, const std::string& recorded);

// The table of this run on a GPU, otherwise the recorded one of that name, or nothing.
const Table* measured_or(const Table& table, const std::string& recorded, Table& buffer);

}  // namespace lanes::lesson
