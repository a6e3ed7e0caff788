// The door of the room `notebook`: what a notebook shows, and the exercises.
#pragma once

#include "lanes/notebook/exercise.hpp"
#include "lanes/notebook/exercises.hpp"
