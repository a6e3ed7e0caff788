// Functions that may not throw: noexcept functions, destructors, and the regions of OpenMP. An
// exception that leaves one ends the process.
#pragma once

namespace xcpp_session {

// Whether an exception thrown by the caller would meet such a function on its way to the cell. It
// asks the unwinder what it would do. Not noexcept: a call of a function that cannot throw is
// itself a place where an exception ends the process.
bool exception_would_terminate();

}  // namespace xcpp_session
