#include "untouched.hpp"

#include <algorithm>

namespace lanes::gpu::simulator {
namespace {

bool names(const std::vector<ScalarArgument>& scalars, std::size_t value) {
    return std::any_of(scalars.begin(), scalars.end(), [&](const ScalarArgument& scalar) { return scalar.value == static_cast<long long>(value); });
}

RawFinding finding_of(const Region& region, std::size_t first, std::size_t untouched) {
    RawFinding finding;
    finding.kind = FindingKind::untouched_elements;
    finding.region = region;
    finding.offset = static_cast<std::ptrdiff_t>(first * region.element_bytes);
    finding.untouched = untouched;
    return finding;
}

}  // namespace

std::vector<RawFinding> untouched_elements(const LaunchConfig& config, const std::vector<Region>& regions, const std::vector<ScalarArgument>& scalars,
                                           const AccessCheck& check) {
    std::vector<RawFinding> findings;
    const std::size_t threads = config.grid.count() * config.block.count();
    for (const Region& region : regions) {
        if (region.kind != Region::Kind::global || region.read_only || region.element_bytes % 4 != 0 || region.name.empty()) continue;
        const std::size_t extent = region.bytes / region.element_bytes;
        const AccessCheck::Written written = check.written(region);
        const std::size_t count = written.bytes / region.element_bytes, prefix = written.prefix_bytes / region.element_bytes;
        if (count == 0 || count >= extent || count % threads != 0) continue;
        // Elements that stay as the host set them may be meant to. Those that hold nothing, and those that a CUDA kernel that works in place passes over, are
        // not.
        if (!written.rest_uninitialised && !(written.in_place && written.rest_unread)) continue;
        const std::size_t each = count / threads;
        const bool like_another = std::any_of(regions.begin(), regions.end(), [&](const Region& other) {
            return other.first != region.first && other.kind == Region::Kind::global && other.bytes / std::max<std::size_t>(other.element_bytes, 1) == extent;
        });
        const bool one_row = config.grid.y == 1 && config.grid.z == 1 && config.block.y == 1 && config.block.z == 1;
        if (one_row) {
            const std::size_t of_block = config.block.count() * each;
            if (prefix != count || extent - count >= of_block || !(names(scalars, extent) || like_another)) continue;
            findings.push_back(finding_of(region, prefix, extent - count));
            findings.back().suggested = (extent + of_block - 1) / of_block;
        } else if (each == 1) {
            const std::size_t width = std::size_t(config.grid.x) * config.block.x, height = std::size_t(config.grid.y) * config.block.y;
            for (const ScalarArgument& scalar : scalars) {
                const auto columns = static_cast<std::size_t>(std::max(scalar.value, 1ll));
                if (extent % columns != 0 || !names(scalars, extent / columns)) continue;
                const std::size_t rows = extent / columns;
                if (width > columns || height > rows || columns - width >= config.block.x || rows - height >= config.block.y ||
                    config.grid.z * config.block.z != 1)
                    continue;
                findings.push_back(finding_of(region, prefix, extent - count));
                break;
            }
        }
    }
    return findings;
}

}  // namespace lanes::gpu::simulator
