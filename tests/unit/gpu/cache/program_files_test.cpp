#include "gpu/cache/program_files.hpp"

#include "gpu/devices.hpp"
#include "gpu/folder.hpp"

#include <cstdlib>
#include <fstream>

namespace lanes::gpu {
namespace {

namespace fs = std::filesystem;

class ProgramFiles : public testing::Test {
protected:
    void SetUp() override {
        fs::create_directories(home_ / "kernels_src");
        std::ofstream(home_ / "kernels_src" / "max.cu") << "// another one\n";
    }
    const TestFolder home_;
    const TestVariable variable_{"LANES_HOME", home_.path()};
};

TEST_F(ProgramFiles, TheCourseIsFoundWithoutLanesHome) {
    unsetenv("LANES_HOME");
    const fs::path found = find_program_file("max.cu");
    EXPECT_EQ(found.filename(), "max.cu");
    EXPECT_EQ(found.parent_path().filename(), "kernels_src");
    EXPECT_TRUE(fs::exists(found.parent_path() / "correlation.cu"));
}

TEST_F(ProgramFiles, HomeGoesBeforeEverythingButAPath) {
    EXPECT_EQ(find_program_file("max.cu"), home_ / "kernels_src" / "max.cu");
    EXPECT_NE(find_program_file("correlation.cu"), home_ / "kernels_src" / "correlation.cu");
    EXPECT_EQ(find_program_file((home_ / "kernels_src" / "max.cu").string()),
              home_ / "kernels_src" / "max.cu");
}

TEST_F(ProgramFiles, AFileBesideTheNotebookIsNotTheCoursesProgram) {
    unsetenv("LANES_HOME");
    const fs::path before = fs::current_path();
    fs::current_path(home_ / "kernels_src");  // has a max.cu
    const fs::path own = find_program_file("max.cu"), course = find_course_program("max.cu");
    fs::current_path(before);
    EXPECT_EQ(own, "max.cu");
    EXPECT_TRUE(course.is_absolute() && fs::exists(course.parent_path() / "correlation.cu"))
        << course;
}

TEST_F(ProgramFiles, WhatIsNotThereComesWithEveryPlace) {
    const std::string error = error_of([] { find_program_file("nothing.cu"); });
    EXPECT_NE(error.find((home_ / "kernels_src" / "nothing.cu").string()), std::string::npos)
        << error;
    EXPECT_NE(error.find("set LANES_HOME"), std::string::npos) << error;
    const std::string absolute = error_of([] { find_program_file("/nowhere/nothing.cu"); });
    EXPECT_NE(absolute.find("Tried: /nowhere/nothing.cu. "), std::string::npos) << absolute;
}

}  // namespace
}  // namespace lanes::gpu
