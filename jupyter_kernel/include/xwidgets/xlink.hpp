// Of xwidgets: see xcpp/widgets.hpp.
#pragma once

#include "xcpp/widgets.hpp"
