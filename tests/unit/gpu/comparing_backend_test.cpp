// Two devices that must agree. Here the second one is a simulator, too, so that no GPU is needed;
// cuda_test.cpp compares a GPU.
#include "gpu/backend.hpp"

#include "devices.hpp"

#include <numeric>
#include <vector>

namespace lanes::gpu {
namespace {

// The second device of each test. A program that behaves differently there simulates a difference
// between devices.
class OtherFlags : public Backend {
public:
    explicit OtherFlags(std::shared_ptr<Backend> inner) : inner_(std::move(inner)) {}
    bool is_simulator() const override { return true; }
    std::string id() const override { return inner_->id(); }
    const std::string& name() const override { return inner_->name(); }
    const std::string& architecture() const override { return inner_->architecture(); }
    const DeviceLimits& limits() const override { return inner_->limits(); }
    const Checks& checks() const override { return inner_->checks(); }
    std::shared_ptr<Memory> allocate(std::size_t bytes, std::size_t element_bytes) override {
        return inner_->allocate(bytes, element_bytes);
    }
    std::shared_ptr<Module> compile(const ProgramText& program) override {
        ProgramText changed = program;
        changed.flags.emplace_back("-DOTHER");
        return inner_->compile(changed);
    }
    std::size_t free_bytes() const override { return inner_->free_bytes(); }
    void synchronize() override { inner_->synchronize(); }
    bool shares_memory_with(const Backend& other) const override {
        return inner_->shares_memory_with(other);
    }

private:
    std::shared_ptr<Backend> inner_;
};

const char* const text = R"(
#ifdef OTHER
#define ODD(i, value) ((i) == 17 ? (value) + 1 : (value))
#define LAST_DIGIT 1.000001f
#else
#define ODD(i, value) (value)
#define LAST_DIGIT 1.f
#endif
__constant__ int step;
__global__ void same(const int* x, int* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + step; }
__global__ void differs(int* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = ODD(i, i); }
__global__ void rounds(float* y, int n) { int i = threadIdx.x; if (i < n) y[i] = i * LAST_DIGIT; }
__global__ void twice(int* x, const int* again, int n) { int i = threadIdx.x; if (i < n) x[i] = 2 * again[i]; }
)";

class ComparedTest : public testing::Test {
protected:
    ComparedTest()
        : fast_(Device::simulator().fast()),
          backend_(make_comparing_backend(
              fast_.backend(), std::make_shared<OtherFlags>(Device::simulator().backend()))),
          module_(backend_->compile({text, "p.cu", {}})) {}

    BoundArgument buffer(const Entry& entry, std::size_t parameter,
                         const std::vector<int>& values) {
        auto memory = backend_->allocate(values.size() * 4, 4);
        memory->upload(0, values.data(), values.size() * 4);
        return {&entry.signature().parameters.at(parameter), memory, values.size(), 4, {}};
    }
    static BoundArgument number(const Entry& entry, std::size_t parameter, int value) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
        return {&entry.signature().parameters.at(parameter), nullptr, 0, 0,
                std::vector<unsigned char>(bytes, bytes + 4)};
    }
    Device fast_;
    std::shared_ptr<Backend> backend_;
    std::shared_ptr<Module> module_;
};

TEST_F(ComparedTest, WhatAgreesIsSilentAndConstantsReachBoth) {
    const int step = 3;
    module_->variable("step")->upload(0, &step, sizeof step);
    const auto entry = module_->entry("same");
    const auto y = buffer(*entry, 1, std::vector<int>(100, 0));
    EXPECT_TRUE(entry
                    ->launch({4, 32}, {buffer(*entry, 0, std::vector<int>(100, 5)), y,
                                       number(*entry, 2, 100)})
                    .compared);
    int last = 0;
    y.memory->download(99 * 4, &last, 4);
    EXPECT_EQ(last, 8);
}

TEST_F(ComparedTest, TheFirstDifferingElementIsNamed) {
    const auto entry = module_->entry("differs");
    const std::string error = error_of([&] {
        entry->launch({4, 32},
                      {buffer(*entry, 0, std::vector<int>(100, 0)), number(*entry, 1, 100)});
    });
    EXPECT_EQ(error.find("launch differs <<<4, 32>>>: y[17] is 17 on simulator and 18 on "
                         "simulator; 1 of 100 elements differ."),
              0U)
        << error;
}

TEST_F(ComparedTest, LastDigitsOfFloatsMayDiffer) {
    const auto entry = module_->entry("rounds");
    EXPECT_NO_THROW(entry->launch(
        {1, 32}, {buffer(*entry, 0, std::vector<int>(32, 0)), number(*entry, 1, 32)}));
}

TEST_F(ComparedTest, ABufferThatIsPassedTwiceIsOneBuffer) {
    const auto entry = module_->entry("twice");
    const auto x = buffer(*entry, 0, std::vector<int>(32, 7));
    BoundArgument again = x;
    again.parameter = &entry->signature().parameters.at(1);
    EXPECT_NO_THROW(entry->launch({1, 32}, {x, again, number(*entry, 2, 32)}));
}

}  // namespace
}  // namespace lanes::gpu
