// thread_local in cells. The JIT of clang 19 emulates it (no TLS segment of its own): each variable
// X has a control block __emutls_v.X, and code asks __emutls_get_address for the calling thread's
// copy. The function here takes the place of libgcc's, for one more thing: a control block may
// stand for a true thread_local of the process. std::call_once, and with it std::async and
// std::promise, needs that for two variables of libstdc++ that the header and the library share.
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

namespace {

// As compilers emit it, in libgcc's layout.
struct Control {
    std::size_t size;
    std::size_t alignment;  // 0: true_address tells where the variable is
    union {
        std::atomic<std::uintptr_t>
            index;  // 0 until first use, then its place in a thread's table, counted from 1
        void* (*true_address)();
    };
    const void* initial;  // nullptr: zeros

    constexpr explicit Control(void* (*address)())
        : size(0), alignment(0), true_address(address), initial(nullptr) {}
};

// The copies that belong to one thread.
struct Table {
    std::size_t size;
    void* copies[];
};

pthread_key_t table_key;
std::atomic<std::uintptr_t> last_index{0};

// Runs after the destructors of the thread's thread_local objects (__cxa_thread_atexit), so that
// these still find their storage.
void free_table(void* pointer) {
    auto* table = static_cast<Table*>(pointer);
    for (std::size_t i = 0; i < table->size; ++i) std::free(table->copies[i]);
    std::free(table);
}

void make_key() { pthread_key_create(&table_key, free_table); }

std::uintptr_t index_of(Control& control) {
    std::uintptr_t index = control.index.load(std::memory_order_acquire);
    if (index) return index;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    const std::uintptr_t fresh = ++last_index;
    return control.index.compare_exchange_strong(index, fresh) ? fresh : index;
}

void*& copy_of(std::uintptr_t index) {
    auto* table = static_cast<Table*>(pthread_getspecific(table_key));
    if (!table || table->size < index) {
        const std::size_t old_size = table ? table->size : 0;
        const std::size_t size = index + 32;
        auto* larger =
            static_cast<Table*>(std::realloc(table, sizeof(Table) + size * sizeof(void*)));
        if (!larger) throw std::bad_alloc();
        table = larger;
        std::fill_n(table->copies + old_size, size - old_size, nullptr);
        table->size = size;
        pthread_setspecific(table_key, table);
    }
    return table->copies[index - 1];
}

void* make_copy(const Control& control) {
    void* copy = nullptr;
    if (posix_memalign(&copy, control.alignment < sizeof(void*) ? sizeof(void*) : control.alignment,
                       control.size ? control.size : 1) != 0)
        throw std::bad_alloc();
    if (control.initial)
        std::memcpy(copy, control.initial, control.size);
    else
        std::memset(copy, 0, control.size);
    return copy;
}

void* once_callable() { return static_cast<void*>(&std::__once_callable); }
void* once_call() { return static_cast<void*>(&std::__once_call); }

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void* __emutls_get_address(Control* control) {
    if (control->alignment == 0) return control->true_address();
    void*& copy = copy_of(index_of(*control));
    if (!copy) copy = make_copy(*control);
    return copy;
}

extern Control xcpp_once_callable __asm__("__emutls_v._ZSt15__once_callable");
extern Control xcpp_once_call __asm__("__emutls_v._ZSt11__once_call");
__attribute__((visibility("default"), used)) Control xcpp_once_callable(once_callable);
__attribute__((visibility("default"), used)) Control xcpp_once_call(once_call);
}
