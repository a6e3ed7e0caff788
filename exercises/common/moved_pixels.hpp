// Shared by the checks of shift, skew and rotate: each pixel of the result comes from a place of
// the image, or is black.
#pragma once

#include "lanes/array/types.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace lanes::exercises::image_check {

Matrix picture(std::size_t rows, std::size_t columns);     // all pixels differ, none is black
std::string words(std::size_t rows, std::size_t columns);  // "28x28"

struct Place {
    double row, column;
};

// out(y, x) is the pixel at from(y, x), with rows and columns rounded down; outside the image it
// is what `outside` returns for the place.
template <class From, class Outside>
Matrix taken(const Matrix& image, From from, Outside outside) {
    Matrix out(image.shape());
    const auto rows = static_cast<int>(image.shape(0)), columns = static_cast<int>(image.shape(1));
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
            const Place at = from(y, x);
            const int row = static_cast<int>(std::floor(at.row)),
                      column = static_cast<int>(std::floor(at.column));
            const bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
            out(y, x) = inside ? image(row, column) : outside(row, column);
        }
    return out;
}

template <class From>
Matrix taken(const Matrix& image, From from) {
    return taken(image, from, [](int, int) { return 0.0f; });
}

// Adds the results of answers that do not check rows and columns, in the usual forms.
template <class From>
void add_without_bounds(std::vector<notebook::KnownMistake>& known, const Matrix& image,
                        From from) {
    const auto rows = static_cast<int>(image.shape(0)), columns = static_cast<int>(image.shape(1));
    const auto wrapped = [&](int row, int column) {
        return image(((row % rows) + rows) % rows, ((column % columns) + columns) % columns);
    };
    const auto clamped = [&](int row, int column) {
        return image(std::clamp(row, 0, rows - 1), std::clamp(column, 0, columns - 1));
    };
    const auto flat = [&](int row, int column) {
        const int place = row * columns + column;
        return place >= 0 && place < rows * columns ? image.data()[place] : 0.0f;
    };
    known.push_back(
        {notebook::values_of(taken(image, from, wrapped)),
         "What leaves the image on one side comes back on the other: it must be black there."});
    known.push_back({notebook::values_of(taken(image, from, clamped)),
                     "The rim is repeated where nothing was: it must be black there."});
    known.push_back(
        {notebook::values_of(taken(image, from, flat)),
         "What leaves a row comes back in the next one: look at the column alone, 0 <= column "
         "< columns."});
}

// Adds the results of answers that count the first or the last row or column as outside. right: the
// expected result.
template <class From>
void add_border_left_out(std::vector<notebook::KnownMistake>& known, const Matrix& right,
                         From from) {
    const double last_row = static_cast<double>(right.shape(0)) - 1,
                 last_column = static_cast<double>(right.shape(1)) - 1;
    for (const bool low : {true, false})
        for (const int axes : {1, 2, 3}) {  // rows, columns, both
            Matrix gives = right;
            for (std::size_t y = 0; y < right.shape(0); ++y)
                for (std::size_t x = 0; x < right.shape(1); ++x) {
                    const Place at = from(static_cast<int>(y), static_cast<int>(x));
                    const bool row = low ? at.row <= 0 : at.row >= last_row,
                               column = low ? at.column <= 0 : at.column >= last_column;
                    if (((axes & 1) && row) || ((axes & 2) && column)) gives(y, x) = 0;
                }
            known.push_back(
                {notebook::values_of(gives),
                 low ? "Row 0 and column 0 belong to the image: only what is below 0 is outside. "
                       "Is there a <= where < is meant?"
                     : "The last row and the last column, rows - 1 and columns - 1, belong to the "
                       "image. Is there a >= where > is meant?"});
        }
}

// One call of the answer with an image, and the expected result.
struct Trial {
    std::function<Matrix()> call;
    Matrix expected;
    std::vector<notebook::KnownMistake> mistakes;
    Tolerance tolerance{0, 0};
    std::string if_outside;  // the advice for an answer that reads outside the image
};

// An image between two blocks that hold a kind of not-a-number of their own: what was read outside
// the image is recognised in the result.
class FramedImage {
public:
    explicit FramedImage(const Matrix& image);
    const Matrix& image() const { return copies_[number_]; }
    static bool is_from_frame(float value);

private:
    std::vector<Matrix> copies_;  // those beside the image are the frame
    std::size_t number_ = 1;
};

// Fails the check if the image has changed, a pixel was read outside it or never written, or the
// result is not the expected one.
void judge_image(notebook::Judge& judge, const Matrix& image, const Trial& trial);

// A whole check. A Case has rows, columns and a function words(one); trial_of(image, one) returns
// the Trial.
template <class Answer, class Case, class TrialOf>
void judge_images(const notebook::ExerciseText& text, Answer answer, const std::vector<Case>& cases,
                  TrialOf trial_of) {
    notebook::judge_cases(text, answer, cases, [&](notebook::Judge& judge, const Case& one) {
        const FramedImage framed(picture(one.rows, one.columns));
        judge_image(judge, framed.image(), trial_of(framed.image(), one));
    });
}

}  // namespace lanes::exercises::image_check
