#include "schedule_compare.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lanes::gpu::simulator {
namespace {

bool is_compared(const Region& region) {
    return !region.read_only && region.kind != Region::Kind::shared &&
           region.kind != Region::Kind::constant;
}

double number(const unsigned char* at, std::size_t bytes) {
    if (bytes == sizeof(float)) {
        float value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    double value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

bool is_number(const Region& region) {
    return region.is_float &&
           (region.element_bytes == sizeof(float) || region.element_bytes == sizeof(double));
}

bool is_close(const Region& region, const unsigned char* a, const unsigned char* b) {
    const double x = number(a, region.element_bytes), y = number(b, region.element_bytes);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    const double relative = region.element_bytes == sizeof(float) ? 1e-4 : 1e-10;
    return x == y || std::abs(x - y) <= relative * std::max({std::abs(x), std::abs(y), 1e-2});
}

std::string text_of(const Region& region, const unsigned char* at) {
    if (is_number(region))
        return region.element_bytes == sizeof(float)
                   ? to_text(static_cast<float>(number(at, sizeof(float))))
                   : to_text(number(at, sizeof(double)));
    if (region.element_bytes <= sizeof(long long)) {
        long long value = 0;
        std::memcpy(&value, at, region.element_bytes);
        if (region.element_bytes == sizeof(int)) value = static_cast<int>(value);
        return to_text(value);
    }
    return "other bytes";
}

}  // namespace

void ScheduleCompare::keep(const std::vector<Region>& regions) {
    kept_ = true;
    results_.clear();
    for (const Region& region : regions)
        results_.emplace_back(region.first,
                              region.first + (is_compared(region) ? region.bytes : 0));
}

std::optional<Difference> ScheduleCompare::compare(const std::vector<Region>& regions,
                                                   bool tolerance) const {
    for (std::size_t i = 0; i < regions.size() && i < results_.size(); ++i) {
        const Region& region = regions[i];
        const auto& before = results_[i];
        if (!is_compared(region) || before.size() != region.bytes ||
            std::memcmp(before.data(), region.first, region.bytes) == 0)
            continue;
        const std::size_t step = std::max<std::size_t>(region.element_bytes, 1);
        for (std::size_t at = 0; at + step <= region.bytes; at += step) {
            const unsigned char *was = before.data() + at, *is = region.first + at;
            if (std::memcmp(was, is, step) == 0) continue;
            if (tolerance && is_number(region) && is_close(region, was, is)) continue;
            return Difference{region, at / step, text_of(region, was), text_of(region, is)};
        }
    }
    return std::nullopt;
}

}  // namespace lanes::gpu::simulator
