// One __global__ function of a program on a GPU.
#pragma once

#include "module.hpp"

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

private:
    std::shared_ptr<CudaModule> module_;
    std::string name_, expression_;  // as asked for, and as the compiler knows it
    Signature signature_;
};

}  // namespace lanes::gpu::cuda
