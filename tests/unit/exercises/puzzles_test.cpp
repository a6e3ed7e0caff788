// Right and wrong answers to every CUDA puzzle: exercises/puzzles/NAME/answers.txt holds them as
// sections, as tests/exercises/test_answers.py describes. Here `>> words` may stand anywhere in
// what a passed check prints. Each is also checked with the random arguments of another seed, which
// is what grading does.
#include "lanes/notebook/puzzle.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(LANES_PUZZLES))
        if (entry.is_directory()) found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
}

lanes::CudaPuzzle puzzle(const std::string& name) {
    const std::string symbol =
        "_ZN5lanes7puzzles" + std::to_string(name.size()) + name + "Ev";  // lanes::puzzles::NAME()
    void* found = dlsym(RTLD_DEFAULT, symbol.c_str());
    if (!found) throw std::runtime_error("no puzzle " + name);
    return reinterpret_cast<lanes::CudaPuzzle (*)()>(found)();
}

struct Answer {
    std::string title, text, expected;
};

std::vector<Answer> answers(const std::string& name) {
    std::ifstream file(fs::path(LANES_PUZZLES) / name / "answers.txt");
    std::vector<Answer> found;
    for (std::string line; std::getline(file, line);) {
        if (line.substr(0, 3) == "== ")
            found.push_back({line.substr(3, line.size() - 6), "", ""});
        else if (line.substr(0, 3) == ">> " || line.substr(0, 3) == "!! ")
            found.back().expected = line;
        else
            found.back().text += line + "\n";
    }
    return found;
}

// What a check printed, or its message.
struct Said {
    std::optional<std::string> failed;
    std::string printed;
};

Said said(const lanes::CudaPuzzle& puzzle, const Answer& answer, std::uint64_t seed) {
    Said result;
    testing::internal::CaptureStdout();
    try {
        puzzle.check(answer.text, seed);
    } catch (const lanes::CheckFailed& error) {
        result.failed = error.what();
    }
    result.printed = testing::internal::GetCapturedStdout();
    return result;
}

class Puzzles : public testing::TestWithParam<std::string> {};

TEST_P(Puzzles, TheCheckTellsRightFromWrongAnswers) {
    const lanes::CudaPuzzle one = puzzle(GetParam());
    int wrong = 0, passing = 0;
    for (const Answer& answer : answers(GetParam())) {
        SCOPED_TRACE(answer.title);
        ASSERT_GE(answer.expected.size(), 4u) << "the last line is no expectation";
        const std::string words = answer.expected.substr(3);
        const bool passes = answer.expected[0] == '>';
        const Said first = said(one, answer, 2);
        EXPECT_EQ(passes, !first.failed) << first.failed.value_or(first.printed);
        const std::string text = first.failed.value_or(first.printed);
        EXPECT_NE(text.find(words), std::string::npos) << "no '" << words << "' in\n" << text;
        if (first.failed) {
            EXPECT_LE(std::count(first.failed->begin(), first.failed->end(), '\n'), 24)
                << *first.failed;
        }
        const Said graded = said(one, answer, 1234567);
        EXPECT_EQ(passes, !graded.failed) << graded.failed.value_or(graded.printed);
        passing += passes;
        wrong += !passes && answer.title != "stub";
    }
    EXPECT_GE(passing, 1);
    EXPECT_GE(wrong, 4) << "wrong answers";
}

TEST_P(Puzzles, ThePictureOfTheTaskSaysWhatTheResultDependsOn) {
    testing::internal::CaptureStdout();
    puzzle(GetParam()).show();
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_NE(text.find("depends on "), std::string::npos) << text;
    EXPECT_EQ(text.find("depends on nothing"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(All, Puzzles, testing::ValuesIn(names()),
                         [](const auto& info) { return info.param; });

}  // namespace
