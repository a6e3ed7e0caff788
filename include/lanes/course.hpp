// Everything that the lessons use, in one line: all modules (of `distributed` what needs no MPI),
// the exercises, the widgets of the Jupyter kernel, and the usual headers of xtensor, the standard
// library and POSIX. It is precompiled for cells. Programs include the modules that they need
// instead.
//
//   lanes::Table({"n", "square"}).row(3, 9).show();
#pragma once

#include "lanes/array.hpp"
#include "lanes/base.hpp"
#include "lanes/data.hpp"
#include "lanes/distributed/data_parallel.hpp"
#include "lanes/distributed/measure_network.hpp"
#include "lanes/distributed/scaling.hpp"
#include "lanes/distributed/simulated_ranks.hpp"
#include "lanes/distributed/spare_messages.hpp"
#include "lanes/distributed/spare_training.hpp"
#include "lanes/exercises.hpp"
#include "lanes/gpu.hpp"
#include "lanes/lesson.hpp"
#include "lanes/mlp.hpp"
#include "lanes/nn.hpp"
#include "lanes/notebook.hpp"
#include "lanes/ops.hpp"
#include "lanes/parallel.hpp"
#include "lanes/tensor.hpp"

#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xtensor/xadapt.hpp>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xio.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xpad.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xview.hpp>
#include <xwidgets/xall.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>
