// The GPU of a rank, where a machine has several and starts one rank for each.
//
//   #include "lanes/nn.hpp"
//   const lanes::Device device = lanes::rank_device();
//   lanes::Sequential model{lanes::Linear(784, 10)};
//   model.to(device);
//   lanes::DataParallel parallel(model, lanes::Communicator::world());
//
// Parameters and gradients stay on that GPU. Their messages always go through the CPU's memory,
// also if MPI could read that of a GPU: DataParallel copies gradients to the CPU and means back.
#pragma once

#include "lanes/gpu/device.hpp"

#include <cstddef>

namespace lanes {

// The number of this process among those that were started together on the same machine: 0 and up
// on each of them. From the variables of mpirun (OMPI_COMM_WORLD_LOCAL_RANK) and srun
// (SLURM_LOCALID); 0 without them.
std::size_t local_rank();

// Of so many GPUs that this process sees, the one of its local rank: with more ranks than GPUs some
// share one. srun --gpus-per-task=1 shows each process one GPU, which is number 0 for all.
std::size_t gpu_of_rank(std::size_t gpus);

// That GPU; the CPU if there is none.
Device rank_device();

}  // namespace lanes
