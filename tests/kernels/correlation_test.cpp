// correlation.cu: every rung against four plain loops in double: images that no tile divides,
// filters that are not square.
#include "ladders.hpp"

namespace lanes {
namespace {

struct Size {
    int rows, columns;
    std::string text() const { return std::to_string(rows) + "x" + std::to_string(columns); }
};
const Size images[] = {{1, 1}, {20, 41}, {17, 128}, {37, 132}, {9, 301}};
const Size filters[] = {{1, 1}, {3, 3}, {5, 3}, {3, 5}, {7, 7}, {15, 1}, {1, 15}, {15, 15}};

std::vector<double> correlated_plain(const std::vector<float>& filter, Size size,
                                     const std::vector<float>& image, Size of) {
    std::vector<double> result(image.size(), 0.0);
    for (int y = 0; y < of.rows; ++y)
        for (int x = 0; x < of.columns; ++x)
            for (int i = 0; i < size.rows; ++i)
                for (int j = 0; j < size.columns; ++j) {
                    const int from_y = y + i - size.rows / 2, from_x = x + j - size.columns / 2;
                    if (from_y >= 0 && from_y < of.rows && from_x >= 0 && from_x < of.columns)
                        result[y * of.columns + x] +=
                            static_cast<double>(filter[i * size.columns + j]) *
                            image[from_y * of.columns + from_x];
                }
    return result;
}

class Correlation : public Ladder {
protected:
    // run(filter, image, result, size of the filter, size of the image) launches one rung.
    template <class Run>
    void check(const std::string& rung, Size filter_size, Size image_size, Run run) {
        const std::vector<float> filter = uniform(filter_size.rows * filter_size.columns),
                                 image = uniform(image_size.rows * image_size.columns);
        Buffer<float> on_filter(device(), filter), on_image(device(), image),
            on_result(device(), image.size());
        program("correlation.cu").variable("correlation_filter").upload(filter);
        run(on_filter, on_image, on_result);
        expect_near(on_result.download(), correlated_plain(filter, filter_size, image, image_size),
                    filter_size.rows * filter_size.columns,
                    rung + ", filter " + filter_size.text() + ", image " + image_size.text());
    }
    static CudaKernel kernel(const std::string& name) {
        return program("correlation.cu").kernel(name);
    }

    void check_sized(Size filter, Size image, const LaunchConfig& config) {
        const std::string name = "correlation_v3_sized<" + std::to_string(filter.rows) + ", " +
                                 std::to_string(filter.columns) + ">";
        check(name, filter, image, [&](auto&, auto& from, auto& to) {
            launch(kernel(name), config, from, to, image.rows, image.columns);
        });
    }
};
INSTANTIATE_LADDER(Correlation);

TEST_P(Correlation, OneBlockARow) {
    for (const Size filter : filters)
        for (const Size image : {images[0], images[1], images[4]})
            check("v1", filter, image, [&](auto& coefficients, auto& from, auto& to) {
                launch(kernel("correlation_v1"), {image.rows, image.columns}, coefficients, from,
                       to, image.rows, image.columns, filter.rows, filter.columns);
            });
}

TEST_P(Correlation, OneBlockARowEndsAt1024Columns) {
    Buffer<float> filter(device(), std::vector<float>{1}), image(device(), uniform(1025)),
        result(device(), 1025);
    try {
        launch(kernel("correlation_v1"), {1, 1025}, filter, image, result, 1, 1025, 1, 1);
        FAIL() << "1025 threads in a block were accepted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("1024"), std::string::npos) << error.what();
    }
}

TEST_P(Correlation, TileWithHalo) {
    for (const Size filter : filters)
        for (const Size image : images)
            check("v2", filter, image, [&](auto& coefficients, auto& from, auto& to) {
                launch(kernel("correlation_v2"),
                       {{ceil_div(image.columns, 32), ceil_div(image.rows, 16)}, {32, 16}},
                       coefficients, from, to, image.rows, image.columns, filter.rows,
                       filter.columns);
            });
}

TEST_P(Correlation, EightResultsAThread) {
    for (const Size filter : filters)
        for (const Size image : images)
            check("v3", filter, image, [&](auto&, auto& from, auto& to) {
                launch(kernel("correlation_v3"),
                       {{ceil_div(image.columns, 32), ceil_div(image.rows, 64)}, {32, 8}}, from, to,
                       image.rows, image.columns, filter.rows, filter.columns);
            });
}

TEST_P(Correlation, SizeKnownWhenCompiled) {
    for (const Size filter : {filters[1], filters[2], filters[3], filters[5], filters[6]})
        for (const Size image : images)
            check_sized(filter, image,
                        {{ceil_div(image.columns, 128), ceil_div(image.rows, 8)}, 32});
}

TEST_P(Correlation, StripsOfAnyHeight) {
    const Size image{37, 132};
    check_sized({3, 3}, image, {{2, 1}, 32});        // one strip of 37 rows
    check_sized({3, 3}, image, {{1, 2}, {64, 4}});   // 8 strips of 5 rows, the last has 2
    check_sized({3, 3}, image, {{1, 10}, {64, 8}});  // more strips than rows
}

}  // namespace
}  // namespace lanes
