// Lesson 05: the queue for several readers, given as the function that makes one.
#pragma once

#include "lanes/notebook/exercise.hpp"
#include "lanes/parallel/queue.hpp"

#include <memory>
#include <string>

namespace lanes::exercises {

LANES_EXERCISE(ManyReaders, many_readers,
               "std::shared_ptr<lanes::Queue<std::string>> many_readers()",
               std::shared_ptr<Queue<std::string>>, void)

}  // namespace lanes::exercises
