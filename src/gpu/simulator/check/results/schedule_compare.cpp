#include "schedule_compare.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

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

// added: the sum of the absolute values that x was made from. Rounding errors are relative to it.
bool is_close(double x, double y, std::size_t float_bytes, double added) {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    const double relative = float_bytes == sizeof(float) ? 1e-4 : 1e-10;
    return x == y ||
           std::abs(x - y) <= relative * std::max({std::abs(x), std::abs(y), added, 1e-2});
}

std::string number_text(const unsigned char* at, std::size_t bytes) {
    return bytes == sizeof(float) ? to_text(static_cast<float>(number(at, bytes)))
                                  : to_text(number(at, bytes));
}

std::string text_of(const Region& region, const unsigned char* at) {
    if (const std::size_t bytes = region.float_bytes(); bytes > 0) {
        if (bytes >= region.element_bytes) return number_text(at, bytes);
        std::string text;
        for (std::size_t part = 0; part < region.element_bytes; part += bytes)
            text += (part ? ", " : "(") + number_text(at + part, bytes);
        return text + ")";
    }
    if (region.element_bytes <= sizeof(long long)) {
        long long value = 0;
        std::memcpy(&value, at, region.element_bytes);
        if (region.element_bytes == sizeof(int)) value = static_cast<int>(value);
        return to_text(value);
    }
    // A struct: its bytes, most of them as the integers that they may be.
    std::string text = "{";
    for (std::size_t part = 0; part < region.element_bytes && part < 16; part += sizeof(int)) {
        int value = 0;
        std::memcpy(&value, at + part, std::min(sizeof value, region.element_bytes - part));
        text += (part ? ", " : "") + std::to_string(value);
    }
    return text + (region.element_bytes > 16 ? ", ...}" : "}");
}

// Elements of the same type, of any region.
using Type = std::pair<std::size_t, std::size_t>;  // bytes of an element, of a float in it
Type type_of(const Region& region) {
    return {std::max<std::size_t>(region.element_bytes, 1), region.float_bytes()};
}

using Elements = std::vector<std::pair<const unsigned char*, const Region*>>;

void sort(Elements& elements, const Type& type) {
    std::sort(elements.begin(), elements.end(), [&](const auto& a, const auto& b) {
        if (type.second == type.first) {
            const double x = number(a.first, type.first), y = number(b.first, type.first);
            if (x != y && !std::isnan(x) && !std::isnan(y)) return x < y;
            if (std::isnan(x) != std::isnan(y)) return std::isnan(y);
        }
        return std::memcmp(a.first, b.first, type.first) < 0;
    });
}

}  // namespace

void ScheduleCompare::keep(const std::vector<Region>& regions) {
    kept_ = true;
    results_.clear();
    for (const Region& region : regions)
        results_.emplace_back(region.first,
                              region.first + (is_compared(region) ? region.bytes : 0));
}

bool ScheduleCompare::is_same(const Region& region, std::size_t offset, const unsigned char* was,
                              const unsigned char* is, const Tolerance& tolerance) {
    const auto [bytes, float_bytes] = type_of(region);
    if (std::memcmp(was, is, bytes) == 0) return true;
    if (!tolerance || float_bytes == 0) return false;
    for (std::size_t part = 0; part + float_bytes <= bytes; part += float_bytes)
        if (!is_close(number(was + part, float_bytes), number(is + part, float_bytes), float_bytes,
                      tolerance(region, offset + part)))
            return false;
    return true;
}

void ScheduleCompare::put_back(const std::vector<Region>& regions) const {
    for (std::size_t i = 0; i < regions.size() && i < results_.size(); ++i)
        std::copy(results_[i].begin(), results_[i].end(),
                  const_cast<unsigned char*>(regions[i].first));
}

std::optional<Difference> ScheduleCompare::compare(const std::vector<Region>& regions,
                                                   const Tolerance& tolerance) const {
    for (std::size_t i = 0; i < regions.size() && i < results_.size(); ++i) {
        const Region& region = regions[i];
        const auto& before = results_[i];
        if (!is_compared(region) || before.size() != region.bytes ||
            std::memcmp(before.data(), region.first, region.bytes) == 0)
            continue;
        const std::size_t step = type_of(region).first;
        for (std::size_t at = 0; at + step <= region.bytes; at += step) {
            const unsigned char *was = before.data() + at, *is = region.first + at;
            if (!is_same(region, at, was, is, tolerance))
                return Difference{region, at / step, text_of(region, was), text_of(region, is)};
        }
    }
    return std::nullopt;
}

std::optional<Difference> ScheduleCompare::compare_sets(const std::vector<Region>& regions,
                                                        const Tolerance& tolerance) const {
    std::map<Type, std::pair<Elements, Elements>> sets;  // in the first schedule, in this one
    for (std::size_t i = 0; i < regions.size() && i < results_.size(); ++i) {
        const Region& region = regions[i];
        if (!is_compared(region) || results_[i].size() != region.bytes) continue;
        const Type type = type_of(region);
        for (std::size_t at = 0; at + type.first <= region.bytes; at += type.first) {
            sets[type].first.emplace_back(results_[i].data() + at, &region);
            sets[type].second.emplace_back(region.first + at, &region);
        }
    }
    for (auto& [type, set] : sets) {
        auto& [before, after] = set;
        sort(before, type);
        sort(after, type);
        for (std::size_t i = 0; i < before.size(); ++i) {
            const auto& [was, region] = before[i];
            const auto& [is, other] = after[i];
            if (is_same(*region, 0, was, is, tolerance)) continue;
            const auto offset = static_cast<std::size_t>(is - other->first);
            return Difference{*other, offset / type.first, text_of(*region, was),
                              text_of(*other, is)};
        }
    }
    return std::nullopt;
}

}  // namespace lanes::gpu::simulator
