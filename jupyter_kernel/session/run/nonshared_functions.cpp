// Functions that glibc does not export: libc_nonshared.a links them into each program, and code
// that the JIT has compiled looks for them in this one.
#include <pthread.h>

#include <cstdlib>

extern "C" {

// glibc's own entry points behind the two; a null handle belongs to the program itself.
int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* handle);
int __cxa_at_quick_exit(void (*function)(void*), void* handle);

int pthread_atfork(void (*prepare)(), void (*parent)(), void (*child)()) noexcept {
    return __register_atfork(prepare, parent, child, nullptr);
}
}

// <cstdlib> gives it the linkage of C++ and the name of C.
int at_quick_exit(void (*function)()) noexcept {
    return __cxa_at_quick_exit(reinterpret_cast<void (*)(void*)>(function), nullptr);
}
