// Counters of memory traffic, as a GPU's profiler would show them. A request is one instruction of
// one warp. In the simulator the lanes run one after another, so their accesses have to be grouped
// again: two lanes belong to one request if both execute the same instruction for the n-th time
// since the last barrier. Every access of the text arrives here (compile/compiler.cpp); what a GPU
// would have in a register is left out by the rule in lanes/gpu/report.hpp.
#pragma once

#include <algorithm>
#include <array>
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
        forget_registers();
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

    // where: offset in the region, whose address is a multiple of 128. element: size of its
    // elements in bytes.
    void access(std::uint32_t site, Traffic kind, const void* region, std::uint64_t where,
                unsigned bytes, std::size_t element) {
        const std::uint32_t time = times_[site]++;
        if (time >= most_times) return;
        const bool shared = kind == Traffic::shared_load || kind == Traffic::shared_store;
        const unsigned shift = shared ? 2 : 5;
        const auto first = static_cast<std::uint32_t>(where >> shift),
                   last = static_cast<std::uint32_t>((where + bytes - 1) >> shift);
        // Wide accesses to shared memory are executed by halves or quarters of a warp.
        const unsigned parts = shared && bytes > 4 ? bytes / 4 : 1;
        const std::uint32_t index = time * parts + (parts == 1 ? 0 : lane_ * parts / 32);
        Group& group = group_at(site, index, kind, parts);
        group.lanes |= 1u << lane_;
        const bool loads = kind == Traffic::global_load || kind == Traffic::shared_load;
        if (!loads) forget_registers();
        const std::uint32_t reader = loads ? reader_of(site, region, where, bytes, element) : 0;
        group.found = group.found && reader != 0;
        group.found_by_itself = group.found_by_itself && reader == site;
        group.bytes = static_cast<std::uint8_t>(bytes);
        add(group, first, last);
    }

    // The thread has reached a part of the code. If threads that reached the previous part together
    // continue in different parts, the branch between was divergent.
    void arrives(std::uint32_t site) {
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

    // What the executions of one instruction in the blocks that were counted add up to.
    struct Tally {
        std::uint64_t accesses = 0;     // of single threads
        std::uint64_t in_register = 0;  // accesses that are in none of these numbers
        std::uint64_t requests = 0;
        // Of global memory: sectors of 32 bytes, and how many would do if the same bytes lay side
        // by side.
        std::uint64_t sectors = 0, ideal_sectors = 0;
        std::uint64_t conflicts = 0;  // of shared memory
    };
    std::size_t sites() const { return by_site_.size(); }
    Tally of(std::size_t site, Traffic kind) const;
    Tally total(Traffic kind) const;  // of all sites
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
        std::uint8_t parts = 1, bytes = 0;  // bytes: of one lane's access
        bool diverged = false;
        // Each of the lanes has just read what it reads; by the same instruction.
        bool found = true, found_by_itself = true;
        Run run[runs];
    };
    struct At {
        std::uint32_t site, time;
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
    // The last elements that the running thread has read, the latest first.
    struct Register {
        const void* region = nullptr;
        std::uint64_t first = 0, last = 0;  // bytes
        std::uint32_t site = 0, other = 0;  // instructions that have read it: the first, the last
    };
    void forget_registers() { registers_ = {}; }
    // An instruction by which the thread has just read the same, this one if it is among them; 0 if
    // it has not. Now it has, by this one.
    std::uint32_t reader_of(std::uint32_t site, const void* region, std::uint64_t where,
                            unsigned bytes, std::size_t element) {
        Register read{region, where, where + bytes - 1, site, 0};
        if (element == 8 || element == 16)  // a float4: all of its members
            read = {region, where / element * element, (read.last / element + 1) * element - 1,
                    site, 0};
        std::size_t at = 0;
        while (at < registers_.size() &&
               !(registers_[at].region == region && registers_[at].first <= read.first &&
                 read.last <= registers_[at].last))
            ++at;
        const bool found = at < registers_.size();
        std::uint32_t reader = 0;
        if (found) {
            read = registers_[at];
            reader = read.other == site ? site : read.site;
            if (read.site != site) read.other = site;
            // An instruction that has read another element since: a loop over two arrays that
            // happen to be the same.
            if (reader == site &&
                std::any_of(registers_.begin(), registers_.begin() + std::ptrdiff_t(at),
                            [&](const Register& r) { return r.site == site || r.other == site; }))
                reader = 0;
        }
        for (std::size_t i = found ? at : at - 1; i > 0; --i) registers_[i] = registers_[i - 1];
        registers_[0] = read;
        return reader;
    }
    Group& last_part();
    void grow(std::vector<Group>& groups, std::uint32_t index, Traffic kind, unsigned parts);
    void add_run(Group& group, std::uint32_t first, std::uint32_t last);
    void finish(const std::vector<Group>& groups, std::size_t site);
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
    struct Tallies {
        Tally loaded;  // not found in registers
        Tally found;   // what another instruction had read
    };
    std::vector<std::array<Tallies, 6>> by_site_;  // by Traffic
    std::array<Register, 4> registers_;
    std::uint64_t divergent_branches_ = 0;
};

}  // namespace lanes::gpu::simulator
