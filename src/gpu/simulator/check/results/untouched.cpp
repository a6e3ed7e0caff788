#include "untouched.hpp"
#include "base/math.hpp"

#include <algorithm>

namespace lanes::gpu::simulator {
namespace {

struct Extent {
    std::size_t columns, rows;
};

// The threads of one launch and the elements of one of its outputs.
class Output {
public:
    Output(const LaunchConfig& config, const std::vector<Region>& regions, const Region& region,
           const Arguments& arguments, const AccessCheck& check)
        : config_(config),
          regions_(regions),
          region_(region),
          arguments_(arguments),
          check_(check),
          written_(check.written(region)) {
        extent_ = region.bytes / region.element_bytes;
        count_ = written_.bytes / region.element_bytes;
        prefix_ = written_.prefix_bytes / region.element_bytes;
    }

    void look(Untouched& result) {
        if (count_ == 0 || count_ >= extent_) return;
        const bool one_row = config_.grid.y == 1 && config_.grid.z == 1 && config_.block.y == 1 &&
                             config_.block.z == 1;
        one_row ? look_at_row(result) : look_at_rectangle(result);
    }

private:
    bool names(std::size_t value) const {
        const auto& all = arguments_.scalars;
        return std::any_of(all.begin(), all.end(), [&](const ScalarArgument& scalar) {
            return scalar.value == static_cast<long long>(value);
        });
    }

    bool like_another() const {
        return std::any_of(regions_.begin(), regions_.end(), [&](const Region& other) {
            return other.first != region_.first && is_alike(other);
        });
    }
    bool is_alike(const Region& other) const {
        return other.kind == Region::Kind::global &&
               other.bytes / std::max<std::size_t>(other.element_bytes, 1) == extent_;
    }

    // Rows and columns among the arguments whose product is the number of elements.
    std::vector<Extent> rectangles() const {
        std::vector<Extent> found;
        for (const ScalarArgument& scalar : arguments_.scalars) {
            if (scalar.value <= 0) continue;
            const auto columns = static_cast<std::size_t>(scalar.value);
            if (extent_ % columns == 0 && names(extent_ / columns))
                found.push_back({columns, extent_ / columns});
        }
        return found;
    }

    // Elements that keep a value set by the host may be intended. Elements that are uninitialised,
    // or that an in-place CUDA kernel skips, are not.
    bool rest_is_odd() const {
        return written_.rest_uninitialised || (written_.in_place && written_.rest_unread);
    }

    // Whether the arguments contain the number of all elements, and nothing that may explain why
    // some are left out: an offset of 0, the number that was written, or a struct.
    bool knows_of_all(std::size_t each) const {
        if (arguments_.has_structs || names(0) || names(count_) || names(count_ / each))
            return false;
        return names(extent_) || (extent_ % each == 0 && names(extent_ / each)) ||
               !rectangles().empty();
    }

    // Whether inputs of the same size were not read to their end either.
    bool inputs_end_too(Untouched& result) const {
        bool any = false;
        for (const Region& other : regions_) {
            if (other.first == region_.first || !is_alike(other)) continue;
            const AccessCheck::Read read = check_.read(other);
            if (!read.any) continue;
            if (!read.watched) {
                result.must_be_watched = other.first;
                return false;
            }
            if (read.last) return false;
            any = true;
        }
        return any || rest_is_odd();
    }

    void look_at_row(Untouched& result) const {
        const std::size_t threads = config_.grid.count() * config_.block.count();
        if (count_ % threads != 0 || prefix_ != count_) return;
        const std::size_t each = count_ / threads, of_block = config_.block.count() * each;
        const bool nearly =
            extent_ - count_ < of_block && (names(extent_) || like_another()) && rest_is_odd();
        if (!nearly && !(knows_of_all(each) && inputs_end_too(result))) return;
        add(result, {unsigned(ceil_div(extent_, of_block)), 1, 1});
    }

    void look_at_rectangle(Untouched& result) const {
        if (config_.grid.z * config_.block.z != 1) return;
        const std::size_t width = std::size_t(config_.grid.x) * config_.block.x,
                          height = std::size_t(config_.grid.y) * config_.block.y;
        for (const Extent& all : rectangles()) {
            const bool short_of = width < all.columns || height < all.rows;
            if (!short_of || count_ != std::min(width, all.columns) * std::min(height, all.rows) ||
                prefix_ < std::min(width, all.columns))
                continue;
            const bool nearly = width + config_.block.x > all.columns &&
                                height + config_.block.y > all.rows && rest_is_odd();
            const bool explained = arguments_.has_structs || names(0) || names(count_) ||
                                   (names(width) && width < all.columns) ||
                                   (names(height) && height < all.rows);
            if (!nearly && (explained || !inputs_end_too(result))) continue;
            const auto blocks = [](std::size_t elements, unsigned block) {
                return unsigned(ceil_div(elements, block));
            };
            add(result,
                {blocks(all.columns, config_.block.x), blocks(all.rows, config_.block.y), 1});
            return;
        }
    }

    void add(Untouched& result, const Dim3& suggested) const {
        RawFinding finding;
        finding.kind = FindingKind::untouched_elements;
        finding.region = region_;
        finding.offset = static_cast<std::ptrdiff_t>(prefix_ * region_.element_bytes);
        finding.untouched = extent_ - count_;
        finding.suggested = suggested;
        result.findings.push_back(finding);
    }

    const LaunchConfig& config_;
    const std::vector<Region>& regions_;
    const Region& region_;
    const Arguments& arguments_;
    const AccessCheck& check_;
    AccessCheck::Written written_;
    std::size_t extent_ = 0, count_ = 0, prefix_ = 0;
};

}  // namespace

Untouched untouched_elements(const LaunchConfig& config, const std::vector<Region>& regions,
                             const Arguments& arguments, const AccessCheck& check) {
    Untouched result;
    for (const Region& region : regions)
        if (region.kind == Region::Kind::global && !region.read_only &&
            region.element_bytes % 4 == 0 && !region.name.empty())
            Output(config, regions, region, arguments, check).look(result);
    if (result.must_be_watched) result.findings.clear();
    return result;
}

}  // namespace lanes::gpu::simulator
