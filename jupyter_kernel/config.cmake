# Writes build/xcpp17.json, the file that kernel.json passes as --config.
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

json_list(arguments ${XCPP_CELL_FLAGS})
json_list(includes ${XCPP_CELL_INCLUDES})
json_list(libraries ${XCPP_CELL_LIBRARIES})
json_list(instantiations ${XCPP_INSTANTIATIONS})
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/xcpp17.json CONTENT "{
    \"arguments\": ${arguments},
    \"includes\": ${includes},
    \"libraries\": ${libraries},
    \"pch\": \"${XCPP_PCH}\",
    \"pch_header\": \"${XCPP_PCH_HEADER}\",
    \"instantiations\": ${instantiations},
    \"first_templates\": \"${CMAKE_CURRENT_SOURCE_DIR}/precompiled/first_templates.txt\",
    \"first_cells\": \"${CMAKE_CURRENT_SOURCE_DIR}/precompiled/first_cells.txt\",
    \"hints\": \"${XCPP_CELL_HINTS}\"
}
")

# The kernelspec. Each argv is absolute: a client may start us from anywhere.
set(kernelspec ${CMAKE_BINARY_DIR}/share/jupyter/kernels/xcpp17)
json_list(argv ${CMAKE_BINARY_DIR}/bin/xcpp17 -f "{connection_file}" --config ${CMAKE_BINARY_DIR}/xcpp17.json -std=c++17)
file(GENERATE OUTPUT ${kernelspec}/kernel.json CONTENT "{
    \"argv\": ${argv},
    \"display_name\": \"C++17\",
    \"language\": \"C++17\",
    \"interrupt_mode\": \"signal\",
    \"metadata\": {\"debugger\": false}
}
")
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/kernelspec/logo-svg.svg ${kernelspec}/logo-svg.svg COPYONLY)
