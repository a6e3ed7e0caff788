// Checks every memory access of a CUDA kernel while it runs: is it in bounds, was the memory
// initialised, does it race with an earlier access, and what traffic does it cause? One launch at a
// time. Findings go to an AccessSink. In the common case a check costs a few nanoseconds.
#pragma once

#include "access_recorder.hpp"
#include "gpu/simulator/memory/shadow.hpp"
#include "order.hpp"
#include "traffic.hpp"

#include "gpu/simulator/interface/watcher.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

struct lanes_site;  // hook_table.inc

namespace lanes::gpu::simulator {

struct Access {
    const void* code = nullptr;
    std::size_t bytes = 0;
    bool write = false, atomic = false, is_volatile = false;
    std::uint32_t block = 0, thread = 0;
};

// An earlier access, as far as shadow memory remembers it.
struct Remembered {
    std::uint32_t block_number = 0, thread_number = 0;
    const void* code = nullptr;
    bool write = false, atomic = false;
};

// An index past the end of an array, as the compiler reports it.
struct BeyondArray {
    const char* file;
    unsigned line, column;  // where the array's name stands in the text
    const char* type;       // "'float[4]'"
    long index;
};

class AccessSink {
public:
    virtual ~AccessSink() = default;
    virtual void race(const Region& region, std::size_t offset, const Access& access,
                      const Remembered& before) = 0;
    // Several threads write the same value there, and nothing orders them.
    virtual void same_value(const Region& region, std::size_t offset, const Access& access,
                            const Remembered& before) = 0;
    virtual void uninitialised(const Region& region, std::size_t offset, const Access& access) = 0;
    virtual void misaligned(const Region& region, std::size_t offset, const Access& access) = 0;
    virtual void constant(const Region& region, const Access& access) = 0;  // a constant is written
    // near: the region that this instruction accessed before, otherwise the nearest one, or null.
    virtual void outside(const void* address, const Region* near, bool touched_before,
                         const Access& access) = 0;
    virtual void unset(const char* name, const Access& access) = 0;  // a local variable is read
    // Returns false if each access to the array is checked anyway: the index may be out of its own
    // dimension and still inside the array.
    virtual bool beyond(const BeyondArray& array, const Access& access) = 0;
    // Ends a thread that was about to make an access that must not happen. Does not return.
    [[noreturn]] virtual void abandon() = 0;
    // A thread reads the same volatile value again and again, and no other thread runs meanwhile.
    // Does not return.
    [[noreturn]] virtual void waits_forever(const Access& access) = 0;
    // A region that was assumed to be read-only is written, and its readers were not recorded: the
    // launch must run again with this region watched. Does not return.
    [[noreturn]] virtual void start_over(const Region& region) = 0;
    virtual bool is_own_stack(const void* address) = 0;
};

class AccessCheck {
public:
    // watched: first addresses of regions that are always checked, even if they are declared const.
    AccessCheck(AccessSink& sink, const Checks& checks,
                std::set<const unsigned char*> watched = {});
    ~AccessCheck();
    AccessCheck(const AccessCheck&) = delete;
    AccessCheck& operator=(const AccessCheck&) = delete;

    void launch_begins(const std::vector<Region>& regions);
    void block_begins(std::uint32_t block_number, std::uint32_t threads,
                      const std::vector<Region>& shared, bool counted);
    void thread_runs(std::uint32_t thread);
    void thread_returned(std::uint32_t thread);
    void barrier_passed();
    void warp_passed(std::uint32_t warp, std::uint32_t mask);
    void tile_passed(std::uint32_t first_thread, std::uint32_t count);
    void fence(std::uint32_t thread, bool whole_device);
    void block_ends();
    void block_waits();  // for the grid; block_continues is its next turn
    void grid_passed();
    void block_continues(std::uint32_t block_number, std::uint32_t threads,
                         const std::vector<Region>& shared, bool counted);
    void launch_ends();

