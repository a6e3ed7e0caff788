// The table that instrumented text calls on each access, as code.
#pragma once

#define LANES_HOOK_TABLE(...) __VA_ARGS__
#include "hook_table.inc"
#undef LANES_HOOK_TABLE
