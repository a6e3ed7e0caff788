// thread_local in cells. The JIT of clang 19 emulates it (no TLS segment of its own): each variable
// X has a control block __emutls_v.X, and code asks __emutls_get_address for the calling thread's
// copy. The function here interposes libgcc's, for one more thing: a control block may stand for a
// true thread_local of the process. std::call_once, and with it std::async and std::promise, needs
// that for two variables of libstdc++ that the header and the library share.
#include <dlfcn.h>

#include <cstddef>
#include <mutex>

namespace {

// As compilers emit it, in libgcc's layout.
struct Control {
    std::size_t size;
    std::size_t alignment;    // 0: true_address tells where the variable is
    void* (*true_address)();  // otherwise libgcc's own
    const void* initial;

    constexpr explicit Control(void* (*address)())
        : size(0), alignment(0), true_address(address), initial(nullptr) {}
};

void* once_callable() { return static_cast<void*>(&std::__once_callable); }
void* once_call() { return static_cast<void*>(&std::__once_call); }

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void* __emutls_get_address(Control* control) {
    static const auto next =
        reinterpret_cast<void* (*)(Control*)>(dlsym(RTLD_NEXT, "__emutls_get_address"));
    return control->alignment == 0 ? control->true_address() : next(control);
}

extern Control xcpp_once_callable __asm__("__emutls_v._ZSt15__once_callable");
extern Control xcpp_once_call __asm__("__emutls_v._ZSt11__once_call");
__attribute__((visibility("default"), used)) Control xcpp_once_callable(once_callable);
__attribute__((visibility("default"), used)) Control xcpp_once_call(once_call);
}
