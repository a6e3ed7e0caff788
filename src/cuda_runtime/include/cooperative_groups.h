// The names of cooperative groups, for the host: the bodies of functions that use them belong to
// the device.
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {
class thread_group {};
class thread_block : public thread_group {};
class grid_group : public thread_group {};
class multi_grid_group : public thread_group {};
class coalesced_group : public thread_group {};
template <unsigned size, class Parent = void>
class thread_block_tile : public thread_group {};
template <unsigned threads = 1024>
class block_tile_memory {};
}  // namespace cooperative_groups
