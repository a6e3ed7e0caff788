// The door of the room `notebook`: what a cell shows beside text, widgets, and exercises that check
// an answer in the next cell.
#pragma once

#include "lanes/notebook/display.hpp"
#include "lanes/notebook/drawing.hpp"
#include "lanes/notebook/exercise.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/progress.hpp"
#include "lanes/notebook/table.hpp"
#include "lanes/notebook/widgets.hpp"
