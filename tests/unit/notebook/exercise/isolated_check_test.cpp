#include "notebook/exercise/isolated_check.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <fstream>
#include <sstream>
#include <string>

namespace {

namespace notebook = lanes::notebook;

const notebook::ExerciseText text{"shared", "", "", "", "", {}, {}};
constexpr std::size_t page = 4096;

// "---p" if nobody may touch the memory that begins at the address; "" if none begins there.
std::string rights_at(const void* address) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::istringstream fields(line);
        std::size_t begin = 0;
        char dash = 0;
        std::string end, rights;
        fields >> std::hex >> begin >> dash >> end >> rights;
        if (begin == reinterpret_cast<std::size_t>(address)) return rights;
    }
    return "";
}

// An answer that writes past the end of its shared memory must reach nothing else: the reports of
// the check are in shared memory, too.
TEST(IsolatedCheck, AboveTheMemoryThatAnAnswerGetsNobodyMayWrite) {
    // A hole of one page between two others, which the system would fill first.
    auto* const three = static_cast<char*>(
        mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(three, MAP_FAILED);
    munmap(three + page, page);
    notebook::Judge judge(text);
    judge.begin("a page");
    EXPECT_NO_THROW(notebook::run_isolated(judge, [&](notebook::IsolatedCheck& check) {
        void* const own =
            mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        const std::string above = rights_at(static_cast<char*>(own) + page);
        check.require(above == "---p", "above it lies memory with the rights '" + above + "'.");
    }));
    munmap(three, page);
    munmap(three + 2 * page, page);
}

}  // namespace
