#include "handler_stack.hpp"

#include "threads_after_restore.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include <memory>
#include <new>

namespace xcpp_session {

HandlerStack::HandlerStack()
    : memory_(mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}

void HandlerStack::use() const {
    if (memory_ == MAP_FAILED) return;
    stack_t alternate{};
    alternate.ss_sp = memory_;
    alternate.ss_size = size_;
    sigaltstack(&alternate, nullptr);
}

HandlerStack::~HandlerStack() {
    if (memory_ == MAP_FAILED) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory_, size_);
}

}  // namespace xcpp_session

namespace {

struct Start {
    void* (*function)(void*);
    void* argument;
    bool is_counted;
};

void* run_thread(void* given) {
    const Start start = *std::unique_ptr<Start>(static_cast<Start*>(given));
    const xcpp_session::ThreadEnd end(start.is_counted);
    const xcpp_session::HandlerStack stack;  // goes when the thread ends, by pthread_exit, too
    stack.use();
    return start.function(start.argument);
}

}  // namespace

#if __has_feature(address_sanitizer)
// Its pthread_join refuses threads that its pthread_create has not seen. This is the name of that
// one where a program has its own.
extern "C" int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*),
                                            void*);
#endif

// Cells and libraries find this before the C library's.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*function)(void*), void* argument) {
#if __has_feature(address_sanitizer)
    const auto create = __interceptor_pthread_create;
#else
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
#endif
    auto start = std::unique_ptr<Start>(new (std::nothrow) Start{function, argument, false});
    if (!start) return create(thread, attributes, function, argument);
    const bool is_counted = start->is_counted = xcpp_session::count_thread(function);
    const int failed = create(thread, attributes, run_thread, start.get());
    if (failed != 0) {
        if (is_counted) xcpp_session::thread_did_not_start();
        return failed;
    }
    (void)start.release();  // NOLINT(bugprone-unused-return-value): the thread has it
    xcpp_session::thread_was_started(*thread);
    return 0;
}
