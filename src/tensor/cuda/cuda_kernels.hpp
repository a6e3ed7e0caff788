// The back-end of GPUs and of the simulator: each operation is a CUDA kernel of
// kernels_src/tensor_*.cu. The families of operations are in the files of the same names as the
// CPU's.
#pragma once

#include "gpu/backend.hpp"
#include "gpu/trace_log.hpp"
#include "lanes/gpu/launch.hpp"
#include "tensor/core/capture.hpp"
#include "tensor/core/kernels.hpp"
#include "tensor/core/tensor_impl.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace lanes::tensor {

class CudaKernels : public Kernels {
public:
    explicit CudaKernels(const Device& device) : device_(device) {}
    const Device& device() const { return device_; }

    // elementwise.cpp
    void fill(Tensor& y, float value) override;
    void copy(const Tensor& x, Tensor& y) override;
    void unary(Unary operation, const Tensor& x, Tensor& y) override;
    void affine(const Tensor& x, float scale, float shift, Tensor& y) override;
    void binary(Binary operation, const Tensor& a, const Tensor& b, Tensor& y) override;
    void add_scaled(Tensor& y, const Tensor& x, float scale) override;
    void count_up(Tensor& counter) override;
    void dropout_mask(std::uint64_t seed, float p, Tensor& mask) override;
    bool has_nan(const Tensor& x) override;

    // reduce.cpp
    void sum(const Tensor& x, const ReductionShape& lines, Tensor& y) override;
    void scaled_sum(const Tensor& x, const ReductionShape& lines, float scale, Tensor& y) override;
    void linear_gradient(const Tensor& gradient, const Tensor& y, Activation activation, Tensor& dz,
                         Tensor& dbias) override;
    void max(const Tensor& x, const ReductionShape& lines, Tensor& y, Tensor& index) override;
    void max_gradient(const Tensor& gradient, const Tensor& index, const ReductionShape& lines,
                      Tensor& dx) override;
    void softmax(const Tensor& x, const ReductionShape& lines, bool log, Tensor& y) override;
    void softmax_gradient(const Tensor& gradient, const Tensor& y, const ReductionShape& lines,
                          bool log, Tensor& dx) override;
    void cross_entropy(const Tensor& logits, const Tensor& labels, Tensor& losses,
                       Tensor& scales) override;
    void cross_entropy_gradient(const Tensor& logits, const Tensor& labels, const Tensor& scales,
                                const Tensor& gradient, float share, Tensor& dx) override;

    // matmul.cpp
    void matmul(const MatmulShape& product, const Tensor& a, const Tensor& b, Tensor& c) override;

    // shapes.cpp
    void permute(const Tensor& x, const std::vector<std::size_t>& axes, Tensor& y) override;
    void pad(const Tensor& x, long long top, long long left, float value, Tensor& y) override;
    void index_select(const Tensor& x, const Tensor& rows, Tensor& y) override;
    void index_select_gradient(const Tensor& gradient, const Tensor& rows, Tensor& dx) override;

    // images.cpp
    void im2col(const Tensor& images, const WindowShape& windows, Tensor& columns) override;
    void col2im(const Tensor& columns, const WindowShape& windows, Tensor& images) override;
    bool convolve(const Tensor& x, const Tensor& weight, const WindowShape& windows,
                  Tensor& y) override;
    void max_pool(const Tensor& x, const WindowShape& windows, Tensor& y, Tensor& index) override;
    void max_pool_gradient(const Tensor& gradient, const Tensor& index, const WindowShape& windows,
                           Tensor& dx) override;
    void average_pool(const Tensor& x, const WindowShape& windows, bool adaptive,
                      Tensor& y) override;
    void average_pool_gradient(const Tensor& gradient, const WindowShape& windows, bool adaptive,
                               Tensor& dx) override;

