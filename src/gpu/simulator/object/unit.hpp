// One compiled translation unit of a CUDA program, and its private copies, one per worker.
#pragma once

#include "elf.hpp"
#include "gpu/simulator/interface/watcher.hpp"
#include "library.hpp"

#include "gpu/source/signature.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// A __constant__ or __device__ variable of a program. Its value is stored here; copies of the
// program receive it before a launch and return it afterwards.
struct ProgramVariableState {
    Variable declaration;
    std::vector<unsigned char> value;
    std::uint64_t version = 0;
    bool known = false;  // whether `value` is set
};

class Unit {
public:
    // entries: name expressions, in the order of their LANES_ENTRY numbers.
    Unit(std::string object, std::vector<std::string> entries)
        : object_(std::move(object)), entries_(std::move(entries)), elf_(object_) {}

    int number_of(const std::string& entry) const;  // -1 if it is not in this unit
    // The worker's own copy, loaded on first use.
    const Library& copy(int worker);
    std::size_t copies();

    // Static shared memory that the entry uses: its own arrays and those of __device__ functions.
    // Addresses are those of the copy.
    std::vector<Region> shared_arrays(const Library& copy, const std::string& entry,
                                      const std::vector<Signature>& signatures) const;
    std::size_t shared_bytes(const std::string& entry,
                             const std::vector<Signature>& signatures) const;

    // The symbol of a variable of the program; null if this unit does not have it.
    const ElfSymbol* find_variable(const Variable& variable) const;

    const std::string& object() const { return object_; }
    Unit(const Unit&) = delete;
    Unit& operator=(const Unit&) = delete;

    // For each copy, which version of each variable it has. Used only by the launch that has
    // reserved the worker.
    std::vector<std::vector<std::uint64_t>> seen_versions;

    // Per entry: whether any checked launch has written something, and whether its hints were
    // printed. One launch is checked at a time.
    struct HintState {
        bool wrote = false;
        bool printed = false;
    };
    std::map<std::string, HintState> hint_states;

private:
    std::vector<const ElfSymbol*> shared_symbols(const std::string& entry,
                                                 const std::vector<Signature>& signatures) const;

    std::string object_;
    std::vector<std::string> entries_;
    Elf elf_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Library>> copies_;
};

}  // namespace lanes::gpu::simulator
