#include "lanes/gpu/finding.hpp"

#include "lanes/gpu/report.hpp"

namespace lanes {

const char* name_of(FindingKind kind) {
    switch (kind) {
        case FindingKind::out_of_bounds:
            return "out of bounds";
        case FindingKind::host_pointer:
            return "host pointer";
        case FindingKind::race:
            return "race";
        case FindingKind::barrier_divergence:
            return "barrier divergence";
        case FindingKind::uninitialised_read:
            return "uninitialised read";
        case FindingKind::warp_mask:
            return "warp mask";
        case FindingKind::no_progress:
            return "no progress";
        case FindingKind::untouched_elements:
            return "untouched elements";
        case FindingKind::schedule_dependence:
            return "schedule dependence";
        case FindingKind::assertion:
            return "assertion";
        case FindingKind::trap:
            return "trap";
    }
    return "unknown";
}

const LaunchReport& CudaKernelFault::report() const {
    static const LaunchReport nothing;
    return report_ ? *report_ : nothing;
}

}  // namespace lanes
