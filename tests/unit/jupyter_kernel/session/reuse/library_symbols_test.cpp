#include "session/reuse/library_symbols.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace {

using xcpp_session::LibrarySymbols;

std::size_t size_by_dladdr(void* handle, const char* name) {
    Dl_info info{};
    const ElfW(Sym)* symbol = nullptr;
    void* address = dlsym(handle, name);
    if (!address ||
        dladdr1(address, &info, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol)),
                RTLD_DL_SYMENT) == 0 ||
        !symbol)
        return 0;
    return symbol->st_size;
}

TEST(LibrarySymbols, TellsTheSizesThatTheLoaderTells) {
    void* library = dlopen("libstdc++.so.6", RTLD_NOW);
    ASSERT_NE(library, nullptr) << dlerror();
    const LibrarySymbols symbols(library);
    for (const char* name : {"_ZNSo5flushEv", "_ZNSsC1ERKSs", "_ZSt9terminatev",
                             "_ZNSt6thread4joinEv", "_ZNSo3putEc"}) {
        EXPECT_GT(symbols.size_of(name), 0U) << name;
        EXPECT_EQ(symbols.size_of(name), size_by_dladdr(library, name)) << name;
    }
}

TEST(LibrarySymbols, KnowsOnlyWhatTheLibraryItselfDefines) {
    void* library = dlopen("libstdc++.so.6", RTLD_NOW);
    ASSERT_NE(library, nullptr) << dlerror();
    const LibrarySymbols symbols(library);
    EXPECT_EQ(symbols.size_of("no_such_function"), 0U);
    EXPECT_EQ(symbols.size_of(""), 0U);
    ASSERT_NE(dlsym(library, "malloc"), nullptr) << "dlsym asks the dependencies, too";
    EXPECT_EQ(symbols.size_of("malloc"), 0U);
}

TEST(LibrarySymbols, OfNoLibraryThereAreNone) {
    EXPECT_EQ(LibrarySymbols(nullptr).size_of("malloc"), 0U);
}

}  // namespace
