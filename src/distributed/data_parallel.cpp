#include "lanes/distributed/data_parallel.hpp"

#include "tensor/core/tensor_impl.hpp"

#include "lanes/base/timer.hpp"
#include "lanes/tensor/autograd.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <unordered_map>
#include <vector>

namespace lanes {

namespace {

// Gradients that are sent together, times the number of examples. Behind them the weights of the
// mean: for each parameter the examples if it has a gradient on this rank, then the examples.
struct Bucket {
    struct Slot {
        Tensor parameter;
        std::size_t first;  // in numbers
        Tensor before;      // its gradient before this backward()
    };
    std::vector<Slot> slots;
    std::size_t elements = 0;
    std::vector<float> numbers;
    std::size_t arrived = 0;
    std::optional<Request> sending;

    bool is_complete() const { return arrived == slots.size(); }
    float& weight_of(std::size_t slot) { return numbers[elements + slot]; }
    float& examples() { return numbers.back(); }
};

// Those of the last layers first: their gradients are complete first.
std::vector<Bucket> make_buckets(const Module& model, std::size_t bytes) {
    std::vector<Bucket> buckets;
    std::vector<Tensor> parameters = model.parameters();
    std::reverse(parameters.begin(), parameters.end());
    for (const Tensor& parameter : parameters) {
        if (!parameter.requires_grad()) continue;
        if (buckets.empty() || buckets.back().elements * sizeof(float) >= bytes)
            buckets.emplace_back();
        Bucket& bucket = buckets.back();
        bucket.slots.push_back({parameter, bucket.elements, {}});
        bucket.elements += parameter.size();
    }
    for (Bucket& bucket : buckets) bucket.numbers.resize(bucket.elements + bucket.slots.size() + 1);
    return buckets;
}

void set_gradient(const Tensor& parameter, const Tensor& gradient) {
    parameter.impl()->grad = gradient;
}

}  // namespace

struct DataParallel::State {
    Module& model;
    Communicator comm;
    DataParallelOptions options;
    std::vector<Bucket> buckets;
    std::unordered_map<const tensor::TensorImpl*, std::pair<Bucket*, std::size_t>> place;
    std::size_t started = 0;  // buckets that are on their way
    double seconds_waiting = 0;

