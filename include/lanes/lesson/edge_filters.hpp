// What distinguishes filters that find edges: each is applied to a step, to a single bright pixel
// and to a soft step in all directions. Introduced in the notebook 07_sobel.
//
//   const lanes::Matrix sobel{{1, 0, -1}, {2, 0, -2}, {1, 0, -1}};
//   const auto correlation = [](const lanes::Matrix&, const lanes::Matrix& image) { return image;
//   }; const lanes::EdgeFilters study({"F1"}, {sobel}, correlation); study.show_step();
//   study.show_table();
#pragma once

#include "lanes/array/types.hpp"

#include <functional>
#include <string>
#include <vector>

namespace lanes {

class EdgeFilters {
public:
    using Correlation = std::function<Matrix(const Matrix& filter, const Matrix& image)>;

    // filters: the right side is subtracted from the left one, odd numbers of rows and columns
    EdgeFilters(std::vector<std::string> names, std::vector<Matrix> filters,
                Correlation correlation);

    // The sum of a filter's positive coefficients: its response to a step from 0 to 1.
    float peak(std::size_t filter) const;

    void show_step() const;        // the gradient magnitude across a step from 0 to 1
    void show_impulse() const;     // around one bright pixel, divided by the peak
    void show_directions() const;  // magnitude and direction of a soft step, from 0 to 90 degrees
    void show_table() const;       // peak, support, noise and isotropy of each filter

private:
    struct ByAngle {
        std::vector<double> magnitudes;  // 1 at 0 degrees
        std::vector<double> errors;      // of the direction, in degrees
    };

    Matrix magnitude(std::size_t filter, const Matrix& image) const;
    ByAngle by_angle(std::size_t filter) const;

    std::vector<std::string> names_;
    std::vector<Matrix> filters_;
    Correlation correlation_;
};

}  // namespace lanes
