// The door of the room `nn`: the functions of the assignments and the network that is made of them.
#pragma once

#include "lanes/nn/augmented_network.hpp"
#include "lanes/nn/batch.hpp"
#include "lanes/nn/functions.hpp"
#include "lanes/nn/network.hpp"
#include "lanes/nn/parts.hpp"
#include "lanes/nn/sigmoid.hpp"
