#include "front/processes/openmp_files.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;

TEST(OpenmpFiles, ThoseOfProcessesThatAreGoneAreRemoved) {
    std::string pattern = (fs::temp_directory_path() / "xcpp-test-openmp-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    const fs::path folder = pattern;
    const pid_t gone = fork();
    if (gone == 0) _exit(0);
    waitpid(gone, nullptr, 0);
    const auto file = [&](pid_t pid, uid_t user, const std::string& end = "") {
        const fs::path path = folder / ("__KMP_REGISTERED_LIB_" + std::to_string(pid) + "_" +
                                        std::to_string(user) + end);
        std::ofstream(path) << "x";
        return path;
    };
    const fs::path abandoned = file(gone, getuid()), in_use = file(getpid(), getuid()),
                   of_another = file(gone, getuid() + 1), no_such = file(gone, getuid(), "_x");
    xcpp_front::remove_abandoned_openmp_files(folder);
    EXPECT_FALSE(fs::exists(abandoned));
    EXPECT_TRUE(fs::exists(in_use));
    EXPECT_TRUE(fs::exists(of_another));
    EXPECT_TRUE(fs::exists(no_such));
    fs::remove_all(folder);
    xcpp_front::remove_abandoned_openmp_files(folder);  // that there is no such folder is no error
}

}  // namespace
