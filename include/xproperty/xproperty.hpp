// Of xproperty: its macros for widgets, see lanes/notebook/widgets.hpp.
#pragma once

#include "lanes/notebook/widgets.hpp"
