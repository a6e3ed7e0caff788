// Emulated thread_local, as the JIT's code uses it.
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

namespace {

struct Control {
    std::size_t size, alignment;
    void* index;
    const void* initial;
};

}  // namespace

extern "C" void* __emutls_get_address(Control*);

namespace {

TEST(Runtime, EachThreadHasItsOwnCopy) {
    static const int seven = 7;
    static Control control{sizeof(int), alignof(int), nullptr, &seven};
    int& mine = *static_cast<int*>(__emutls_get_address(&control));
    EXPECT_EQ(mine, 7);
    mine = 8;
    std::thread([] { EXPECT_EQ(*static_cast<int*>(__emutls_get_address(&control)), 7); }).join();
    EXPECT_EQ(*static_cast<int*>(__emutls_get_address(&control)), 8);
}

TEST(Runtime, ManyVariablesZeroAndAligned) {
    static Control controls[100];
    for (auto& control : controls) {
        control = {100, 64, nullptr, nullptr};
        auto* bytes = static_cast<unsigned char*>(__emutls_get_address(&control));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % 64, 0u);
        EXPECT_EQ(bytes[99], 0);
        bytes[99] = 1;
    }
    for (auto& control : controls)
        EXPECT_EQ(static_cast<unsigned char*>(__emutls_get_address(&control))[99], 1);
}

TEST(Runtime, CallOnceSharesItsVariablesWithTheLibrary) {
    auto* callable = static_cast<Control*>(dlsym(RTLD_DEFAULT, "__emutls_v._ZSt15__once_callable"));
    auto* call = static_cast<Control*>(dlsym(RTLD_DEFAULT, "__emutls_v._ZSt11__once_call"));
    ASSERT_TRUE(callable);
    ASSERT_TRUE(call);
    EXPECT_EQ(__emutls_get_address(callable), &std::__once_callable);
    EXPECT_EQ(__emutls_get_address(call), &std::__once_call);
    std::thread([&] { EXPECT_EQ(__emutls_get_address(call), &std::__once_call); }).join();
}

}  // namespace
