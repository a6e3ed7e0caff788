# The arguments that clang gets for cells. One list for the interpreter, the precompiled header and
# the library of instantiations: a precompiled header that was built with other arguments is refused
# by clang.
#
#   XCPP_CELL_FLAGS          arguments, without include paths
#   XCPP_CELL_INCLUDES       folders, passed as -I in this order
#   XCPP_CELL_HINTS          file with hints for words that a cell does not know, may be empty: see
#                            session/clang/diagnostics/hints_configured.hpp
#   XCPP_CELL_ANALYSIS       library that analyses functions of cells, may be empty: see
#                            jupyter_kernel/include/xcpp/analysis.hpp
#   XCPP_ARCH                the CPU, a value of -march: set before this file is included
#   XCPP_PCH, XCPP_PCH_HEADER, XCPP_INSTANTIATIONS   where the build puts them
execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -print-resource-dir
    OUTPUT_VARIABLE XCPP_RESOURCE_DIR OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)

set(XCPP_CELL_FLAGS
    -std=c++17
    -O3
    -march=${XCPP_ARCH}  # never -mcpu=native: SIGILL on machines that hide SVE
    -fPIC
    -fopenmp
    # Otherwise clang looks for its own headers next to our executable.
    -resource-dir ${XCPP_RESOURCE_DIR}
    -Xclang -mno-constructor-aliases  # clang 19: returning a temporary fails to link in the JIT
    # xtensor 0.24.3 (Debian 12): ambiguous partial specializations of rebind_container
    -fno-relaxed-template-template-args
    -Wno-deprecated-no-relaxed-template-template-args
    # Integer division by zero and a function that ends without its return statement stop the cell
    # on every machine: the optimiser may remove the fault of x86, and aarch64 has none. The use of
    # a null pointer faults; otherwise the optimiser could remove the code around it. None of the
    # three costs measurable time.
    -fsanitize=integer-divide-by-zero,return -fsanitize-trap=integer-divide-by-zero,return
    -fno-delete-null-pointer-checks
    # An endless loop or recursion runs until it is interrupted or the stack overflows. C++ allows
    # the optimiser to assume that it ends; execution then continued with whatever came next in
    # memory.
    -fno-finite-loops
    # Tab and Shift-Tab show the comment at a declaration, also that of a library's header.
    -fparse-all-comments -fretain-comments-from-system-headers
    # xtensor-blas 0.21 (Debian 13) includes its settings too late: without this macro it multiplies
    # matrices by its own slow loops.
    -DHAVE_CBLAS=1
    -D__CLING__  # xtensor, xtl and xtensor-blas key their notebook support on it
)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    # The JIT has no __aarch64_ldadd4_acq_rel and similar functions.
    list(APPEND XCPP_CELL_FLAGS -mno-outline-atomics)
endif()

set(XCPP_PCH ${CMAKE_BINARY_DIR}/xcpp17.pch)
set(XCPP_PCH_HEADER ${CMAKE_BINARY_DIR}/xcpp17_pch.hpp)
set(XCPP_INSTANTIATIONS ${CMAKE_BINARY_DIR}/lib/libxcpp17_instantiations.so)
