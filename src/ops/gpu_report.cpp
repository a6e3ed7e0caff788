#include "lanes/ops/gpu_report.hpp"

#include <cstdio>
#include <ostream>

namespace lanes {

std::string GpuReport::text() const {
    if (launch.cuda_kernel.empty()) return "nothing to compute, nothing launched";
    if (launch.simulated) return launch.text();
    char times[120];
    std::snprintf(times, sizeof times, "\n  end to end %.3f ms: copies there %.3f ms, back %.3f ms",
                  1e3 * end_to_end_seconds, 1e3 * upload_seconds, 1e3 * download_seconds);
    return launch.text() + times;
}

std::ostream& operator<<(std::ostream& out, const GpuReport& report) {
    return out << report.text() << '\n';
}

}  // namespace lanes
