# Sourced by tools/program and tools/try-gpu: compiles the library without CMake, on a machine that
# has a C++17 compiler but none of the course's packages.

# -ffp-contract=off: the same random numbers as with clang++, for which src/base/rng.cpp has a
# pragma. -U_FORTIFY_SOURCE: Ubuntu's g++ sets it, and glibc would then report a switch between the
# stacks of two fibers as an error.
standalone_flags="-std=c++17 -O3 -march=native -fopenmp -fPIC -pthread -ffp-contract=off"
standalone_flags+=" -U_FORTIFY_SOURCE -DLANES_SOURCE_DIR=\"$root\""
standalone_flags+=" -I$root/include -I$root/src -I$root/.cache/try-gpu/include ${CPPFLAGS:-}"

has_header() {
    # shellcheck disable=SC2086
    "${CXX:-g++}" $standalone_flags -E -x c++ -include "$1" /dev/null &> /dev/null
}
# Without OpenBLAS the library multiplies matrices itself, more slowly.
has_header cblas.h || standalone_flags+=" -DLANES_STANDALONE"

# OpenBLAS, and libraries for compressed files and pictures, if this machine has their headers. The
# sources test for the latter by __has_include; without them they can read neither.
standalone_libraries() {
    local header
    echo "-L$root/.cache/try-gpu/lib -Wl,-rpath,$root/.cache/try-gpu/lib"
    for header in cblas.h:-lopenblas zlib.h:-lz png.h:-lpng16 turbojpeg.h:-lturbojpeg; do
        ! has_header "${header%:*}" || echo "${header#*:}"
    done
}

object_of() { echo "$objects/${1//\//_}.o"; }

# Whether the object of a source was made by this command, from files that have not changed since.
is_up_to_date() {
    local object files
    object=$(object_of "$1")
    [[ -f $object && -f $object.d && $(cat "$object.command" 2> /dev/null) == "$command" ]] || return 1
    files=$(sed -e 's/^[^:]*://' -e 's/\\$//' "$object.d") # what g++ -MMD wrote: "a.o: a.cpp a.hpp \"
    # shellcheck disable=SC2086
    [[ -z $(find $files -newer "$object" -print -quit 2>&1) ]] # a header that is gone is an error
}

compile_one() {
    local object
    object=$(object_of "$1")
    is_up_to_date "$1" && return 0
    rm -f "$object.command"
    # shellcheck disable=SC2086
    $compiler $flags -MMD -MF "$object.d" -c "$1" -o "$object"
    echo "$command" > "$object.command"
}

# Reads names of sources from standard input and compiles them into $objects, with $compiler and
# $flags, if their text, headers, flags or compiler have changed. Prints the objects.
compile_changed() {
    local sources source
    mkdir -p "$objects"
    sources=$(cat)
    command="$($compiler --version | head -n 1) $flags"
    export compiler flags objects command
    export -f object_of is_up_to_date compile_one
    xargs -P "${TRY_JOBS:-$(build_jobs)}" -I {} bash -c 'set -e; compile_one {}' <<< "$sources" >&2
    for source in $sources; do object_of "$source"; done
}
