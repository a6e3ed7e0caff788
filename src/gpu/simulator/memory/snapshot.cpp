#include "snapshot.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lanes::gpu::simulator {

namespace {

// Bytes that are not set to zero first.
class Bytes {
public:
    unsigned char* data() const { return bytes_.get(); }
    // Makes room for `size` bytes and keeps the first `used`.
    void reserve(std::size_t size, std::size_t used) {
        if (size <= size_) return;
        std::unique_ptr<unsigned char[]> larger(new unsigned char[size]);
        if (used > 0) std::memcpy(larger.get(), bytes_.get(), used);
        bytes_ = std::move(larger);
        size_ = size;
    }
    void shrink(std::size_t most) {
        if (size_ > most) bytes_.reset(), size_ = 0;
    }

private:
    std::unique_ptr<unsigned char[]> bytes_;
    std::size_t size_ = 0;
};

constexpr std::size_t most_kept = std::size_t{64} << 20;

Bytes& kept() {
    static Bytes bytes;
    return bytes;
}

}  // namespace

Snapshot::Snapshot(const std::vector<Region>& regions) {
    std::size_t bytes = 0;
    for (const Region& region : regions) {
        if (region.kind == Region::Kind::global)
            values_.emplace(region.first, values_at(region.first));
        if (!region.read_only) bytes += region.bytes;
    }
    kept().reserve(bytes, 0);
    for (const Region& region : regions)
        if (!region.read_only) add(region);
}

Snapshot::~Snapshot() { kept().shrink(most_kept); }

void Snapshot::add(const Region& region) {
    if (std::any_of(regions_.begin(), regions_.end(),
                    [&](const Region& other) { return other.first == region.first; }))
        return;
    kept().reserve(bytes_ + region.bytes, bytes_);
    std::memcpy(kept().data() + bytes_, region.first, region.bytes);
    regions_.push_back(region);
    bytes_ += region.bytes;
}

Holding Snapshot::holding(const Region& region) const {
    const auto found = values_.find(region.first);
    return found == values_.end() ? Holding::everything : found->second.holding;
}

void Snapshot::restore() const {
    std::size_t at = 0;
    for (const Region& region : regions_)
        std::memcpy(const_cast<unsigned char*>(region.first),
                    kept().data() + std::exchange(at, at + region.bytes), region.bytes);
}

void Snapshot::restore_values() const {
    restore();
    for (const Region& region : regions_)
        if (const auto found = values_.find(region.first); found != values_.end())
            set_values(region.first, found->second);
}

}  // namespace lanes::gpu::simulator
