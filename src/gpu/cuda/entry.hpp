// One __global__ function of a program on a GPU.
#pragma once

#include "module.hpp"

#include <mutex>

namespace lanes::gpu::cuda {

class CudaEntry : public Entry {
public:
    CudaEntry(std::shared_ptr<CudaModule> module, std::string name, std::string expression,
              Signature signature);

    const std::string& name() const override { return name_; }
    const Signature& signature() const override { return signature_; }
    EntryAttributes attributes() const override;
    LaunchReport launch(const LaunchConfig& config,
                        const std::vector<BoundArgument>& arguments) override;
    bool can_enqueue() const override { return true; }
    void enqueue(const LaunchConfig& config, const RawArgument* arguments,
                 std::size_t count) override;

private:
    std::shared_ptr<CudaModule> module_;
    std::string name_, expression_;  // as asked for, and as the compiler knows it
    Signature signature_;

    // What the driver says about the function as it is loaded now: asked once per load.
    struct Loaded {
        std::uint64_t load = 0;
        FunctionHandle function = nullptr;
        EntryAttributes attributes;
    };
    Loaded loaded() const;
    void read_attributes(EntryAttributes& attributes, FunctionHandle function) const;
    void raise_shared_limit(const Loaded& loaded, const LaunchConfig& config) const;

    mutable std::mutex mutex_;
    mutable Loaded loaded_;
};

}  // namespace lanes::gpu::cuda
