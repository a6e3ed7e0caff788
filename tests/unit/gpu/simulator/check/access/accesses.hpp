// For the tests of AccessCheck: accesses of single threads, made by hand, and what was reported
// about them.
#pragma once

#include "gpu/simulator/check/access/access_check.hpp"
#include "gpu/simulator/interface/tables.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lanes::gpu::simulator {

struct Abandoned {};

// Records the reports as short texts: "race x[3] line 2 write against line 1 read by block 0 thread
// 5".
class Notes : public AccessSink {
public:
    std::vector<std::string> texts;

private:
    static int line(const void* code) {
        return static_cast<int>(reinterpret_cast<std::uintptr_t>(code) - first_code());
    }
    static std::string kind(bool write, bool atomic) {
        return atomic ? "atomic" : write ? "write" : "read";
    }
    static std::string element(const Region& region, std::size_t offset) {
        return region.name + "[" + std::to_string(offset / region.element_bytes) + "]";
    }

    void race(const Region& region, std::size_t offset, const Access& access,
              const Remembered& before) override {
        texts.push_back(
            "race " + element(region, offset) + " line " + std::to_string(line(access.code)) + " " +
            kind(access.write, access.atomic) + " against line " +
            std::to_string(line(before.code)) + " " + kind(before.write, before.atomic) +
            " by block " + std::to_string(before.block_number) + " thread " +
            std::to_string(before.thread_number));
    }
    void same_value(const Region& region, std::size_t offset, const Access& access,
                    const Remembered&) override {
        texts.push_back("same value " + element(region, offset) + " line " +
                        std::to_string(line(access.code)));
    }
    void uninitialised(const Region& region, std::size_t offset, const Access& access) override {
        texts.push_back("uninitialised " + element(region, offset) + " line " +
                        std::to_string(line(access.code)));
    }
    void constant(const Region& region, const Access&) override {
        texts.push_back("written " + region.name);
    }
    void misaligned(const Region& region, std::size_t offset, const Access&) override {
        texts.push_back("misaligned " + region.name + " byte " + std::to_string(offset));
    }
    void outside(const void* address, const Region* near, bool, const Access&) override {
        texts.push_back(
            "outside " +
            (near ? near->name + " " +
                        std::to_string(static_cast<const unsigned char*>(address) - near->first)
                  : ""));
    }
    void unset(const char* name, const Access& access) override {
        texts.push_back(std::string("unset ") + name + " line " +
                        std::to_string(line(access.code)));
    }
    bool beyond(const BeyondArray& array, const Access&) override {
        texts.push_back("beyond " + std::string(array.type) + " " + std::to_string(array.index));
        return array.index >= 0;
    }
    void abandon() override { throw Abandoned(); }
    void waits_forever(const Access&) override {
        texts.push_back("waits forever");
        throw Abandoned();
    }
    void start_over(const Region& region) override {
        texts.push_back("start over " + region.name);
        throw Abandoned();
    }
    bool is_own_stack(const void*) override { return false; }

public:
    static std::uintptr_t first_code() {
        return reinterpret_cast<std::uintptr_t>(&Notes::first_code);
    }
};

class AccessCheckTest : public testing::Test {
protected:
    AccessCheckTest() : check(notes, Checks()) {
        regions = {region(Region::Kind::global, x, "x"), region(Region::Kind::global, y, "y")};
        shared = {region(Region::Kind::shared, tile, "tile")};
        memory_allocated(x, sizeof x);
        memory_written(x, sizeof x);
        memory_allocated(y, sizeof y);
        check.launch_begins(regions);
    }
    ~AccessCheckTest() override {
        memory_freed(x, sizeof x);
        memory_freed(y, sizeof y);
    }

    template <std::size_t n>
    static Region region(Region::Kind kind, const int (&values)[n], const char* name) {
        Region result;
        result.kind = kind;
        result.first = reinterpret_cast<const unsigned char*>(values);
        result.bytes = sizeof values;
        result.element_bytes = sizeof(int);
        result.name = name;
        return result;
    }
    void block(std::uint32_t number) { check.block_begins(number, 64, shared, true); }
    static const void* code(int line) {
        return reinterpret_cast<const void*>(Notes::first_code() +
                                             static_cast<std::uintptr_t>(line));
    }
    static const lanes_hook_table& hooks() {
        return *static_cast<const lanes_hook_table*>(AccessCheck::hooks());
    }
    void read(std::uint32_t thread, const void* at, int line) {
        check.thread_runs(thread);
        hooks().read[2](at, code(line));
    }
    void write(std::uint32_t thread, const void* at, int line) {
        static int different = 0;
        store(thread, at, line, ++different);
    }
    void store(std::uint32_t thread, const void* at, int line, int value) {
        check.thread_runs(thread);
        hooks().write[2](at, code(line));
        *const_cast<int*>(static_cast<const int*>(at)) = value;
        check.thread_runs(thread);  // only the next event can see the value
    }
    void volatile_read(std::uint32_t thread, const void* at, int line) {
        check.thread_runs(thread);
        hooks().volatile_read[2](at, code(line));
    }
    void volatile_write(std::uint32_t thread, const void* at, int line) {
        check.thread_runs(thread);
        hooks().volatile_write[2](at, code(line));
    }
    void atomic(std::uint32_t thread, const void* at, int line, bool compares = false) {
        check.thread_runs(thread);
        hooks().atomic(at, 4, compares, code(line));
    }
    using Texts = std::vector<std::string>;

    // In one struct, with a gap before y: compilers may order separate variables in any way.
    struct Arrays {
        alignas(256) int x[100];
        alignas(256) int y[100];
        alignas(256) int tile[64];
    };
    static inline Arrays arrays;
    static constexpr auto &x = arrays.x, &y = arrays.y;
    static constexpr auto& tile = arrays.tile;
    Notes notes;
    AccessCheck check;
    std::vector<Region> regions, shared;
};

}  // namespace lanes::gpu::simulator
