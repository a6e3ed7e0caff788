# `make kernel`: the Jupyter kernel alone, without the course.
#   cmake --build build --target kernel && cmake --install build --component kernel --prefix FOLDER
# The target builds what is installed. FOLDER/share/jupyter is where Jupyter finds the kernelspec.
add_custom_target(kernel DEPENDS xcpp17 xcpp17-session xcpp_program xcpp_widgets xcpp17_instantiations)

install(TARGETS xcpp17 xcpp17-session RUNTIME DESTINATION bin COMPONENT kernel)
install(TARGETS xcpp_program ARCHIVE DESTINATION lib COMPONENT kernel)
install(TARGETS xcpp_widgets LIBRARY DESTINATION lib COMPONENT kernel)
install(FILES ${XCPP_INSTANTIATIONS} DESTINATION lib COMPONENT kernel)
install(DIRECTORY include/ DESTINATION include COMPONENT kernel)
install(DIRECTORY precompiled/ DESTINATION share/xcpp17 COMPONENT kernel
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.txt" PATTERN "CMakeLists.txt" EXCLUDE)
foreach(standard ${XCPP_STANDARDS})
    install(FILES kernelspec/logo-svg.svg DESTINATION share/jupyter/kernels/xcpp${standard} COMPONENT kernel)
endforeach()

# Both files name the folder, which is known when cmake installs.
list(TRANSFORM XCPP_INSTANTIATIONS REPLACE "^.*/" "@FOLDER@/lib/" OUTPUT_VARIABLE instantiations)
kernel_config(text INCLUDES @FOLDER@/include LIBRARIES ${OPENMP_LIBRARY} ${OPENBLAS_LIBRARY}
              @FOLDER@/lib/libxcpp_widgets.so INSTANTIATIONS ${instantiations} PCH @FOLDER@/share/xcpp17/xcpp17.pch
              PCH_HEADER @FOLDER@/share/xcpp17/precompiled.hpp LISTS @FOLDER@/share/xcpp17)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/xcpp17.json.in "${text}")
foreach(standard ${XCPP_STANDARDS})
    kernelspec(text ${standard} @FOLDER@/bin/xcpp17 @FOLDER@/share/xcpp17/xcpp17.json)
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/kernel${standard}.json.in "${text}")
endforeach()

# A precompiled header is valid only for headers at the paths that it was made from, so it is made
# there.
list(JOIN XCPP_CELL_FLAGS "\" \"" flags)
install(CODE "
    get_filename_component(FOLDER \"\${CMAKE_INSTALL_PREFIX}\" ABSOLUTE)
    set(share \"\${FOLDER}/share\")
    configure_file(\"${CMAKE_CURRENT_BINARY_DIR}/xcpp17.json.in\" \"\${share}/xcpp17/xcpp17.json\" @ONLY)
    foreach(standard ${XCPP_STANDARDS})
        configure_file(\"${CMAKE_CURRENT_BINARY_DIR}/kernel\${standard}.json.in\"
                       \"\${share}/jupyter/kernels/xcpp\${standard}/kernel.json\" @ONLY)
    endforeach()
    message(STATUS \"Precompiling: \${share}/xcpp17/xcpp17.pch\")
    execute_process(
        COMMAND ${CMAKE_CXX_COMPILER} \"${flags}\" \"-I\${FOLDER}/include\" -Xclang
                -fincremental-extensions -fpch-instantiate-templates -x c++-header
                \"\${share}/xcpp17/precompiled.hpp\" -o \"\${share}/xcpp17/xcpp17.pch\"
        COMMAND_ERROR_IS_FATAL ANY)" COMPONENT kernel)