    // batch_norm.cpp
    void channel_statistics(const Tensor& x, const NormShape& shape, Tensor& mean,
                            Tensor& variance) override;
    void normalize(const Tensor& x, const NormShape& shape, const Tensor& mean,
                   const Tensor& variance, float epsilon, const Tensor& weight, const Tensor& bias,
                   Tensor& y) override;
    void normalize_sums(const Tensor& gradient, const Tensor& x, const NormShape& shape,
                        const Tensor& mean, const Tensor& variance, float epsilon, Tensor& dweight,
                        Tensor& dbias) override;
    void normalize_gradient(const Tensor& gradient, const Tensor& x, const NormShape& shape,
                            const Tensor& mean, const Tensor& variance, float epsilon,
                            const Tensor& weight, const Tensor& dweight, const Tensor& dbias,
                            bool training, Tensor& dx) override;

    // update.cpp
    void sgd_step(const std::vector<Update>& updates, const SgdRule& rule,
                  const Tensor& settings) override;
    void adam_step(const std::vector<Update>& updates, const AdamRule& rule,
                   Tensor& settings) override;

private:
    // matmul.cpp
    std::size_t multiprocessors() const;
    void add_parts(const Tensor& parts, Tensor& y);  // parts: (count, elements of y)

    // A CUDA kernel, and whether its arguments were compared with its parameters once.
    struct CachedKernel {
        explicit CachedKernel(CudaKernel made) : kernel(std::move(made)) {}
        CudaKernel kernel;
        std::atomic<bool> checked{false};  // threads may launch it for the first time together
    };

    // Launches a CUDA kernel of a file of kernels_src. Arguments: tensors, numbers, structs of
    // them. A GPU is not waited for: its launches are carried out in order, so a copy to the host
    // sees the results of all that were started before. The arguments' types are compared with the
    // parameters by the first launch only; on the simulator by each.
    template <class... Arguments>
    void run(const char* file, const char* name, const LaunchConfig& config,
             const Arguments&... arguments) {
        CachedKernel& known = kernel(file, name);
        if (!known.kernel.entry()->can_enqueue() || gpu::any_trace_is_open()) {
            gpu::launch_arguments(known.kernel, config, {argument(arguments)...});
            return;
        }
        if (current_capture() != nullptr) (keep(arguments), ...);
        const gpu::RawArgument raw[] = {raw_argument(arguments)...};
        if (!known.checked) check(known, config, {argument(arguments)...}, raw);
        known.kernel.entry()->enqueue(config, raw, sizeof...(arguments));
    }
    // The same for arguments whose number is known at run time.
    void run(const char* file, const char* name, const LaunchConfig& config,
             const std::vector<gpu::Argument>& arguments);
    // With one thread per element of a result of n elements; nothing to do if there are none.
    template <class... Arguments>
    void run_each(const char* file, const char* name, std::size_t n,
                  const Arguments&... arguments) {
        if (n > 0) run(file, name, {(n + 255) / 256, 256}, arguments...);
    }

    static gpu::Argument argument(const Tensor& x) { return argument_of(x); }
    static gpu::Argument argument(const gpu::Argument& x) { return x; }
    template <class T>
    static gpu::Argument argument(const T& value) {
        return gpu::argument(value);
    }

    static gpu::RawArgument raw_argument(const Tensor& x) {
        const TensorImpl& impl = *x.impl();
        return {impl.elements->memory.get(), impl.offset * element_bytes, nullptr};
    }
    static gpu::RawArgument raw_argument(const gpu::Argument& x);
    template <class T>
    static gpu::RawArgument raw_argument(const T& value) {
        return {nullptr, 0, &value};
    }

    // The memory that a captured launch uses.
    static void keep(const Tensor& x) { current_capture()->keep(x.impl()->elements->memory); }
    static void keep(const gpu::Argument& x) {
        if (x.storage) current_capture()->keep(x.storage->memory());
    }
    template <class T>
    static void keep(const T&) {}

    CachedKernel& kernel(const char* file, const char* name);
    // Throws Error unless the raw arguments are what launch() would pass.
    static void check(CachedKernel& known, const LaunchConfig& config,
                      const std::vector<gpu::Argument>& arguments, const gpu::RawArgument* raw);

    Device device_;
    std::mutex mutex_;
    std::map<std::string, CachedKernel, std::less<>> kernels_;  // by name, compiled so far
};

// A count as CUDA kernels take it. Throws Error if a tensor is too large for their 32-bit indices.
int int_of(std::size_t count);

}  // namespace lanes::tensor
