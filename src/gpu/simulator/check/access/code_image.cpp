#include "code_image.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstring>

namespace lanes::gpu::simulator {
namespace {

struct Search {
    std::uintptr_t code;
    CodeImage found;
};

int look(dl_phdr_info* info, std::size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    CodeImage image;
    image.path = info->dlpi_name;
    image.base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        if (header.p_type != PT_LOAD) continue;
        const std::uintptr_t first = info->dlpi_addr + header.p_vaddr;
        (header.p_flags & PF_W ? image.writable : image.read_only)
            .emplace_back(first, header.p_memsz);
        if ((header.p_flags & PF_X) && search.code - first < header.p_memsz) {
            image.code_first = first;
            image.code_bytes = header.p_memsz;
        }
    }
    if (image.code_bytes == 0) return 0;
    search.found = std::move(image);
    return 1;
}

}  // namespace

std::pair<std::uintptr_t, std::size_t> CodeImage::own_variable(const void* address) const {
    Dl_info info;
    ElfW(Sym)* symbol = nullptr;
    if (!is_inside(address) ||
        !dladdr1(address, &info, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) ||
        !info.dli_sname || !symbol)
        return {};
    if (std::strncmp(info.dli_sname, "lanes_", 6) != 0 ||
        std::strcmp(info.dli_sname, "lanes_dynamic_shared") == 0)
        return {};
    return {reinterpret_cast<std::uintptr_t>(info.dli_saddr), symbol->st_size};
}

CodeImage image_of(const void* code) {
    Search search{reinterpret_cast<std::uintptr_t>(code), {}};
    dl_iterate_phdr(look, &search);
    return search.found;
}

}  // namespace lanes::gpu::simulator
