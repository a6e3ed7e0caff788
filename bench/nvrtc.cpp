// How long the files of kernels_src take to compile for one architecture, in milliseconds: with
// NVRTC, already loaded, and from the disk cache. Needs no GPU. Run by gpu_kernels.py; prints one
// line per file: name, wall-clock time and CPU time of NVRTC, time from the cache.
#include "gpu/cache/program_files.hpp"
#include "gpu/cuda/compiler.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace {

using lanes::gpu::cuda::CubinRequest;

double wall() {
    return std::chrono::duration<double, std::milli>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double cpu() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

CubinRequest request_for(const std::string& name, const std::string& text,
                         const std::string& architecture,
                         const std::vector<std::string>& flags = {}) {
    CubinRequest request{{text, name, flags}, architecture, {}};
    for (const auto& signature : lanes::gpu::read_signatures(text, flags))
        if (!signature.is_template) request.name_expressions.push_back(signature.qualified_name());
    return request;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

int main(int count, char** words) {
    const std::string architecture = count > 1 ? words[1] : "sm_90";
    std::string folder = (std::filesystem::temp_directory_path() / "lanes-bench-XXXXXX").string();
    if (!mkdtemp(folder.data())) return 1;
    setenv("LANES_CACHE", folder.c_str(), 1);
    lanes::gpu::cuda::compile_cubin(
        request_for("warm_up.cu", "__global__ void warm_up(float* x) { x[0] = 1; }", architecture));
    // matmul_transpose: only the rung that is launched, as src/ops compiles it.
    for (const auto& [name, flags] :
         {std::pair<const char*, std::vector<std::string>>{"max.cu", {}},
          {"matmul_transpose.cu", {"-DRUNG=4"}},
          {"correlation.cu", {}}}) {
        std::ifstream in(lanes::gpu::find_program_file(name));
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        std::vector<double> cold, cold_cpu, kept;
        for (int i = 0; i < 3; ++i) {
            // Machine code that was never compiled before: NVRTC has its own cache, which ignores
            // comments.
            const auto now = static_cast<long long>(1e3 * wall());
            const CubinRequest request = request_for(
                name, text + "__device__ long long compiled_at = " + std::to_string(now) + ";\n",
                architecture, flags);
            const double begin = wall(), begin_cpu = cpu();
            lanes::gpu::cuda::cached_cubin(request);
            cold.push_back(wall() - begin);
            cold_cpu.push_back(cpu() - begin_cpu);
            for (int again = 0; again < 5; ++again) {
                const double first = wall();
                if (!lanes::gpu::cuda::cached_cubin(request).from_cache) return 1;
                kept.push_back(wall() - first);
            }
        }
        std::printf("%s %.1f %.1f %.2f\n", name, median(cold), median(cold_cpu), median(kept));
    }
    std::filesystem::remove_all(folder);
    return 0;
}
