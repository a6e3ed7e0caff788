// Many processes, on one machine or on many: messages, collective operations and training on all of
// them, through MPI or in a simulation. What calls MPI is a library of its own, liblanes_mpi;
// lanes/course.hpp does without it.
//
//   #include <iostream>
//   const auto comm = lanes::Communicator::world();  // mpirun -n 4 starts four ranks
//   std::cout << comm.rank() + 1 << " of " << comm.size() << "\n";
#pragma once

#ifdef __CLING__  // a cell: the library is loaded with its header
#pragma cling load("liblanes_mpi.so")
#endif

#include "lanes/distributed/communicator.hpp"
#include "lanes/distributed/data_parallel.hpp"
#include "lanes/distributed/measure_network.hpp"
#include "lanes/distributed/parameter_server.hpp"
#include "lanes/distributed/rank_device.hpp"
#include "lanes/distributed/ring_all_reduce.hpp"
#include "lanes/distributed/scaling.hpp"
#include "lanes/distributed/simulated_ranks.hpp"
#include "lanes/distributed/spare_messages.hpp"
#include "lanes/distributed/spare_training.hpp"
