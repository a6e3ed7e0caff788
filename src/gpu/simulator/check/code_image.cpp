#include "code_image.hpp"

#include <link.h>

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
        (header.p_flags & PF_W ? image.writable : image.read_only).emplace_back(first, header.p_memsz);
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

CodeImage image_of(const void* code) {
    Search search{reinterpret_cast<std::uintptr_t>(code), {}};
    dl_iterate_phdr(look, &search);
    return search.found;
}

}  // namespace lanes::gpu::simulator
