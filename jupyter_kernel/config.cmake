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

# The text of kernel.json. Each path is absolute: a client may start us from anywhere.
function(kernelspec out program config)
    json_list(argv ${program} -f "{connection_file}" --config ${config} -std=c++17)
    set(${out} "{
    \"argv\": ${argv},
    \"display_name\": \"C++17\",
    \"language\": \"C++17\",
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
set(folder ${CMAKE_BINARY_DIR}/share/jupyter/kernels/xcpp17)
kernelspec(text ${CMAKE_BINARY_DIR}/bin/xcpp17 ${CMAKE_BINARY_DIR}/xcpp17.json)
file(GENERATE OUTPUT ${folder}/kernel.json CONTENT "${text}")
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/kernelspec/logo-svg.svg ${folder}/logo-svg.svg COPYONLY)
