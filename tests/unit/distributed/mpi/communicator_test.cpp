#include "lanes/distributed/communicator.hpp"

#include "error_of.hpp"

#include "lanes/array/types.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <xtensor/xview.hpp>

namespace lanes {
namespace {

using lanes_test::error_of;

const Communicator& comm() {
    static const Communicator world = Communicator::world();
    return world;
}
int next_rank() { return (comm().rank() + 1) % comm().size(); }
int previous_rank() { return (comm().rank() + comm().size() - 1) % comm().size(); }

TEST(Communicator, NumbersItsRanks) {
    EXPECT_GE(comm().rank(), 0);
    EXPECT_LT(comm().rank(), comm().size());
    const auto ranks = comm().gather(comm().rank());
    if (comm().rank() != 0) {
        EXPECT_TRUE(ranks.empty());
        return;
    }
    ASSERT_EQ(ranks.size(), static_cast<std::size_t>(comm().size()));
    for (std::size_t i = 0; i < ranks.size(); ++i) EXPECT_EQ(ranks[i], static_cast<int>(i));
}

// mpirun starts all ranks of this test on one machine.
TEST(Communicator, NeedsNoNetworkOnOneMachine) {
    comm().barrier();  // MPI has started
    EXPECT_STREQ(std::getenv("OMPI_MCA_btl_tcp_if_include"), "lo");
}

TEST(Communicator, SendsEveryKindOfValue) {
    if (comm().size() == 1) GTEST_SKIP() << "one rank has nobody to send to";
    if (comm().rank() == 0) {
        comm().send(2.5, 1);
        comm().send(std::vector<int>{1, 2, 3}, 1);
        comm().send(Matrix{{1, 2}, {3, 4}}, 1);
        comm().send(Tensor::of({5, 6, 7}), 1, 9);
        comm().send(Tensor::of({5, 6, 7}).to("simulator"), 1, 9);
    }
    if (comm().rank() == 1) {
        double number = 0;
        std::vector<int> list(3);
        Matrix matrix({2, 2});
        Tensor tensor = Tensor::zeros({3});
        Tensor elsewhere = Tensor::zeros({3}, "simulator");
        EXPECT_EQ(comm().receive(number), 0);
        comm().receive(list, 0);
        comm().receive(matrix, 0);
        comm().receive(tensor, 0, 9);
        comm().receive(elsewhere, 0, 9);
        EXPECT_EQ(number, 2.5);
        EXPECT_EQ(list, (std::vector<int>{1, 2, 3}));
        EXPECT_EQ(matrix, (Matrix{{1, 2}, {3, 4}}));
        EXPECT_EQ(tensor.to_vector(), (std::vector<float>{5, 6, 7}));
        EXPECT_EQ(elsewhere.cpu().to_vector(), (std::vector<float>{5, 6, 7}));
    }
}

TEST(Communicator, ExchangesLargeMessagesWithoutDeadlock) {
    const std::vector<float> mine(1 << 20, static_cast<float>(comm().rank()));
    std::vector<float> other(mine.size(), -1);
    comm().exchange(mine, next_rank(), other, previous_rank());
    EXPECT_EQ(other.front(), static_cast<float>(previous_rank()));
    EXPECT_EQ(other.back(), static_cast<float>(previous_rank()));
}

TEST(Communicator, GoesOnWhileTheProgramComputes) {
    const std::vector<double> mine{comm().rank() + 0.5};
    std::vector<double> other(1);
    Request receiving = comm().start_receive(other, previous_rank(), 3);
    Request sending = comm().start_send(mine, next_rank(), 3);
    std::vector<int> sum{1};
    Request reducing = comm().start_all_reduce(sum);
    receiving.wait();
    sending.wait();
    reducing.wait();
    EXPECT_TRUE(receiving.done());
    EXPECT_EQ(other[0], previous_rank() + 0.5);
    EXPECT_EQ(sum[0], comm().size());
}

TEST(Communicator, ReducesAndBroadcasts) {
    const int p = comm().size();
    EXPECT_EQ(comm().all_reduce(comm().rank()), p * (p - 1) / 2);
    EXPECT_EQ(comm().all_reduce(comm().rank() + 1.0, Reduce::max), p);
    EXPECT_EQ(comm().all_reduce(static_cast<std::size_t>(comm().rank() + 3), Reduce::min), 3u);
    std::vector<float> twos(5, 2);
    comm().all_reduce(twos, Reduce::product);
    EXPECT_EQ(twos, std::vector<float>(5, static_cast<float>(1 << p)));
    Tensor tensor = Tensor::full({2, 2}, static_cast<float>(comm().rank()), "simulator");
    comm().broadcast(tensor, p - 1);
    EXPECT_EQ(tensor.at({1, 1}), static_cast<float>(p - 1));
    comm().barrier();
    const auto all = comm().gather(std::vector<int>{comm().rank(), 7}, p - 1);
    if (comm().rank() == p - 1) {
        ASSERT_EQ(all.size(), static_cast<std::size_t>(2 * p));
        EXPECT_EQ(all[all.size() - 2], p - 1);
    }
}

TEST(Communicator, GathersArraysAndTensors) {
    const auto mine = static_cast<float>(comm().rank());
    const Matrix matrix{{mine, 1}, {2, 3}, {4, 5}};
    const auto rows = comm().gather(xt::view(matrix, xt::range(0, 2)));
    const auto matrices = comm().gather(matrix, comm().size() - 1);
    const auto tensors = comm().gather(Tensor::of({{mine, 7}}).to("simulator"));
    const auto labels = comm().gather(Tensor::from(std::vector<int>{comm().rank(), 8}));
    const std::size_t ranks = static_cast<std::size_t>(comm().size());
    ASSERT_EQ(matrices.size(), comm().rank() == comm().size() - 1 ? ranks : 0);
    ASSERT_EQ(tensors.size(), comm().rank() == 0 ? ranks : 0);
    for (std::size_t i = 0; i < matrices.size(); ++i)
        EXPECT_EQ(matrices[i], (Matrix{{static_cast<float>(i), 1}, {2, 3}, {4, 5}}));
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        EXPECT_EQ(rows.at(i), (Matrix{{static_cast<float>(i), 1}, {2, 3}}));
        EXPECT_EQ(tensors[i].shape(), (Shape{1, 2}));
        EXPECT_EQ(tensors[i].device(), Device("simulator"));
        EXPECT_EQ(tensors[i].cpu().to_vector(), (std::vector<float>{static_cast<float>(i), 7}));
        EXPECT_EQ(labels.at(i).to_vector<int>(), (std::vector<int>{static_cast<int>(i), 8}));
    }
}

TEST(Communicator, SplitsByColour) {
    const Communicator half = comm().split(comm().rank() % 2);
    EXPECT_EQ(half.size(), (comm().size() + 1 - comm().rank() % 2) / 2);
    EXPECT_EQ(half.rank(), comm().rank() / 2);
    EXPECT_EQ(half.all_reduce(1), half.size());
    EXPECT_EQ(error_of([] { comm().split(-1); }),
              "Communicator::split: the colour is -1. Give 0 or more.");
}

TEST(Communicator, RefusesARankThatDoesNotExist) {
    const std::vector<float> values(3);
    EXPECT_NE(error_of([&] { comm().send(values, comm().size()); }).find("there is no rank"),
              std::string::npos);
    EXPECT_NE(error_of([&] { comm().send(values, -2); }).find("there is no rank -2"),
              std::string::npos);
}

TEST(Communicator, ExplainsAMessageOfAnotherSize) {
    std::vector<float> values(3);
    Request sending = comm().start_send(values, next_rank(), 5);
    std::vector<double> expected(4);
    const std::string said = error_of([&] { comm().receive(expected, previous_rank(), 5); });
    EXPECT_NE(said.find("has sent 12 bytes"), std::string::npos) << said;
    EXPECT_NE(said.find("expects 32, which are 4 elements"), std::string::npos) << said;
    sending.wait();
    // The message is gone: the next one is received.
    Request next = comm().start_send(std::vector<float>{8, 8, 8}, next_rank(), 5);
    comm().receive(values, previous_rank(), 5);
    next.wait();
    EXPECT_EQ(values[2], 8);
}

TEST(Communicator, ExplainsDifferentSizesInACollectiveOperation) {
    if (comm().size() == 1) GTEST_SKIP() << "one rank agrees with itself";
    std::vector<float> values(comm().rank() == 0 ? 3 : 4);
    for (const std::string& said :
         {error_of([&] { comm().all_reduce(values); }), error_of([&] { comm().broadcast(values); }),
          error_of([&] { (void)comm().gather(values); })})
        EXPECT_NE(said.find("the ranks bring between 12 and 16"), std::string::npos) << said;
    EXPECT_EQ(comm().all_reduce(1), comm().size());
}

TEST(Communicator, ExplainsDifferentTypesInACollectiveOperation) {
    if (comm().size() == 1) GTEST_SKIP() << "one rank agrees with itself";
    std::vector<float> floats(3);
    std::vector<int> ints(3);
    const std::string said = error_of([&] {
        if (comm().rank() == 0) comm().all_reduce(floats);
        if (comm().rank() != 0) comm().all_reduce(ints);
    });
    EXPECT_NE(said.find("the ranks bring int and float"), std::string::npos) << said;
}

TEST(Communicator, ExplainsAShortMessageForWhichItHasWaited) {
    std::vector<float> expected(4);
    Request receiving = comm().start_receive(expected, previous_rank(), 6);
    const std::vector<float> sent(3);
    Request sending = comm().start_send(sent, next_rank(), 6);
    const std::string said = error_of([&] { receiving.wait(); });
    EXPECT_NE(said.find("has sent 12 bytes, 16 are expected"), std::string::npos) << said;
    sending.wait();
}

// Many bytes that need little memory: the same page of a file again and again.
class Repeated {
public:
    explicit Repeated(std::size_t pages) : pages_(pages) {
        const int file = memfd_create("lanes_test", 0);
        if (file < 0 || ftruncate(file, page) != 0) throw std::runtime_error("no memory file");
        void* const all =
            mmap(nullptr, pages * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (all == MAP_FAILED) throw std::runtime_error("no addresses");
        data_ = static_cast<char*>(all);
        for (std::size_t i = 0; i < pages; ++i)
            if (mmap(data_ + i * page, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                     0) == MAP_FAILED)
                throw std::runtime_error("no page");
        close(file);
    }
    ~Repeated() { munmap(data_, pages_ * page); }
    Repeated(const Repeated&) = delete;
    Repeated& operator=(const Repeated&) = delete;

    double* data() const { return static_cast<double*>(static_cast<void*>(data_)); }
    std::size_t size() const { return pages_ * page / sizeof(double); }

private:
    static constexpr std::size_t page = std::size_t{1} << 25;
    std::size_t pages_;
    char* data_;
};

TEST(Communicator, ReceivesMoreBytesThanAnIntCounts) {
    if (comm().size() != 2) GTEST_SKIP() << "two ranks are enough for this";
    Repeated values(65);  // 2.03 GiB
    ASSERT_GT(values.size() * sizeof(double), std::size_t{1} << 31);
    if (comm().rank() == 0) {
        values.data()[5] = 7;
        comm().send(values, 1);
    } else {
        comm().receive(values, 0);
        EXPECT_EQ(values.data()[5], 7);
    }
}

TEST(Communicator, SendsTheRowsOfAView) {
    Matrix matrix{{1, 2}, {3, 4}, {5, 6}};
    auto last = xt::view(matrix, xt::range(1, 3));
    comm().all_reduce(last);
    const auto p = static_cast<float>(comm().size());
    EXPECT_EQ(matrix, (Matrix{{1, 2}, {3 * p, 4 * p}, {5 * p, 6 * p}}));
}

TEST(Communicator, RefusesAnArrayWithGaps) {
    Matrix matrix({4, 4});
    auto column = xt::view(matrix, xt::all(), xt::range(1, 3));
    EXPECT_NE(error_of([&] { comm().all_reduce(column); }).find("row-major"), std::string::npos);
}

}  // namespace
}  // namespace lanes
