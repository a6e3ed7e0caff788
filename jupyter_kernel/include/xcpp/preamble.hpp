// What every cell sees without an include. Kept cheap: it is parsed at each start when there is no
// precompiled header.
#pragma once

#include "capi.h"
#include "detail/show.hpp"
#include "detail/timeit.hpp"

#include <stdexcept>
#include <string>
