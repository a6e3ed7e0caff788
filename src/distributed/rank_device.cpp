#include "lanes/distributed/rank_device.hpp"

#include "gpu/backend.hpp"

#include "lanes/base/error.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace lanes {

std::size_t local_rank() {
    // That of mpirun first: in a batch job of SLURM, mpirun's processes inherit SLURM_LOCALID=0.
    for (const char* const name : {"OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"}) {
        const char* const value = std::getenv(name);
        if (!value) continue;
        const std::string_view text = value;
        std::size_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        LANES_REQUIRE(error == std::errc() && end == text.data() + text.size(),
                      "local_rank: ", name, " is '", text,
                      "'. Start the program with mpirun or srun, which set it.");
        return number;
    }
    return 0;
}

std::size_t gpu_of_rank(std::size_t gpus) {
    LANES_REQUIRE(gpus > 0, "gpu_of_rank: there is no GPU. Use Device::cpu().");
    return local_rank() % gpus;
}

Device rank_device() {
    // Not Device::all(), which would start every GPU in every rank.
    const int gpus = gpu::cuda_device_count();
    if (gpus == 0) return Device::cpu();
    return Device::gpu(static_cast<int>(gpu_of_rank(static_cast<std::size_t>(gpus))));
}

}  // namespace lanes
