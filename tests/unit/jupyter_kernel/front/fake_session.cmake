# The front's tests start xcpp17 with a fake session behind it.
if(TARGET jupyter_kernel_front_test AND TARGET xcpp17)
    add_executable(xcpp17_fake_session ${CMAKE_CURRENT_LIST_DIR}/fake_session.cpp)
    target_link_libraries(xcpp17_fake_session PRIVATE xcpp_wire)
    target_compile_definitions(jupyter_kernel_front_test PRIVATE FAKE_SESSION="$<TARGET_FILE:xcpp17_fake_session>" FRONT_PROGRAM="$<TARGET_FILE:xcpp17>")
    add_dependencies(jupyter_kernel_front_test xcpp17_fake_session xcpp17)
endif()
