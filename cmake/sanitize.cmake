# LANES_SANITIZE=address, undefined, thread, or several of them separated by commas
# (address,undefined).
set(LANES_SANITIZE "" CACHE STRING "Sanitizers to build with: address, undefined, thread")
if(LANES_SANITIZE)
    add_compile_options(-fsanitize=${LANES_SANITIZE} -fno-omit-frame-pointer -g -O1)
    add_link_options(-fsanitize=${LANES_SANITIZE})
    if(LANES_SANITIZE MATCHES "undefined")
        # vptr needs RTTI, which code that uses LLVM does not have.
        add_compile_options(-fno-sanitize=vptr -fno-sanitize-recover=undefined)
    endif()
endif()
