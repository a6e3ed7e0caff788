# The target clang_libraries: what code needs that works with clang's syntax trees (the session of
# the Jupyter kernel, src/analysis).
foreach(what cppflags libdir)
    execute_process(COMMAND llvm-config-19 --${what} OUTPUT_VARIABLE llvm_${what}
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endforeach()
string(REPLACE "-I" "-isystem" llvm_cppflags "${llvm_cppflags}")
separate_arguments(llvm_cppflags)
add_library(clang_libraries INTERFACE)
# LLVM is built without RTTI.
target_compile_options(clang_libraries INTERFACE ${llvm_cppflags} -fno-rtti)
target_link_libraries(clang_libraries INTERFACE -L${llvm_libdir} clang-cpp LLVM-19)
