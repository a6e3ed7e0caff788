#include "lanes/lesson/residual_lesson.hpp"

#include "lanes/base/not_filled_in.hpp"
#include "lanes/lesson/spare_transfer.hpp"

#include "../error_of.hpp"
#include "with_photographs.hpp"

#include <gtest/gtest.h>

namespace {

namespace spare = lanes::spare;

using lanes::NotFilledIn;
using lanes_test::count;
using lanes_test::error_of;
using lanes_test::printed;

class ResidualLesson : public lanes_test::WithPhotographs {};

TEST_F(ResidualLesson, ComparesTheStudentsFunctions) {
    printed([&] {
        lanes::ResidualLesson lesson;
        EXPECT_EQ(lesson.compare_conv1(spare::im2col, spare::convolution), 12.25);
        const auto zeros = [](const lanes::Tensor3& x, const lanes::Tensor4& filters, int stride,
                              int padding) {
            return lanes::Tensor3(0 * spare::convolution(x, filters, stride, padding));
        };
        EXPECT_NE(error_of([&] { lesson.compare_conv1(spare::im2col, zeros); }), "");
        EXPECT_NE(error_of([&] { lesson.show_devices(""); }), "");
    });
    const auto none = [](double, double, double) -> double {
        throw NotFilledIn("Fill in amdahl_share: one line.");
    };
    EXPECT_EQ(count(printed([&] { lanes::ResidualLesson::show_amdahl(none); }),
                    "amdahl_share is not filled in yet"),
              1U);
}

}  // namespace
