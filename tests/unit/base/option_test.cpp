#include "lanes/base/option.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

namespace {

using lanes_test::error_of;

class Options {
    LANES_OPTION(Options, std::size_t, count, 3)
    LANES_OPTION(Options, std::optional<std::size_t>, limit, std::nullopt)
    LANES_OPTION(Options, int, offset, 0)
    LANES_OPTION(Options, float, scale, 1)
    LANES_OPTION(Options, std::function<int(int)>, call, {})
};

TEST(Option, is_set_by_its_name_and_read_by_it) {
    const Options options =
        Options().count(5).limit(7).offset(-2).scale(0.5).call([](int x) { return x + 1; });
    EXPECT_EQ(options.count(), 5u);
    EXPECT_EQ(options.limit(), 7u);
    EXPECT_EQ(options.offset(), -2);
    EXPECT_EQ(options.scale(), 0.5f);
    EXPECT_EQ(options.call()(1), 2);
    EXPECT_EQ(Options().count(), 3u);
    EXPECT_EQ(Options().limit(4).limit({}).limit(), std::nullopt);
    EXPECT_EQ(Options().call({}).call(), nullptr);
}

TEST(Option, refuses_integers_that_its_type_cannot_hold) {
    EXPECT_EQ(error_of([] { Options().count(-1); }), "Options::count: -1. Give 0 or more.");
    EXPECT_EQ(error_of([] { Options().limit(-2); }), "Options::limit: -2. Give 0 or more.");
    EXPECT_EQ(error_of([] { Options().offset(3'000'000'000u); }),
              "Options::offset: 3000000000. Give -2147483648 to 2147483647.");
    EXPECT_EQ(error_of([] { Options().offset(-3'000'000'000); }),
              "Options::offset: -3000000000. Give -2147483648 to 2147483647.");
    const std::size_t most = std::numeric_limits<std::size_t>::max();
    EXPECT_EQ(Options().count(most).count(), most);
}

}  // namespace
