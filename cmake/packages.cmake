# Debian's libraries. OpenBLAS is given by its folder: Debian's alternatives may select the OpenMP
# build, which needs libgomp.
set(openblas ${CMAKE_CXX_LIBRARY_ARCHITECTURE}/openblas-pthread)
find_library(
    OPENBLAS_LIBRARY NAMES libopenblas.so.0 PATHS /usr/lib/${openblas} NO_DEFAULT_PATH REQUIRED)
find_path(OPENBLAS_INCLUDE cblas.h PATHS /usr/include/${openblas} NO_DEFAULT_PATH REQUIRED)
find_library(OPENMP_LIBRARY NAMES libomp.so.5 PATHS /usr/lib/llvm-19/lib NO_DEFAULT_PATH REQUIRED)
find_library(BOOST_CONTEXT_LIBRARY NAMES libboost_context.a REQUIRED)
find_path(XXHASH_INCLUDE xxhash.h REQUIRED)  # header-only
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_library(TURBOJPEG_LIBRARY NAMES turbojpeg REQUIRED)
find_package(GTest REQUIRED)
find_package(xtensor REQUIRED)
find_path(CPPZMQ_INCLUDE zmq_addon.hpp REQUIRED)  # header-only
find_package(nlohmann_json REQUIRED)
find_library(ZMQ_LIBRARY zmq REQUIRED)
find_library(CRYPTO_LIBRARY crypto REQUIRED)  # of OpenSSL
set(MPI_CXX_SKIP_MPICXX ON)  # the C functions only
find_package(MPI QUIET COMPONENTS CXX)  # for the module distributed only
