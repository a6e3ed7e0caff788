// For the tests of lessons: what a call prints, and photographs in a folder of its own.
#pragma once

#include "lanes/base/rng.hpp"
#include "lanes/data/image_file.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace lanes_test {

inline std::string printed(const std::function<void()>& call) {
    testing::internal::CaptureStdout();
    try {
        call();
    } catch (...) {
        testing::internal::GetCapturedStdout();
        throw;
    }
    return testing::internal::GetCapturedStdout();
}

inline std::size_t count(const std::string& text, const std::string& words) {
    std::size_t times = 0;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
        ++times;
    return times;
}

// A folder with small photographs, which lessons take in place of drawn plates: three labelled ones
// of each class, and eight for the test, every second one dirty.
class WithPhotographs : public testing::Test {
protected:
    WithPhotographs() : before_(std::filesystem::current_path()) {
        std::string name =
            (std::filesystem::temp_directory_path() / "lanes_lesson_XXXXXX").string();
        folder_ = mkdtemp(name.data());
        std::filesystem::current_path(folder_);
        for (const std::string part : {"train/cleaned", "train/dirty", "test"}) {
            std::filesystem::create_directories("photographs/" + part);
            for (int i = 0; i < (part == "test" ? 8 : 3); ++i) {
                lanes::ColorImage image = lanes::ColorImage::from_shape({60, 80, 3});
                for (auto& value : image) value = static_cast<unsigned char>(rng_.integer(0, 255));
                lanes::write_image("photographs/" + part + "/" + std::to_string(i) + ".png", image);
            }
        }
        std::ofstream labels("photographs/test_labels.txt");
        for (int i = 0; i < 8; ++i)
            labels << i << ".png " << (i % 2 == 0 ? "cleaned" : "dirty") << '\n';
    }
    ~WithPhotographs() override {
        std::filesystem::current_path(before_);
        std::filesystem::remove_all(folder_);
    }

private:
    std::filesystem::path before_, folder_;
    lanes::Rng rng_{7};
};

}  // namespace lanes_test
