#include "lanes/data/dataset.hpp"

#include "base/large_pages.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace lanes {

namespace {

using Shape = std::array<std::size_t, 2>;

template <class T>
void copy_row(const xt::xtensor<T, 2>& from, std::size_t row, xt::xtensor<T, 2>& to,
              std::size_t place) {
    const std::size_t width = from.shape(1);
    std::copy_n(from.data() + row * width, width, to.data() + place * width);
}

}  // namespace

template <class T>
xt::xtensor<T, 2> BasicDataset<T>::image(std::size_t index) const {
    LANES_REQUIRE(index < size(), "Dataset::image: image ", index, " of ", size(),
                  ". Images are counted from 0.");
    const std::size_t pixels = x.shape(1);
    const auto side = static_cast<std::size_t>(std::lround(std::sqrt(pixels)));
    LANES_REQUIRE(side * side == pixels, "Dataset::image: ", pixels,
                  " pixels, which is not a square number. Take the row, xt::view(data.x, ", index,
                  "), and reshape it.");
    xt::xtensor<T, 2> result(Shape{side, side});
    std::copy_n(x.data() + index * pixels, pixels, result.data());
    return result;
}

template <class T>
xt::xtensor<T, 2> one_hot(const std::vector<unsigned char>& labels, std::size_t classes) {
    xt::xtensor<T, 2> y(Shape{labels.size(), classes}, T{0});
    for (std::size_t i = 0; i < labels.size(); ++i) {
        LANES_REQUIRE(labels[i] < classes, "one_hot: label ", i, " is ", int{labels[i]},
                      ", there are ", classes,
                      " classes, counted from 0. Give the number of classes.");
        y(i, labels[i]) = T{1};
    }
    return y;
}

template <class T>
BasicDataset<T> rows_of(const BasicDataset<T>& data, const std::vector<std::size_t>& rows) {
    LANES_REQUIRE(data.x.shape(0) == data.y.shape(0), "rows_of: ", data.x.shape(0), " images but ",
                  data.y.shape(0), " labels. Give one label per image.");
    BasicDataset<T> result{xt::xtensor<T, 2>(Shape{rows.size(), data.x.shape(1)}),
                           xt::xtensor<T, 2>(Shape{rows.size(), data.y.shape(1)})};
    prefer_large_pages(result.x.data(), result.x.size() * sizeof(T));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        LANES_REQUIRE(rows[i] < data.size(), "rows_of: row ", rows[i], " of ", data.size(),
                      ". Rows are counted from 0.");
        copy_row(data.x, rows[i], result.x, i);
        copy_row(data.y, rows[i], result.y, i);
    }
    return result;
}

template <class T>
BasicDataset<T> slice_of(const BasicDataset<T>& data, std::size_t first, std::size_t last) {
    LANES_REQUIRE(first <= last && last <= data.size(), "slice_of: rows ", first, " to ", last,
                  " of ", data.size(),
                  ". The first must not be above the last, and the last not above their number.");
    std::vector<std::size_t> rows(last - first);
    std::iota(rows.begin(), rows.end(), first);
    return rows_of(data, rows);
}

template xt::xtensor<float, 2> BasicDataset<float>::image(std::size_t) const;
template xt::xtensor<double, 2> BasicDataset<double>::image(std::size_t) const;
template xt::xtensor<float, 2> one_hot<float>(const std::vector<unsigned char>&, std::size_t);
template xt::xtensor<double, 2> one_hot<double>(const std::vector<unsigned char>&, std::size_t);
template BasicDataset<float> rows_of(const BasicDataset<float>&, const std::vector<std::size_t>&);
template BasicDataset<double> rows_of(const BasicDataset<double>&, const std::vector<std::size_t>&);
template BasicDataset<float> slice_of(const BasicDataset<float>&, std::size_t, std::size_t);
template BasicDataset<double> slice_of(const BasicDataset<double>&, std::size_t, std::size_t);

}  // namespace lanes
