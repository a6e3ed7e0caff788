# The configuration (xcpp17.json, which kernel.json passes as --config) and the kernelspec: for this
# build, and for `cmake --install --component kernel`, see install.cmake.
function(json_list out)
    set(text "")
    foreach(item ${ARGN})
        string(REPLACE "\\" "\\\\" item "${item}")
        string(REPLACE "\"" "\\\"" item "${item}")
        string(APPEND text "${separator}\n        \"${item}\"")
        set(separator ",")
    endforeach()
    set(${out} "[${text}\n    ]" PARENT_SCOPE)
endfunction()

# The text of xcpp17.json. Values: INCLUDES, LIBRARIES, INSTANTIATIONS (lists), PCH, PCH_HEADER, LISTS
# (the folder of first_templates.txt and first_cells.txt), HINTS, ANALYSIS.
function(kernel_config out)
    cmake_parse_arguments(its "" "PCH;PCH_HEADER;LISTS;HINTS;ANALYSIS"
                          "INCLUDES;LIBRARIES;INSTANTIATIONS" ${ARGN})
    json_list(arguments ${XCPP_CELL_FLAGS})
    json_list(includes ${its_INCLUDES})
    json_list(libraries ${its_LIBRARIES})
    json_list(instantiations ${its_INSTANTIATIONS})
    set(${out} "{
    \"arguments\": ${arguments},
    \"includes\": ${includes},
    \"libraries\": ${libraries},
    \"pch\": \"${its_PCH}\",
    \"pch_header\": \"${its_PCH_HEADER}\",
    \"instantiations\": ${instantiations},
    \"first_templates\": \"${its_LISTS}/first_templates.txt\",
    \"first_cells\": \"${its_LISTS}/first_cells.txt\",
    \"hints\": \"${its_HINTS}\",
    \"analysis\": \"${its_ANALYSIS}\"
}
" PARENT_SCOPE)
endfunction()

# The C++ standards that have a kernelspec: xcpp17, xcpp20, … All share programs and configuration; what
# another standard than that of XCPP_CELL_FLAGS needs precompiled is made at its first start.
set(XCPP_STANDARDS 17 20 23)

# The text of kernel.json. Each path is absolute: a client may start us from anywhere.
function(kernelspec out standard program config)
    json_list(argv ${program} -f "{connection_file}" --config ${config} -std=c++${standard})
    set(${out} "{
    \"argv\": ${argv},
    \"display_name\": \"C++${standard}\",
    \"language\": \"C++${standard}\",
    \"interrupt_mode\": \"signal\",
    \"metadata\": {\"debugger\": false}
}
" PARENT_SCOPE)
endfunction()

kernel_config(text INCLUDES ${XCPP_CELL_INCLUDES}
              LIBRARIES ${XCPP_CELL_LIBRARIES} $<TARGET_FILE:xcpp_widgets>
              INSTANTIATIONS ${XCPP_INSTANTIATIONS} PCH ${XCPP_PCH} PCH_HEADER ${XCPP_PCH_HEADER}
              LISTS ${CMAKE_CURRENT_SOURCE_DIR}/precompiled HINTS ${XCPP_CELL_HINTS}
              ANALYSIS ${XCPP_CELL_ANALYSIS})
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/xcpp17.json CONTENT "${text}")
foreach(standard ${XCPP_STANDARDS})
    set(folder ${CMAKE_BINARY_DIR}/share/jupyter/kernels/xcpp${standard})
    kernelspec(text ${standard} ${CMAKE_BINARY_DIR}/bin/xcpp17 ${CMAKE_BINARY_DIR}/xcpp17.json)
    file(GENERATE OUTPUT ${folder}/kernel.json CONTENT "${text}")
    configure_file(${CMAKE_CURRENT_SOURCE_DIR}/kernelspec/logo-svg.svg ${folder}/logo-svg.svg COPYONLY)
endforeach()
