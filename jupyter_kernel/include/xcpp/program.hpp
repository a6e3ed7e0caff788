// What a notebook that was made into a program (`xcpp17 --program`) includes: the same display of
// values as in a cell, written to stdout as plain text.
#pragma once

#include "preamble.hpp"
#include "xdisplay.hpp"

#include <iostream>  // its streams are ready before the first variable of the notebook

namespace xcpp::program {

// First of all. An exception that leaves a variable's initialiser is told with the cell it belongs
// to.
bool start(const char* notebook);

// Runs the statements of a cell. An exception ends the program: the cell and the exception's words
// on stderr, status 1.
bool run(int cell, void (*statements)());

// The program's exit status, when all has been run.
int end();

}  // namespace xcpp::program
