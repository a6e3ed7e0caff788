// The module `notebook`: images, tables, plots, drawings and progress bars below a cell, and the
// exercises that check an answer.
//
//   lanes::Plot("Squares").x("n").y("square").line("n²", {1, 4, 9}).show();
#pragma once

#include "lanes/base/machine.hpp"  // is_unattended, machine_line
#include "lanes/notebook/display.hpp"
#include "lanes/notebook/drawing.hpp"
#include "lanes/notebook/exercise.hpp"
#include "lanes/notebook/launch_picture.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/progress.hpp"
#include "lanes/notebook/puzzle.hpp"
#include "lanes/notebook/puzzle_launches.hpp"
#include "lanes/notebook/table.hpp"
