// What the tensors of an example look like, and how examples are stacked to batches.
#pragma once

#include "lanes/base/rng.hpp"
#include "lanes/data/data_loader.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lanes::data {

// The same for all examples of a dataset: for each tensor its shape, type and bytes.
struct BatchLayout {
    std::vector<Shape> shapes;
    std::vector<DType> types;
    std::vector<std::size_t> bytes;  // per example

    std::size_t tensors() const { return shapes.size(); }
    Shape batch_shape(std::size_t tensor, std::size_t examples) const;  // one more axis in front
};

// Asks for example 0, unless the dataset is made of tensors.
BatchLayout layout_of(Examples& examples, const Rng& of_epoch);

// Writes examples into the memory of a batch. Random numbers of example i are of_epoch.split(i).
class BatchWriter {
public:
    // who: ends the sentence "get(5) threw", as " in worker 1".
    BatchWriter(Examples& examples, BatchLayout layout, std::string who = "");

    // to: for each tensor the memory of the batch. before: called before each call of get, with
    // the index of the example. Throws Error with the index if get throws or if the example does
    // not fit the layout.
    void write(const std::size_t* rows, std::size_t count, const Rng& of_epoch,
               unsigned char* const* to, const std::function<void(std::size_t)>& before);

private:
    std::vector<Tensor> get(std::size_t index, Rng rng);

    Examples& examples_;
    BatchLayout layout_;
    std::string who_;
    std::vector<Tensor> tensors_;  // of a TensorDataset
};

}  // namespace lanes::data
