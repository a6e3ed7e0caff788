#include "library.hpp"

#include "memory_file.hpp"

#include "lanes/base/error.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace lanes::gpu::simulator {

namespace {

// The loader identifies an object by its path, and file descriptors are reused. So each copy writes
// the path of its file differently.
std::string path_of(int file) {
    static std::atomic<unsigned> copies{0};
    std::string path = "/proc/self/fd/";
    for (unsigned number = ++copies; number > 0; number /= 2) path += number % 2 ? "./" : "/";
    return path + std::to_string(file);
}

void* load_copy(const std::string& object) {
    const MemoryFile file(object);  // it has its own inode
    void* handle = dlopen(path_of(file.descriptor()).c_str(), RTLD_NOW | RTLD_LOCAL);
    const char* reason = handle ? nullptr : dlerror();
    std::string why = reason ? reason : "";
    if (const std::size_t name = why.rfind("undefined symbol: "); name != std::string::npos)
        why = demangled(why.substr(name + std::strlen("undefined symbol: "))) +
              " is declared but nowhere defined";
    if (!handle)
        throw Error("Program: a CUDA text cannot be loaded: " + why +
                    ". All that it uses must stand in the same text.");
    return handle;
}

}  // namespace

Library::Library(const std::string& object) : handle_(load_copy(object)) {
    link_map* map = nullptr;
    if (dlinfo(handle_, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0 && map) base_ = map->l_addr;
    std::uintptr_t first = ~std::uintptr_t(0), last = 0;
    const Elf elf(object);
    for (const auto& section : elf.sections())
        if (section.executable) {
            first = std::min<std::uintptr_t>(first, section.address);
            last = std::max<std::uintptr_t>(last, section.address + section.bytes);
        }
    code_first_ = first;
    code_bytes_ = last > first ? last - first : 0;
    runtime_ = static_cast<const lanes_runtime**>(symbol("lanes_rt"));
    indices_ = static_cast<unsigned*>(find("lanes_indices"));
    if (!indices_) {
        begin_launch_ = reinterpret_cast<decltype(begin_launch_)>(symbol("lanes_begin_launch"));
        begin_block_ = reinterpret_cast<decltype(begin_block_)>(symbol("lanes_begin_block"));
    }
}

Library::~Library() { dlclose(handle_); }

void* Library::find(const std::string& name) const { return dlsym(handle_, name.c_str()); }

void* Library::symbol(const std::string& name) const {
    void* found = find(name);
    if (found == nullptr)
        throw Error("simulator: a compiled CUDA program has no ", name,
                    ". Delete the cache (LANES_CACHE) and try again.");
    return found;
}

const lanes_entry_record& Library::entry(int number) const {
    return *static_cast<const lanes_entry_record*>(symbol("lanes_entry_" + std::to_string(number)));
}

void Library::begin_launch(const unsigned grid[3], const unsigned block[3]) const {
    if (begin_launch_)
        return begin_launch_(grid[0], grid[1], grid[2], block[0], block[1], block[2]);
    std::copy_n(block, 3, indices_ + 6);
    std::copy_n(grid, 3, indices_ + 9);
}

void Library::begin_block(unsigned x, unsigned y, unsigned z) const {
    if (begin_block_) return begin_block_(x, y, z);
    indices_[3] = x, indices_[4] = y, indices_[5] = z;
}

void Library::set_thread(unsigned x, unsigned y, unsigned z) const {
    indices_[0] = x, indices_[1] = y, indices_[2] = z;
}

}  // namespace lanes::gpu::simulator
