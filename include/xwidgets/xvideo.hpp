// Of xwidgets: see lanes/notebook/widgets.hpp.
#pragma once

#include "lanes/notebook/widgets.hpp"
