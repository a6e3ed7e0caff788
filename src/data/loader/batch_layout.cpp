#include "batch_layout.hpp"

#include "lanes/base/error.hpp"
#include "parallel/worker_registry.hpp"
#include "tensor/core/tensor_impl.hpp"

#include <cstring>
#include <utility>

namespace lanes::data {

namespace {

// Tensor::rand, randn and dropout draw from this generator until the end of the scope.
class UseGenerator {
public:
    explicit UseGenerator(const Rng& rng)
        : before_(std::exchange(tensor::random_generator(), rng)) {}
    ~UseGenerator() { tensor::random_generator() = before_; }
    UseGenerator(const UseGenerator&) = delete;
    UseGenerator& operator=(const UseGenerator&) = delete;

private:
    Rng before_;
};

std::vector<Tensor> get_with_index_in_error(Examples& examples, std::size_t index, Rng rng,
                                            const std::string& who) {
    const UseGenerator guard(rng.split(0));
    try {
        return examples.get(index, rng);
    } catch (...) {
        throw Error("DataLoader: get(", index, ") threw", who, ": ", parallel::exception_text());
    }
}

void require_usable(const Tensor& part, std::size_t index, std::size_t tensor) {
    LANES_REQUIRE(part.defined(), "DataLoader: tensor ", tensor, " of example ", index,
                  " holds nothing. Return tensors with elements from get(index).");
    LANES_REQUIRE(part.device().is_cpu(), "DataLoader: tensor ", tensor, " of example ", index,
                  " lives on ", part.device().id(),
                  ". Return tensors on the cpu, and copy each batch: x.to(device).");
    LANES_REQUIRE(!part.requires_grad(), "DataLoader: tensor ", tensor, " of example ", index,
                  " requires gradients, which a batch would lose. Give tensor.detach(), or compute "
                  "it while a lanes::NoGrad exists.");
}

std::string described(const Tensor& part) {
    return part.shape().text() + " of " + to_text(part.dtype());
}

}  // namespace

Shape BatchLayout::batch_shape(std::size_t tensor, std::size_t examples) const {
    Shape shape{examples};
    for (const std::size_t extent : shapes[tensor]) shape.append(static_cast<long long>(extent));
    return shape;
}

BatchLayout layout_of(Examples& examples, const Rng& of_epoch) {
    BatchLayout layout;
    const std::vector<Tensor> rows = examples.tensors();
    const std::vector<Tensor> first =
        rows.empty() ? get_with_index_in_error(examples, 0, of_epoch.split(0), "") : rows;
    for (std::size_t i = 0; i < first.size(); ++i) {
        require_usable(first[i], 0, i);
        const Shape& whole = first[i].shape();
        Shape shape;
        for (std::size_t axis = rows.empty() ? 0 : 1; axis < whole.rank(); ++axis)
            shape.append(static_cast<long long>(whole[axis]));
        LANES_REQUIRE(shape.rank() < Shape::max_rank, "DataLoader: tensor ", i,
                      " of an example has ", shape.rank(), " axes, and a batch one more. At most ",
                      Shape::max_rank, " are possible: reshape it.");
        layout.shapes.push_back(shape);
        layout.types.push_back(first[i].dtype());
        layout.bytes.push_back(shape.count() * tensor::element_bytes);
    }
    return layout;
}

BatchWriter::BatchWriter(Examples& examples, BatchLayout layout, std::string who)
    : examples_(examples),
      layout_(std::move(layout)),
      who_(std::move(who)),
      tensors_(examples.tensors()) {}

std::vector<Tensor> BatchWriter::get(std::size_t index, Rng rng) {
    std::vector<Tensor> example = get_with_index_in_error(examples_, index, rng, who_);
    for (std::size_t i = 0; i < layout_.tensors(); ++i) {
        require_usable(example[i], index, i);
        LANES_REQUIRE(
            example[i].shape() == layout_.shapes[i] && example[i].dtype() == layout_.types[i],
            "DataLoader: tensor ", i, " of example ", index, " is ", described(example[i]),
            ", that of example 0 is ", layout_.shapes[i], " of ", to_text(layout_.types[i]),
            ". Give all examples the same shapes and types.");
    }
    return example;
}

void BatchWriter::write(const std::size_t* rows, std::size_t count, const Rng& of_epoch,
                        unsigned char* const* to, const std::function<void(std::size_t)>& before) {
    for (std::size_t tensor = 0; tensor < tensors_.size(); ++tensor) {
        const std::size_t bytes = layout_.bytes[tensor];
        const auto* const from =
            static_cast<const unsigned char*>(tensor::address(tensors_[tensor]));
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(to[tensor] + i * bytes, from + rows[i] * bytes, bytes);
    }
    if (!tensors_.empty()) return;
    for (std::size_t i = 0; i < count; ++i) {
        before(rows[i]);
        const std::vector<Tensor> example = get(rows[i], of_epoch.split(rows[i]));
        for (std::size_t tensor = 0; tensor < layout_.tensors(); ++tensor) {
            const std::size_t bytes = layout_.bytes[tensor];
            std::memcpy(to[tensor] + i * bytes, tensor::address(example[tensor]), bytes);
        }
    }
}

}  // namespace lanes::data
