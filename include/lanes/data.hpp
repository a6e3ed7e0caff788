// The module `data`: images with their labels, and the files that hold them.
#pragma once

#include "lanes/data/augment.hpp"
#include "lanes/data/batch_job.hpp"
#include "lanes/data/dataset.hpp"
#include "lanes/data/idx.hpp"
#include "lanes/data/image_file.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/data/worker.hpp"
