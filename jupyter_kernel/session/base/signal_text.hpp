// What a signal means that has ended a program, for the user.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace xcpp_session {

std::string signal_name(int number);  // "SIGSEGV"

// "segmentation fault (SIGSEGV): a null pointer was used". fault_address: if it is known.
std::string signal_text(int number, std::optional<std::uint64_t> fault_address = {});

}  // namespace xcpp_session
