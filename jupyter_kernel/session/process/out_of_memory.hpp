// The memory that cells ask for, and the message if there is none.
#pragma once

namespace xcpp_session {

// "the memory limit was reached: 64 MB were asked for, …", of the request that failed last.
// Allocates nothing.
const char* out_of_memory_words(const char* when = "");

}  // namespace xcpp_session
