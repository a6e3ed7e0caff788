// Looks at every access of a CUDA kernel while it runs: is it inside, was it initialised, does it
// race with an earlier one, and what traffic does it make. One launch at a time. What it finds goes
// to an AccessSink; the common case costs a few nanoseconds.
#pragma once

#include "gpu/simulator/memory/shadow.hpp"
#include "order.hpp"
#include "traffic.hpp"

#include "gpu/simulator/interface/watcher.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
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

// An access of before, as far as shadow memory remembers it.
struct Remembered {
    std::uint32_t block_number = 0, thread_number = 0;
    const void* code = nullptr;
    bool write = false, atomic = false;
};

// An index beyond an array, as the compiler tells it.
struct BeyondArray {
    const char* file;
    unsigned line, column;  // of the array's name in the text
    const char* type;       // "'float[4]'"
    long index;
};

class AccessSink {
public:
    virtual ~AccessSink() = default;
    virtual void race(const Region& region, std::size_t offset, const Access& access,
                      const Remembered& before) = 0;
    virtual void uninitialised(const Region& region, std::size_t offset, const Access& access) = 0;
    virtual void misaligned(const Region& region, std::size_t offset, const Access& access) = 0;
    virtual void constant(const Region& region, const Access& access) = 0;  // is written
    // near: the region that this instruction touched before, else the nearest one, else null.
    virtual void outside(const void* address, const Region* near, bool touched_before,
                         const Access& access) = 0;
    virtual void unset(const char* name, const Access& access) = 0;  // a local variable
    // False where the array is one whose accesses are looked at one by one: the index may stay
    // inside of another dimension.
    virtual bool beyond(const BeyondArray& array, const Access& access) = 0;
    // What a thread does after an access that must not happen: does not return.
    [[noreturn]] virtual void abandon() = 0;
    // A region that was taken to be read only is written after all, and who has read it was not
    // noted: the launch is to be run again, with this one watched.
    [[noreturn]] virtual void start_over(const Region& region) = 0;
    virtual bool is_own_stack(const void* address) = 0;
};

class AccessCheck {
public:
    // watched: where regions begin that are looked at whatever is promised of them.
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
    void fence(std::uint32_t thread, bool whole_device);
    void block_ends();
    void launch_ends();

    void vectors(unsigned of_four_bytes, unsigned of_eight_bytes) {
        requests_.vectors(of_four_bytes, of_eight_bytes);
    }  // see RequestCounter
    static void uses_compare_and_swap(
        bool uses);                 // the text; it does unless somebody says otherwise
    static void* hooks();           // what the hooks of the instrumented text call
    static std::uint32_t thread();  // that runs
    static void stop();             // enough was found: no further thread is to begin
    Counters counters() const;
    // What was written of a region in this launch: all in all, and from its beginning on without a
    // gap.
    struct Written {
        std::size_t bytes = 0, prefix_bytes = 0;
        bool in_place = false;                                 // what was written was read too
        bool rest_uninitialised = false, rest_unread = false;  // what was not written
    };
    // What was read of it.
    struct Read {
        bool any = false, watched = false;  // watched: `last` is known
        bool last = false;                  // its last element
    };
    Read read(const Region& region) const;
    bool is_written(const Region& region) const;  // anything of it
    bool writes_anything() const;                 // that outlives the launch
    bool touches_anything() const;                // likewise
    // Who wrote it last, where somebody did in this launch, and what was written has a value.
    std::optional<Remembered> writer(const Region& region, std::size_t offset) const;
    bool has_float_atomics() const { return float_atomics_; }
    Written written(const Region& region) const;

private:
    struct Place {
        Region region;
        std::shared_ptr<Shadow> shadow;  // none where it is clean
        bool clean = false;  // const to the CUDA kernel and initialised: no access can be wrong but
                             // one beyond its end
        bool is_read = false, is_written = false;  // in this launch
        std::size_t first_writes = 0;  // of four bytes that nobody had touched before in this
                                       // launch: so many were written at least
    };
    using Places = std::vector<std::shared_ptr<Place>>;
    // A plain read of what others change by atomic operations: a race, unless it is the look at the
    // old value in front of a loop around atomicCAS, which is known when some thread has gone on to
    // compare-and-swap.
    struct HeldRace {
        std::uint32_t reading_site;
        const Place* place;
        std::size_t offset;
        Access access;
        Remembered before;
    };
    friend struct AccessHooks;
    void see_current();
    void sort_places();
    void take_counts(lanes_site& site);  // of the place that it has touched so far
    bool is_clean(const Region& region, const std::vector<Region>& regions) const;
    Place* place_of(const void* address, std::size_t bytes);
    void hold_race(std::uint32_t reading_site, const lanes_site& site, std::size_t offset,
                   const Access& access, const Remembered& before);
    void tell_held();

    AccessSink& sink_;
    Checks checks_;
    std::set<const unsigned char*> watched_;
    std::vector<HeldRace> held_;
    RequestCounter requests_;
    Places launch_places_, shared_;  // shared_: of the current block; shadows are used again
    Places places_;                  // both, by address
    std::uint32_t block_number_ = 0;
    std::uint64_t exact_[6] = {};
    bool float_atomics_ = false;
};

}  // namespace lanes::gpu::simulator
