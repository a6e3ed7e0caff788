#include "lanes/distributed/ring_all_reduce.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

namespace lanes {
namespace {

using lanes_test::error_of;

TEST(RingAllReduce, AgreesWithMpi) {
    const Communicator comm = Communicator::world();
    for (const std::size_t count : {0, 1, 2, 3, 5, 64, 1000, 100'003})
        for (const std::size_t segment : {1, 7, 4096, 1 << 20}) {
            if (count / segment > 100) continue;  // as many messages
            std::vector<float> values(count);
            for (std::size_t i = 0; i < count; ++i)
                values[i] =
                    static_cast<float>((i * 7 + static_cast<std::size_t>(comm.rank()) * 13) % 101);
            std::vector<float> expected = values;
            comm.all_reduce(expected);
            ring_all_reduce(comm, values, segment);
            EXPECT_EQ(values, expected) << count << " elements in segments of " << segment;
        }
}

TEST(RingAllReduce, AddsOtherTypesAndTensors) {
    const Communicator comm = Communicator::world();
    std::vector<int> whole{1, comm.rank(), 3};
    ring_all_reduce(comm, whole);
    EXPECT_EQ(whole[0], comm.size());
    Tensor tensor = Tensor::ones({3, 5}, "simulator");
    ring_all_reduce(comm, tensor);
    EXPECT_EQ(tensor.at({2, 4}), static_cast<float>(comm.size()));
    std::vector<unsigned char> bytes(3);
    if (comm.size() > 1)
        EXPECT_NE(error_of([&] { ring_all_reduce(comm, bytes); }).find("float, double and int"),
                  std::string::npos);
}

TEST(RingAllReduce, ExplainsDifferentSizes) {
    const Communicator comm = Communicator::world();
    if (comm.size() == 1) GTEST_SKIP() << "one rank agrees with itself";
    std::vector<float> values(comm.rank() == 0 ? 5 : 6);
    EXPECT_NE(error_of([&] { ring_all_reduce(comm, values); }).find("between 5 and 6 elements"),
              std::string::npos);
    EXPECT_NE(error_of([&] { ring_all_reduce(comm, values, 0); }).find("the segment is 0"),
              std::string::npos);
}

TEST(RingAllReduce, ExplainsDifferentTypes) {
    const Communicator comm = Communicator::world();
    if (comm.size() == 1) GTEST_SKIP() << "one rank agrees with itself";
    std::vector<float> floats(5, 1);
    std::vector<int> ints(5, 1);
    const std::string said = error_of([&] {
        if (comm.rank() == 0) ring_all_reduce(comm, floats);
        if (comm.rank() != 0) ring_all_reduce(comm, ints);
    });
    EXPECT_NE(said.find("the ranks bring int and float"), std::string::npos) << said;
}

}  // namespace
}  // namespace lanes
