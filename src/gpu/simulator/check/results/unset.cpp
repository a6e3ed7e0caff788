#include "unset.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace lanes::gpu::simulator {
namespace {

template <class T>
T value_at(const Region& region, std::size_t index) {
    T value;
    std::memcpy(&value, region.first + index * sizeof(T), sizeof(T));
    return value;
}

// The marks of clang and g++, for each size, and the mark of a float that was converted to double.
bool is_mark(std::uint32_t bits) { return bits == 0xffffffffu || bits == 0xfefefefeu; }
bool is_mark(std::uint64_t bits) {
    return bits == ~std::uint64_t(0) || bits == 0xffffffffe0000000u ||
           bits == 0xfefefefefefefefeu || bits == 0xc7dfdfdfc0000000u;
}

template <class T>
std::size_t first_mark(const Region& region, std::size_t from) {
    const std::size_t count = region.bytes / sizeof(T);
    while (from < count && !is_mark(value_at<T>(region, from))) ++from;
    return from;
}

// Index of the first mark at or after `from`; the number of elements if there is none.
std::size_t mark_in(const Region& region, std::size_t from) {
    return region.element_bytes == 8 ? first_mark<std::uint64_t>(region, from)
                                     : first_mark<std::uint32_t>(region, from);
}

bool holds_floats(const Region& region) {
    return region.is_float && (region.element_bytes == 4 || region.element_bytes == 8);
}

// The mark may be intended if the text makes floats out of bits, or if an input contains it.
bool may_be_meant(const std::vector<Region>& regions, const std::string& text,
                  const AccessCheck& check) {
    for (const char* word :
         {"_as_float", "_as_double", "reinterpret_cast<float", "reinterpret_cast<double", "union"})
        if (text.find(word) != std::string::npos) return true;
    return std::any_of(regions.begin(), regions.end(), [&](const Region& region) {
        return holds_floats(region) && check.read(region).any &&
               mark_in(region, 0) < region.bytes / region.element_bytes;
    });
}

}  // namespace

std::vector<RawFinding> unset_results(const std::vector<Region>& regions,
                                      const std::string& program_text, const AccessCheck& check) {
    std::vector<RawFinding> findings;
    for (const Region& region : regions) {
        if (region.kind != Region::Kind::global || region.read_only || !holds_floats(region))
            continue;
        const std::size_t count = region.bytes / region.element_bytes;
        std::size_t index = mark_in(region, 0);
        for (; index < count; index = mark_in(region, index + 1))
            if (const auto writer = check.writer(region, index * region.element_bytes)) {
                RawFinding finding;
                finding.kind = FindingKind::uninitialised_read;
                finding.unset = true;
                finding.first.place.block_number = writer->block_number;
                finding.first.place.thread_number = writer->thread_number;
                finding.first.code = writer->code;
                finding.first.write = true;
                finding.region = region;
                finding.offset = static_cast<std::ptrdiff_t>(index * region.element_bytes);
                findings.push_back(std::move(finding));
                break;
            }
    }
    if (!findings.empty() && may_be_meant(regions, program_text, check)) findings.clear();
    return findings;
}

}  // namespace lanes::gpu::simulator
