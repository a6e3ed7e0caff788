#include "kept_process.hpp"

#include <dlfcn.h>

namespace lanes {

namespace {

template <class Function>
Function jupyter_kernel_function(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

KeptProcess::KeptProcess(const char* what) : number_(-1) {
    if (const auto keep = jupyter_kernel_function<int (*)(const char*)>("xcpp_keep_process"))
        number_ = keep(what);
}

KeptProcess::~KeptProcess() {
    if (number_ < 0) return;
    if (const auto release = jupyter_kernel_function<int (*)(int)>("xcpp_release_process"))
        release(number_);
}

void this_thread_is_replaceable() {
    if (const auto declare = jupyter_kernel_function<int (*)()>("xcpp_thread_is_replaceable"))
        declare();
}

}  // namespace lanes
