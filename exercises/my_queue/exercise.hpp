// Lesson 05: a queue for many writers and one reader, given as the function that makes one.
#pragma once

#include "lanes/notebook/exercise.hpp"
#include "lanes/parallel/queue.hpp"

#include <memory>
#include <string>

namespace lanes::exercises {

LANES_EXERCISE(MyQueue, my_queue, "std::shared_ptr<lanes::Queue<std::string>> my_queue()",
               std::shared_ptr<Queue<std::string>>, void)

}  // namespace lanes::exercises
