#include "lanes/parallel/message.hpp"

#include <gtest/gtest.h>

namespace {

template <class T>
std::string bytes_of(const T& value) {
    std::string scratch;
    return std::string(lanes::Message<T>::bytes(value, scratch));
}

template <class T>
T there_and_back(const T& value) {
    return lanes::Message<T>::from(bytes_of(value));
}

struct Pair {
    int a;
    double b;
};

TEST(Message, ConvertsValuesStringsAndVectors) {
    EXPECT_EQ(there_and_back(-7), -7);
    EXPECT_EQ(there_and_back(Pair{3, 0.5}).b, 0.5);
    EXPECT_EQ(there_and_back(std::string("a\0b", 3)), std::string("a\0b", 3));
    EXPECT_EQ(there_and_back(std::string()), "");
    EXPECT_EQ(there_and_back(std::vector<float>{1, 2, 3}), (std::vector<float>{1, 2, 3}));
    EXPECT_EQ(there_and_back(std::vector<double>{}), std::vector<double>{});
}

TEST(Message, ThrowsForBytesOfAnotherType) {
    EXPECT_THROW(lanes::Message<int>::from(bytes_of(1.0)), lanes::Error);
    EXPECT_THROW(lanes::Message<std::vector<int>>::from("12345"), lanes::Error);
}

}  // namespace
