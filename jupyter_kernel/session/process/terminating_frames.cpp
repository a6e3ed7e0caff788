#include "terminating_frames.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <unwind.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <typeinfo>

// What the unwinder calls for each function of C++, to search its handlers.
extern "C" _Unwind_Reason_Code __gxx_personality_v0(int version, _Unwind_Action, std::uint64_t,
                                                    _Unwind_Exception*, _Unwind_Context*);

namespace xcpp_session {
namespace {

// What stands before a thrown object, see unwind-cxx.h of libstdc++. The layout is that of the
// Itanium ABI.
struct ExceptionHeader {
    const std::type_info* type;
    void (*destructor)(void*);
    void (*unexpected)();
    void (*terminate)();
    ExceptionHeader* next;
    int handler_count;
    int handler_kind;  // what was found: > 0 a catch, < 0 a list of types that may pass
    const unsigned char* action;
    const unsigned char* table;
    _Unwind_Ptr handler;  // 0: std::terminate
    void* object;
    _Unwind_Exception unwind;
};
static_assert(offsetof(ExceptionHeader, unwind) == 80);

constexpr std::uint64_t gnu_cxx = 0x474e'5543'432b'2b00;  // "GNUCC++\0"

struct Search {
    ExceptionHeader header{};
    const void* session = nullptr;  // where this program is loaded
    bool terminates = false;
};

_Unwind_Reason_Code look_at(_Unwind_Context* frame, void* data) {
    auto& [header, session, terminates] = *static_cast<Search*>(data);
    if (_Unwind_GetLanguageSpecificData(frame) == 0) return _URC_NO_REASON;  // handles nothing
    Dl_info where{};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the unwinder gives addresses as numbers
    const bool known = dladdr(reinterpret_cast<const void*>(_Unwind_GetIP(frame)), &where) != 0;
    if (known && where.dli_fname && std::strstr(where.dli_fname, "/libc.so"))
        return _URC_NO_REASON;  // C: a table of another kind
    if (__gxx_personality_v0(1, _UA_SEARCH_PHASE, gnu_cxx, &header.unwind, frame) !=
        _URC_HANDLER_FOUND)
        return _URC_NO_REASON;
    terminates = header.handler == 0 || header.handler_kind < 0;
    // The session's own handler is around the cell. Another one, as those of std::ostream, may
    // throw the exception again.
    const bool is_around_the_cell = known && where.dli_fbase == session;
    return terminates || is_around_the_cell ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

bool exception_would_terminate() {
    static const abi::__class_type_info type("interruption");  // only catch (...) takes it
    Search search;
    search.header.type = &type;
    search.header.unwind.exception_class = gnu_cxx;
    Dl_info own{};
    if (dladdr(reinterpret_cast<const void*>(&exception_would_terminate), &own) != 0)
        search.session = own.dli_fbase;
    _Unwind_Backtrace(look_at, &search);
    return search.terminates;
}

}  // namespace xcpp_session
