// Counters of memory traffic, as a GPU's profiler would show them. A request is one instruction of
// one warp. In the simulator the lanes run one after another, so their accesses have to be grouped
// again: two lanes belong to one request if both execute the same instruction for the n-th time
// since the last barrier.
#pragma once

#include "lanes/gpu/report.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace lanes::gpu::simulator {

enum class Traffic : std::uint8_t {
    none,
    global_load,
    global_store,
    shared_load,
    shared_store,
    atomic
};

class RequestCounter {
public:
    // A site is an instruction of the CUDA kernel, numbered from 1.
    void block_begins(std::uint32_t threads, bool looked_at);
    void thread_runs(std::uint32_t thread) {
        if (!on_) return;
        forget_chains();
        times_ = &times_of_thread_[std::size_t(thread) * sites_];
        warp_ = thread / 32;
        lane_ = thread % 32;
        thread_ = thread;
    }
    void thread_returned(std::uint32_t thread);
    // A barrier or the end of the block: accesses before and after it are never grouped.
    void segment_ends();
    void needs_site(std::uint32_t site);

    bool is_on() const { return on_; }

    // The widest vectors that the program uses, in bytes, for elements of 4 and of 8 bytes. The
    // compiler splits an access to a float4 into smaller ones; they are joined again, because a GPU
    // executes one instruction.
    void vectors(unsigned of_four_bytes, unsigned of_eight_bytes) {
        vector_bytes_[0] = of_four_bytes, vector_bytes_[1] = of_eight_bytes;
    }

    // where: offset in a region whose address is a multiple of 128. element: size of the region's
    // elements in bytes.
    void access(std::uint32_t site, Traffic kind, const void* region, std::uint64_t where,
                unsigned bytes, std::size_t element) {
        const std::uint32_t time = times_[site]++;
        if (time >= most_times) return;
        const bool shared = kind == Traffic::shared_load || kind == Traffic::shared_store;
        const unsigned shift = shared ? 2 : 5;
        const auto first = static_cast<std::uint32_t>(where >> shift),
                   last = static_cast<std::uint32_t>((where + bytes - 1) >> shift);
        if (has_vectors()) find_chain(where, kind, region);
        if (where == chain_.end && chain_.kind == kind && chain_.region == region &&
            continues(where, bytes, element)) {
            chain_.end += bytes;
            ++accesses_[static_cast<int>(kind)];
            ++joined_[static_cast<int>(kind)];
            return add(group_at(chain_.site, chain_.index, kind, 1), first, last);
        }
        // Wide accesses to shared memory are executed by halves or quarters of a warp.
        const unsigned parts = shared && bytes > 4 ? bytes / 4 : 1;
        const std::uint32_t index = time * parts + (parts == 1 ? 0 : lane_ * parts / 32);
        Group& group = group_at(site, index, kind, parts);
        group.lanes |= 1u << lane_;
        add(group, first, last);
        chain_ = {site, index, kind, region, where, where + bytes};
    }

    // The thread has reached a part of the code. If threads that reached the previous part together
    // continue in different parts, the branch between was divergent.
    void arrives(std::uint32_t site) {
        forget_chains();
        Group& from = last_part();
        if (from.next == 0) from.next = site;
        if (from.next != site && !from.diverged) {
            from.diverged = true;
            ++divergent_branches_;
        }
        const std::uint32_t time = times_[site]++;
        if (time >= most_times) return;
        group_at(site, time, Traffic::none, 1);
        last_[thread_] = {site, time};
    }

    // Requests, sectors, conflicts and divergent branches of the blocks that were counted.
    const Counters& counted() const { return counters_; }
    std::uint64_t accesses(Traffic kind) const {
        return accesses_[static_cast<int>(kind)];
    }  // how many accesses of single threads these requests consist of
    std::uint64_t joined(Traffic kind) const {
        return joined_[static_cast<int>(kind)];
    }  // how many of them were only parts of a vector
    std::uint64_t divergent_branches() const { return divergent_branches_; }

private:
    // Executions of one instruction by one thread between two barriers; later ones are not counted.
    static constexpr std::uint32_t most_times = 2048;
    static constexpr int runs = 5;

