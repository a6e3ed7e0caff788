#include "front/processes/temporary_folder.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <memory>
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
    if (dead == 0) {
        const TemporaryFolder left;
        ::_exit(0);
    }
    ::waitpid(dead, nullptr, 0);
    const auto folders = [&] { return std::distance(fs::directory_iterator(place), {}); };
    EXPECT_EQ(folders(), 1);  // of the one that was killed
    // Another machine shares the place: its processes have no number here, but their locks hold.
    auto in_use = std::make_unique<TemporaryFolder>();
    const fs::path of_a_user = fs::path(place) / "xcpp17-temporary-mine";
    {
        const TemporaryFolder folder;
        EXPECT_EQ(std::getenv("XCPP_TEMPORARY"), folder.path().string());
        EXPECT_EQ(folder.path().parent_path(), place);
        EXPECT_EQ(fs::status(folder.path()).permissions(), fs::perms::owner_all);
        for (const auto& path : {folder.path(), in_use->path(), of_a_user}) make(path);
        folder.remove();
        EXPECT_FALSE(fs::exists(folder.path()));
        make(folder.path());
    }
    EXPECT_EQ(folders(), 2);
    EXPECT_TRUE(fs::exists(in_use->path() / "work"));
    EXPECT_TRUE(fs::exists(of_a_user));
    in_use.reset();
    fs::remove_all(of_a_user);
    EXPECT_TRUE(fs::is_empty(place));
    fs::remove_all(place);
    before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
}

}  // namespace
