// Stands for the session, which the library asks whether the interrupt button was pressed. A
// program whose tests include this exports its functions (ENABLE_EXPORTS in CMakeLists.txt).
#pragma once

#include <atomic>

namespace lanes_test {

inline std::atomic<int> interrupt_pressed{0};

}  // namespace lanes_test

// inline: the tests of several folders may be linked to one program (tools/try-gpu).
extern "C" __attribute__((visibility("default"), used)) inline int xcpp_interrupted() {
    return lanes_test::interrupt_pressed;
}