    struct Run {
        std::uint32_t first, last;  // consecutive sectors of 32 bytes, or words of 4
    };
    struct Group {
        std::uint32_t lanes = 0, next = 0;
        std::uint32_t more = 0;  // 1 + index in more_, if the runs below are not enough
        std::uint8_t count = 0;
        Traffic kind = Traffic::none;
        std::uint8_t parts = 1;
        bool diverged = false;
        Run run[runs];
    };
    struct At {
        std::uint32_t site, time;
    };
    struct Chain {  // the last access of the thread
        std::uint32_t site = 0, index = 0;
        Traffic kind = Traffic::none;
        const void* region = nullptr;
        std::uint64_t begin = 0, end = 0;
    };

    Group& group_at(std::uint32_t site, std::uint32_t index, Traffic kind, unsigned parts) {
        auto& groups = groups_[warp_ * sites_ + site];
        if (index >= groups.size()) grow(groups, index, kind, parts);
        return groups[index];
    }
    void add(Group& group, std::uint32_t first, std::uint32_t last) {
        if (group.count) {
            Run& latest = group.run[group.count - 1];
            if (first >= latest.first && last <= latest.last) return;
            if (first >= latest.first && first <= latest.last + 1 && !group.more) {
                latest.last = last;
                return;
            }
        }
        add_run(group, first, last);
    }
    // Whether an access that starts where the last one ended can be the next part of the same
    // vector.
    bool continues(std::uint64_t where, unsigned bytes, std::size_t element) const {
        const unsigned whole = bytes == 8 && element < 8 ? 16
                               : bytes == 4              ? vector_bytes_[0]
                               : bytes == 8              ? vector_bytes_[1]
                                                         : 0;
        return whole && chain_.begin % whole == 0 && where + bytes <= chain_.begin + whole;
    }
    // Parts of two vectors may alternate, a.x b.x a.y b.y: the chain that this access continues
    // becomes the current one.
    void forget_chains() {
        chain_ = {};
        if (has_vectors()) others_[0] = others_[1] = {};
    }
    bool has_vectors() const { return vector_bytes_[0] | vector_bytes_[1]; }
    void find_chain(std::uint64_t where, Traffic kind, const void* region) {
        if (where == chain_.end && chain_.kind == kind && chain_.region == region) return;
        for (Chain& other : others_)
            if (where == other.end && other.kind == kind && other.region == region)
                return std::swap(chain_, other);
        std::swap(others_[1], others_[0]);
        others_[0] = chain_;
        chain_ = {};
    }
    Group& last_part();
    void grow(std::vector<Group>& groups, std::uint32_t index, Traffic kind, unsigned parts);
    void add_run(Group& group, std::uint32_t first, std::uint32_t last);
    void finish(const std::vector<Group>& groups);
    std::uint32_t units(const Group& group, std::vector<std::uint32_t>& into) const;

    bool on_ = false;
    std::size_t sites_ = 16;
    std::uint32_t threads_ = 0, warp_ = 0, lane_ = 0, thread_ = 0;
    std::uint32_t* times_ = nullptr;
    std::vector<std::uint32_t> times_of_thread_;
    std::vector<std::vector<Group>> groups_;  // by warp and site, then by time
    std::vector<std::vector<Group>> spare_;   // by site
    std::vector<At> last_;                    // by thread
    std::vector<std::uint32_t> returned_;     // by warp
    std::vector<std::vector<Run>> more_;
    std::size_t more_used_ = 0;
    Counters counters_;
    Chain chain_, others_[2];
    unsigned vector_bytes_[2] = {};
    std::uint64_t accesses_[6] = {}, joined_[6] = {};
    std::uint64_t divergent_branches_ = 0;
};

}  // namespace lanes::gpu::simulator
