#include "gpu/source/flags.hpp"

#include "gpu/devices.hpp"

namespace lanes::gpu {
namespace {

TEST(Flags, OneSpelling) {
    EXPECT_EQ(normal_flags({"-D", "N=3", "-DM", "--define-macro=K=4", "-UQ", "-I", "folder",
                            "-Iother", "-use_fast_math", "-lineinfo", "-std=c++20",
                            "-maxrregcount=32", "--fmad=false", "-G"}),
              (std::vector<std::string>{"-DN=3", "-DM", "-DK=4", "-UQ", "-Ifolder", "-Iother",
                                        "--use_fast_math", "--generate-line-info", "--std=c++20",
                                        "--maxrregcount=32", "--fmad=false", "--device-debug"}));
    EXPECT_TRUE(normal_flags({}).empty());
}

TEST(Flags, OthersAreRefusedByName) {
    for (const char* flag :
         {"-arch=sm_80", "--gpu-architecture=sm_90", "-O3", "-lcudart", "nonsense", "-std=c++03",
          "-maxrregcount=many", "-fmad=perhaps", "-D", "-std"}) {
        const std::string error = error_of([&] { normal_flags({flag}); });
        EXPECT_NE(error.find("'" + std::string(flag) + "'"), std::string::npos) << error;
    }
}

}  // namespace
}  // namespace lanes::gpu
