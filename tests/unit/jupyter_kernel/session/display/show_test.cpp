// The text of a cell's last value, for every sort of value.
#include "xcpp/detail/show.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <complex>
#include <cstdint>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <stack>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <valarray>
#include <variant>
#include <vector>

namespace show_test {

using xcpp::detail::text_of;

TEST(Show, NumbersAndTruthValues) {
    EXPECT_EQ(text_of(42), "42");
    EXPECT_EQ(text_of(-7L), "-7");
    EXPECT_EQ(text_of(std::numeric_limits<unsigned long long>::max()), "18446744073709551615");
    EXPECT_EQ(text_of(std::numeric_limits<long long>::min()), "-9223372036854775808");
    EXPECT_EQ(text_of(true), "true");
    EXPECT_EQ(text_of(std::uint8_t{65}), "65");
}

TEST(Show, AFloatIsSeenAsAFloat) {
    EXPECT_EQ(text_of(1.5), "1.5");
    EXPECT_EQ(text_of(3.0), "3.0");
    EXPECT_EQ(text_of(-3.0f), "-3.0");
    EXPECT_EQ(text_of(0.1f), "0.1");
    EXPECT_EQ(text_of(0.1), "0.1");
    EXPECT_EQ(text_of(1e300), "1e+300");
    EXPECT_EQ(text_of(2.0L), "2.0");
    EXPECT_EQ(text_of(std::numeric_limits<double>::infinity()), "inf");
    EXPECT_EQ(text_of(-std::numeric_limits<float>::infinity()), "-inf");
}

TEST(Show, CharactersAndTexts) {
    EXPECT_EQ(text_of('a'), "'a'");
    EXPECT_EQ(text_of('\n'), "'\\n'");
    EXPECT_EQ(text_of('\x01'), "'\\x01'");
    EXPECT_EQ(text_of(U'é'), "'é'");
    EXPECT_EQ(text_of("literal"), "\"literal\"");
    EXPECT_EQ(text_of(std::string("a\"b\\\n")), "\"a\\\"b\\\\\\n\"");
    EXPECT_EQ(text_of(std::string_view("view")), "\"view\"");
    const char* pointer = "text";
    EXPECT_EQ(text_of(pointer), "\"text\"");
    const char array[4] = {'a', 'b', 'c', 'd'};  // no zero at its end
    EXPECT_EQ(text_of(array), "\"abcd\"");
}

TEST(Show, PointersWithoutAddresses) {
    int value = 1;
    EXPECT_EQ(text_of(&value), "(int*) non-null");
    EXPECT_EQ(text_of(static_cast<const int*>(nullptr)), "(const int*) nullptr");
    EXPECT_EQ(text_of(static_cast<const char*>(nullptr)), "(const char*) nullptr");
    EXPECT_EQ(text_of(static_cast<void*>(nullptr)), "(void*) nullptr");
    EXPECT_EQ(text_of(nullptr), "nullptr");
    EXPECT_EQ(text_of(std::make_unique<int>(4)), "std::unique_ptr<int> -> 4");
    EXPECT_EQ(text_of(std::shared_ptr<std::string>()), "std::shared_ptr<std::string> nullptr");
}

enum class Color { red, green };
enum Unscoped { one = 1, two };
enum class Large : unsigned long long { most = ~0ULL };
enum class Loud { yes };
std::ostream& operator<<(std::ostream& out, Loud) { return out << "LOUD"; }

TEST(Show, Enumerators) {
    EXPECT_EQ(text_of(Color::green), "show_test::Color::green");
    EXPECT_EQ(text_of(static_cast<Color>(40)), "(show_test::Color) 40");
    EXPECT_EQ(text_of(static_cast<Color>(-9)), "(show_test::Color) -9");
    EXPECT_EQ(text_of(Large::most), "(show_test::Large) 18446744073709551615");
    EXPECT_EQ(text_of(two), "show_test::two");
    EXPECT_EQ(text_of(Loud::yes), "LOUD");
}

TEST(Show, Containers) {
    EXPECT_EQ(text_of(std::vector<int>{1, 2, 3}), "{ 1, 2, 3 }");
    EXPECT_EQ(text_of(std::vector<int>{}), "{}");
    EXPECT_EQ(text_of(std::vector<bool>{true, false}), "{ true, false }");
    EXPECT_EQ(text_of(std::array<double, 2>{1, 2.5}), "{ 1.0, 2.5 }");
    EXPECT_EQ(text_of(std::set<char>{'b', 'a'}), "{ 'a', 'b' }");
    EXPECT_EQ(text_of(std::map<std::string, int>{{"a", 1}, {"b", 2}}),
              "{ \"a\" => 1, \"b\" => 2 }");
    EXPECT_EQ(text_of(std::unordered_map<int, int>{{1, 2}}), "{ 1 => 2 }");
    EXPECT_EQ(text_of(std::vector<std::vector<int>>{{1}, {}}), "{ { 1 }, {} }");
    const int array[2][2] = {{1, 2}, {3, 4}};
    EXPECT_EQ(text_of(array), "{ { 1, 2 }, { 3, 4 } }");
}

TEST(Show, WideTexts) {
    EXPECT_EQ(text_of(std::wstring(L"wide \"é\"\n")), "\"wide \\\"é\\\"\\n\"");
    EXPECT_EQ(text_of(std::u16string(u"a\U0001f600")), "\"a\U0001f600\"");
    EXPECT_EQ(text_of(std::u32string_view(U"\U0001f600")), "\"\U0001f600\"");
    EXPECT_EQ(text_of(L"literal"), "\"literal\"");
    const wchar_t* pointer = L"text";
    EXPECT_EQ(text_of(pointer), "\"text\"");
    EXPECT_EQ(text_of(static_cast<const wchar_t*>(nullptr)), "(const wchar_t*) nullptr");
    EXPECT_EQ(text_of(std::vector<std::wstring>{L"a", L""}), "{ \"a\", \"\" }");
}

TEST(Show, IntegersOf128Bits) {
    const __int128 most = ~(static_cast<__int128>(1) << 127);
    EXPECT_EQ(text_of(static_cast<__int128>(-5)), "-5");
    EXPECT_EQ(text_of(most), "170141183460469231731687303715884105727");
    EXPECT_EQ(text_of(-most - 1), "-170141183460469231731687303715884105728");
    EXPECT_EQ(text_of(~static_cast<unsigned __int128>(0)),
              "340282366920938463463374607431768211455");
    EXPECT_EQ(text_of(std::vector<__int128>{0, 1}), "{ 0, 1 }");
}

TEST(Show, ValarraysAndAdaptors) {
    const std::valarray<double> a = {1, 2.5};
    EXPECT_EQ(text_of(a), "{ 1.0, 2.5 }");
    EXPECT_EQ(text_of(a + a), "{ 2.0, 5.0 }");
    EXPECT_EQ(text_of(std::valarray<int>()), "{}");
    EXPECT_EQ(text_of(std::stack<int>({1, 2, 3})), "{ 1, 2, 3 }");
    EXPECT_EQ(text_of(std::queue<std::string>({"a", "b"})), "{ \"a\", \"b\" }");
    std::priority_queue<int> largest_first;
    for (const int value : {2, 9, 4}) largest_first.push(value);
    EXPECT_EQ(text_of(largest_first), "{ 9, 4, 2 }");
    EXPECT_EQ(largest_first.size(), 3u);
    std::priority_queue<std::unique_ptr<int>> cannot_be_copied;
    cannot_be_copied.push(std::make_unique<int>(1));
    EXPECT_EQ(text_of(cannot_be_copied), "{ std::unique_ptr<int> -> 1 }");
    struct WithoutMember {
        using container_type = int;
    };
    struct Final final {
        using container_type = int;
    };
    EXPECT_EQ(text_of(WithoutMember()).front(), '<');
    EXPECT_EQ(text_of(Final()).front(), '<');
}

TEST(Show, LongContainersAreShortened) {
    const std::string text = text_of(std::vector<int>(5000, 7));
    EXPECT_EQ(text.substr(text.size() - 8), "7, … }");
    EXPECT_EQ(std::count(text.begin(), text.end(), '7'), 1000);
    EXPECT_LT(text_of(std::vector<std::string>(1000, std::string(1000, 'x'))).size(), 80'000u);
}

TEST(Show, TuplesOptionalsVariants) {
    EXPECT_EQ(text_of(std::pair<int, double>(1, 2)), "{ 1, 2.0 }");
    EXPECT_EQ(text_of(std::make_tuple(1, 'a', "b")), "{ 1, 'a', \"b\" }");
    EXPECT_EQ(text_of(std::optional<int>(3)), "3");
    EXPECT_EQ(text_of(std::optional<int>()), "nullopt");
    EXPECT_EQ(text_of(std::variant<int, std::string>("text")), "\"text\"");
    EXPECT_EQ(text_of(std::complex<float>(1, -2)), "(1.0, -2.0)");
    EXPECT_EQ(text_of(std::chrono::milliseconds(1500)), "1.5 s");
    EXPECT_EQ(text_of(std::chrono::microseconds(20)), "20 µs");
    EXPECT_EQ(text_of(std::atomic<int>(5)), "5");
}

int twice(int x) { return 2 * x; }

TEST(Show, FunctionsAndLambdas) {
    EXPECT_EQ(text_of(twice), "<function int (int)>");
    EXPECT_EQ(text_of(&twice), "<function int (int)>");
    EXPECT_EQ(text_of([](int x) { return x + 1.0; }), "<function double (int)>");
    int captured = 1;
    EXPECT_EQ(text_of([captured](int x) { return x + captured; }), "<function int (int)>");
    EXPECT_EQ(text_of([](auto x) { return x; }), "<lambda>");
    EXPECT_EQ(text_of(std::function<void()>()), "<function void ()>");
}

struct Plain {};
struct Streamed {
    int x;
};
std::ostream& operator<<(std::ostream& out, const Streamed& value) {
    return out << "x is " << value.x;
}
template <class T>
struct Box {};

TEST(Show, TypesOfOnesOwn) {
    EXPECT_EQ(text_of(Plain()), "<show_test::Plain>");
    EXPECT_EQ(text_of(Box<Plain*>()), "<show_test::Box<show_test::Plain*>>");
    EXPECT_EQ(text_of(Streamed{3}), "x is 3");
    EXPECT_EQ(text_of(std::vector<Streamed>{{3}, {4}}), "{ x is 3, x is 4 }");
    EXPECT_EQ(text_of(std::runtime_error("bad")), "<std::runtime_error: bad>");
}

TEST(Show, OnlyTypesOfStdKeepTheirAnswer) {
    using xcpp::detail::settled;
    EXPECT_TRUE((settled<std::map<std::string, std::vector<unsigned long>>>));
    EXPECT_TRUE((settled<std::array<double, 3>>));
    EXPECT_FALSE(settled<Plain>);
    EXPECT_FALSE(settled<std::vector<Plain>>);
}

}  // namespace show_test
