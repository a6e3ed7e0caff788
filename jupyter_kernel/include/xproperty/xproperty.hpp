// Of xproperty: its macros for widgets, see xcpp/widgets.hpp.
#pragma once

#include "xcpp/widgets.hpp"