    // Whether the program's text uses compare-and-swap. The default is true.
    static void uses_compare_and_swap(bool uses);
    static void* hooks();           // table of functions that instrumented code calls
    static std::uint32_t thread();  // the thread that is running
    static void stop();             // enough was found: no further thread starts
    Counters counters() const;
    // By instruction, scaled like the counters.
    std::vector<std::pair<const void*, LineTraffic>> traffic() const;
    AccessRecorder recorder;
    // What this launch has written of a region: in total, and from its start without a gap.
    struct Written {
        std::size_t bytes = 0, prefix_bytes = 0;
        bool in_place = false;                                 // what was written was also read
        bool rest_uninitialised = false, rest_unread = false;  // about what was not written
    };
    // What this launch has read of a region.
    struct Read {
        bool any = false, watched = false;  // watched: `last` is known
        bool last = false;                  // whether the last element was read
    };
    Read read(const Region& region) const;
    bool is_written(const Region& region) const;  // any part of it
    bool writes_anything() const;                 // to memory that outlives the launch
    bool touches_anything() const;                // reads or writes such memory
    // The last thread that wrote the element in this launch. Empty if none did, or if the value it
    // wrote was uninitialised.
    std::optional<Remembered> writer(const Region& region, std::size_t offset) const;
    bool has_float_atomics() const { return float_atomics_; }
    // The sum of the absolute values that atomicAdd has added to a float: its rounding errors are
    // relative to that. For a region without such sums, the largest one of the launch, because what
    // is in the region may have been computed from it.
    double added(const Region& region, std::size_t offset) const;
    struct AtomicSite {
        const void* code;
        bool many_addresses;
    };
    std::vector<AtomicSite> atomic_sites() const;
    Written written(const Region& region) const;

private:
    struct Place {
        Region region;
        std::shared_ptr<Shadow> shadow;  // null if the region is clean
        // Clean: const to the CUDA kernel and initialised. Only an access past its end can be
        // wrong.
        bool clean = false;
        bool is_read = false, is_written = false;  // in this launch
        // How many cells (four bytes each) were written that no thread had touched before in this
        // launch: a lower bound of what was written.
        std::size_t first_writes = 0;
        std::vector<float> added = {};  // by cell; empty if nothing was added to floats
        void add(std::size_t offset, double value) {
            if (added.empty()) added.resize((region.bytes + 3) / 4);
            added[offset / 4] += static_cast<float>(value);
        }
    };
    using Places = std::vector<std::shared_ptr<Place>>;
    // A plain read of a value that others change by atomic operations. It is a race, unless it
    // reads the old value for a loop around atomicCAS. That is known only when some thread has
    // executed the compare-and-swap.
    struct DeferredRace {
        std::uint32_t reading_site;
        const Place* place;
        std::size_t offset;
        Access access;
        Remembered before;
    };
    friend struct AccessHooks;
    void see_current();
    void sort_places();
    // Adds them to the region that the site has accessed so far.
    void take_counts(lanes_site& site);
    bool is_clean(const Region& region, const std::vector<Region>& regions) const;
    RequestCounter::Tally scaled(RequestCounter::Tally tally, Traffic kind) const;
    Place* place_of(const void* address, std::size_t bytes);
    void defer_race(std::uint32_t reading_site, const lanes_site& site, std::size_t offset,
                    const Access& access, const Remembered& before);
    void report_deferred_races();

    AccessSink& sink_;
    Checks checks_;
    std::set<const unsigned char*> watched_;
    std::vector<DeferredRace> held_;
    RequestCounter requests_;
    Places launch_places_,
        shared_;     // shared_: regions of the current block; their shadows are reused
    Places places_;  // both of these, sorted by address
    // What shared memory of blocks that wait for the grid holds, by block and region.
    std::map<std::uint32_t, std::vector<Values>> waiting_;
    std::uint32_t block_number_ = 0;
    std::uint64_t exact_[6] = {};
    bool float_atomics_ = false;
    float largest_added_ = 0;  // of shared memory, in earlier blocks
};

}  // namespace lanes::gpu::simulator
