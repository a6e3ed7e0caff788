// All ranks run the same tests. What a rank prints begins with its number.
#include "lanes/distributed/communicator.hpp"

#include <gtest/gtest.h>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const auto comm = lanes::Communicator::world();
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    if (comm.rank() != 0) delete listeners.Release(listeners.default_result_printer());
    struct Failures : testing::EmptyTestEventListener {
        void OnTestPartResult(const testing::TestPartResult& result) override {
            if (result.failed())
                std::fprintf(stderr, "rank %d: %s:%d: %s\n", lanes::Communicator::world().rank(),
                             result.file_name(), result.line_number(), result.message());
        }
    };
    listeners.Append(new Failures);
    return RUN_ALL_TESTS();
}
