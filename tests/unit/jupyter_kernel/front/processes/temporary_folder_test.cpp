#include "front/processes/temporary_folder.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;
using xcpp_front::TemporaryFolder;

TEST(TemporaryFolder, GoesWithAllThatIsInItAndThoseOfTheDead) {
    std::string place = testing::TempDir() + "temporary-XXXXXX";
    ASSERT_NE(::mkdtemp(place.data()), nullptr);
    const std::string before = std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "";
    ::setenv("TMPDIR", place.c_str(), 1);
    const auto make = [](const fs::path& path) {
        fs::create_directories(path / "work");
        std::ofstream(path / "work" / "a.o") << "bytes";
    };
    const pid_t dead = ::fork();
    if (dead == 0) ::_exit(0);
    ::waitpid(dead, nullptr, 0);
    const fs::path abandoned = fs::path(place) / ("xcpp17-" + std::to_string(dead) + "-0a1b2c3d");
    const fs::path in_use =
        fs::path(place) / ("xcpp17-" + std::to_string(::getppid()) + "-0a1b2c3d");
    const fs::path of_a_user = fs::path(place) / "xcpp17-mine";
    {
        const TemporaryFolder folder;
        EXPECT_EQ(std::getenv("XCPP_TEMPORARY"), folder.path().string());
        EXPECT_EQ(folder.path().parent_path(), place);
        EXPECT_FALSE(fs::exists(folder.path()));  // until somebody needs it
        for (const auto& path : {folder.path(), abandoned, in_use, of_a_user}) make(path);
        folder.remove();
        EXPECT_FALSE(fs::exists(folder.path()));
        make(folder.path());
    }
    EXPECT_FALSE(fs::exists(abandoned));
    EXPECT_TRUE(fs::exists(in_use));
    EXPECT_TRUE(fs::exists(of_a_user));
    fs::remove_all(in_use);
    fs::remove_all(of_a_user);
    EXPECT_TRUE(fs::is_empty(place));
    fs::remove_all(place);
    before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
}

}  // namespace