    void prepare(float examples);
    void take(const Tensor& leaf, const Tensor& gradient, float examples);
    void start_complete_ones();
    void finish();
};

// Parameters may be frozen or thawed between steps, so the buckets are made for each.
void DataParallel::State::prepare(float examples) {
    std::size_t trainable = 0;
    for (const Tensor& parameter : model.parameters()) trainable += parameter.requires_grad();
    if (trainable != place.size() || std::any_of(place.begin(), place.end(), [](const auto& entry) {
            return !entry.first->requires_grad;
        })) {
        buckets = make_buckets(model, options.bucket_bytes());
        place.clear();
        for (Bucket& bucket : buckets)
            for (std::size_t i = 0; i < bucket.slots.size(); ++i)
                place[bucket.slots[i].parameter.impl().get()] = {&bucket, i};
    }
    started = 0;
    for (Bucket& bucket : buckets) {
        bucket.arrived = 0;
        std::fill(bucket.numbers.begin(), bucket.numbers.end(), 0.0f);
        bucket.examples() = examples;
        for (Bucket::Slot& slot : bucket.slots) {
            slot.before = slot.parameter.has_grad() ? slot.parameter.grad() : Tensor();
            slot.parameter.zero_grad();
        }
    }
}

void DataParallel::State::take(const Tensor& leaf, const Tensor& gradient, float examples) {
    const auto found = place.find(leaf.impl().get());
    if (found == place.end()) return;  // no parameter of the model
    auto& [bucket, i] = found->second;
    const Tensor values = gradient.cpu();
    std::transform(values.data(), values.data() + values.size(),
                   bucket->numbers.begin() + static_cast<std::ptrdiff_t>(bucket->slots[i].first),
                   [examples](float value) { return value * examples; });
    bucket->weight_of(i) = examples;
    ++bucket->arrived;
    if (options.overlap()) start_complete_ones();
}

// In the same order on all ranks, whatever order the gradients come in. MPI works on messages only
// while it is called: done() gives it the time.
void DataParallel::State::start_complete_ones() {
    while (started < buckets.size() && buckets[started].is_complete()) {
        buckets[started].sending = comm.start_all_reduce(buckets[started].numbers);
        ++started;
    }
    for (std::size_t i = 0; i < started; ++i) {
        std::optional<Request>& sending = buckets[i].sending;
        if (sending) sending->done();
    }
}

void DataParallel::State::finish() {
    const NoGrad no_grad;
    Timer timer;
    double working = 0;
    for (; started < buckets.size(); ++started)
        buckets[started].sending = comm.start_all_reduce(buckets[started].numbers);
    for (Bucket& bucket : buckets) {
        if (bucket.sending) bucket.sending->wait();
        bucket.sending.reset();
        const Timer work;
        const float scale = 1 / bucket.examples();
        for (std::size_t i = 0; i < bucket.slots.size(); ++i) {
            const Bucket::Slot& slot = bucket.slots[i];
            if (bucket.weight_of(i) == 0) {  // no rank has one
                if (slot.before.defined()) set_gradient(slot.parameter, slot.before);
                continue;
            }
            Tensor mean = Tensor::empty(slot.parameter.shape());
            std::transform(
                bucket.numbers.begin() + static_cast<std::ptrdiff_t>(slot.first),
                bucket.numbers.begin() + static_cast<std::ptrdiff_t>(slot.first + mean.size()),
                mean.data(), [scale](float sum) { return sum * scale; });
            mean = mean.to(slot.parameter.device());
            if (slot.before.defined()) mean.add_(slot.before);
            set_gradient(slot.parameter, mean);
        }
        working += work.seconds();
    }
    seconds_waiting = timer.seconds() - working;
}

DataParallel::DataParallel(Module& model, const Communicator& comm,
                           const DataParallelOptions& options)
    : state_(new State{model, comm, options, {}, {}, 0, 0}) {
    broadcast_model(model, comm);
}

DataParallel::~DataParallel() = default;

void DataParallel::backward(Tensor& loss, std::size_t examples) {
    LANES_REQUIRE(examples > 0,
                  "DataParallel::backward: the loss is the mean of 0 examples. Every rank needs "
                  "one at least: ask for larger batches.");
    const auto weight = static_cast<float>(examples);
    state_->prepare(weight);
    try {
        const OnGradient send([&](const Tensor& leaf, const Tensor& gradient) {
            state_->take(leaf, gradient, weight);
        });
        loss.backward();
    } catch (...) {
        // MPI still writes to what was sent: this memory stays. The other ranks wait for this one.
        static std::vector<std::unique_ptr<State>> given_up;
        State& state = *state_;
        given_up.push_back(std::move(state_));
        state_.reset(new State{state.model, state.comm, state.options, {}, {}, 0, 0});
        throw;
    }
    state_->finish();
}

double DataParallel::seconds_waiting() const { return state_->seconds_waiting; }

void average_gradients(Module& model, const Communicator& comm, std::size_t examples) {
    const NoGrad no_grad;
    const float total = comm.all_reduce(static_cast<float>(examples));
    for (const Tensor& parameter : model.parameters()) {
        if (!parameter.requires_grad()) continue;
        Tensor gradient = parameter.grad();
        gradient.mul_(static_cast<float>(examples) / total);
        comm.all_reduce(gradient);
    }
}

void broadcast_model(Module& model, const Communicator& comm, int root) {
    const NoGrad no_grad;
    for (auto& [name, values] : model.state_dict()) {
        Tensor shared = values.detach();
        comm.broadcast(shared, root);
    }
}

}  // namespace lanes
