#include "lanes/distributed/data_parallel.hpp"

#include "tensor/core/node.hpp"

#include "lanes/base/timer.hpp"
#include "lanes/tensor/autograd.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanes {

namespace {

// A parameter of at least that many bytes is a message of its own, sent from and received in the
// memory of its gradient. Smaller ones are copied into one message: few of them, and a copy that
// costs little.
constexpr std::size_t whole_bytes = 1 << 16;

struct Slot {
    Tensor parameter;
    std::size_t first;  // in the numbers of its message
    bool arrived = false;
};

// Gradients that are sent together.
struct Message {
    std::vector<Slot> slots;
    bool is_whole = false;  // one gradient in its own memory
    bool is_early = false;  // sent while backward() still computes; the same on all ranks
    std::size_t arrived = 0;
    std::size_t elements = 0;
    Tensor numbers;  // (elements), on the CPU. MPI reads and writes them until `sending` is done.
    std::optional<Request> sending;
};

std::size_t bytes_of(const Tensor& parameter) { return parameter.size() * sizeof(float); }

// Those of the last layers first: their gradients are complete first. A message comes when the last
// of its gradients does, in the order of the parameters.
std::vector<Message> make_messages(const Module& model, const DataParallelOptions& options) {
    const std::size_t bucket_bytes = options.bucket_bytes();
    std::vector<Message> messages;
    Message bucket;
    const auto close_bucket = [&] {
        if (bucket.slots.empty()) return;
        bucket.numbers = Tensor::empty({bucket.elements});
        messages.push_back(std::exchange(bucket, Message()));
    };
    std::vector<Tensor> parameters = model.parameters();
    std::reverse(parameters.begin(), parameters.end());
    for (const Tensor& parameter : parameters) {
        if (!parameter.requires_grad()) continue;
        if (bytes_of(parameter) >= std::min(bucket_bytes, whole_bytes)) {
            Message& whole = messages.emplace_back();
            whole.is_whole = true;
            whole.slots.push_back({parameter, 0});
            whole.elements = parameter.size();
            continue;
        }
        bucket.slots.push_back({parameter, bucket.elements});
        bucket.elements += parameter.size();
        if (bucket.elements * sizeof(float) >= bucket_bytes) close_bucket();
    }
    close_bucket();
    // Behind the last large gradient nothing is left to compute that could hide a message.
    const auto last = std::find_if(messages.rbegin(), messages.rend(),
                                   [](const Message& message) { return message.is_whole; });
    if (options.overlap() && last != messages.rend())
        std::for_each(messages.begin(), last.base() - 1,
                      [](Message& message) { message.is_early = true; });
    return messages;
}

// For MPI to write to: memory that nothing else refers to.
Tensor own_memory(Tensor gradient) {
    const bool is_shared =
        gradient.impl().use_count() > 1 || gradient.impl()->elements.use_count() > 1;
    return is_shared ? gradient.clone() : std::move(gradient);
}

}  // namespace

struct DataParallel::State {
    struct Place {
        Message* message;
        Slot* slot;
        std::size_t number;  // of the parameter
    };

    Module& model;
    Communicator comm;
    DataParallelOptions options;
    std::vector<Message> messages{};
    std::unordered_map<const tensor::TensorImpl*, Place> places{};
    // What the mean is made with: for each parameter the examples if it has a gradient on this
    // rank, then the examples.
    std::vector<float> weights{};
    std::size_t started = 0;  // messages that are on their way
    float divisor = 1;        // examples of all ranks in the step before
    double seconds_waiting = 0;

    void prepare(float examples);
    void take(const Tensor& leaf, Tensor& gradient);
    void start_complete_ones();
    void fill_gaps(Message& message) const;
    void finish();
    void store_mean(Message& message, float scale);
};

// Parameters may be frozen or thawed between steps: then there are other messages.
void DataParallel::State::prepare(float examples) {
    std::size_t trainable = 0;
    for (const Tensor& parameter : model.parameters()) trainable += parameter.requires_grad();
    if (trainable != places.size() ||
        std::any_of(places.begin(), places.end(),
                    [](const auto& entry) { return !entry.first->requires_grad; })) {
        messages = make_messages(model, options);
        places.clear();
        for (Message& message : messages)
            for (Slot& slot : message.slots)
                places[slot.parameter.impl().get()] = {&message, &slot, places.size()};
    }
    started = 0;
    for (Message& message : messages) {
        message.arrived = 0;
        for (Slot& slot : message.slots) slot.arrived = false;
    }
    weights.assign(places.size() + 1, 0.0f);
    weights.back() = examples;
}

void DataParallel::State::take(const Tensor& leaf, Tensor& gradient) {
    const auto found = places.find(leaf.impl().get());
    if (found == places.end()) return;  // no parameter of the model
    const auto& [message, slot, number] = found->second;
    Tensor values = std::exchange(gradient, Tensor());
    if (!values.device().is_cpu()) values = values.cpu();
    if (message->is_whole)
        message->numbers = own_memory(std::move(values));
    else
        std::copy_n(values.data(), values.size(), message->numbers.data() + slot->first);
    slot->arrived = true;
    weights[number] = weights.back();
    ++message->arrived;
    if (message->is_early) start_complete_ones();
}

// In the same order on all ranks, whatever order the gradients come in. MPI works on messages only
// while it is called: done() gives it the time.
void DataParallel::State::start_complete_ones() {
    while (started < messages.size() && messages[started].is_early &&
           messages[started].arrived == messages[started].slots.size()) {
        messages[started].sending = comm.start_all_reduce(messages[started].numbers);
        ++started;
    }
    for (std::size_t i = 0; i < started; ++i)
        if (std::optional<Request>& sending = messages[i].sending) sending->done();
}

// Zeros for gradients that this rank does not have.
void DataParallel::State::fill_gaps(Message& message) const {
    for (const Slot& slot : message.slots) {
        if (slot.arrived) continue;
        if (message.is_whole)
            message.numbers = Tensor::zeros(slot.parameter.shape());
        else
            std::fill_n(message.numbers.data() + slot.first, slot.parameter.size(), 0.0f);
    }
}

// What is not on its way yet is summed by a blocking all-reduce: nothing is left to compute
// meanwhile, and small ones are faster than those that return at once.
void DataParallel::State::finish() {
    const NoGrad no_grad;
    const Timer timer;
    for (; started < messages.size(); ++started) {
        Message& message = messages[started];
        fill_gaps(message);
        if (message.is_early)
            message.sending = comm.start_all_reduce(message.numbers);
        else
            comm.all_reduce(message.numbers);
    }
    comm.all_reduce(weights);
    const float total = weights.back();
    double working = 0;
    for (Message& message : messages) {
        if (message.sending) message.sending->wait();
        message.sending.reset();
        const Timer work;
        store_mean(message, divisor / total);
        working += work.seconds();
    }
    divisor = total;
    seconds_waiting = timer.seconds() - working;
}

void DataParallel::State::store_mean(Message& message, float scale) {
    for (const Slot& slot : message.slots) {
        const Place& place = places.at(slot.parameter.impl().get());
        if (weights[place.number] == 0) continue;  // no rank has one
        Tensor mean = message.is_whole ? std::exchange(message.numbers, Tensor())
                                       : Tensor::empty(slot.parameter.shape());
        if (!message.is_whole)
            std::copy_n(message.numbers.data() + slot.first, mean.size(), mean.data());
        mean = mean.to(slot.parameter.device());
        if (scale != 1) mean.mul_(scale);
        if (slot.parameter.has_grad()) mean.add_(slot.parameter.grad());
        slot.parameter.impl()->grad = mean;
    }
}

DataParallel::DataParallel(Module& model, const Communicator& comm,
                           const DataParallelOptions& options)
    : state_(new State{model, comm, options}) {
    broadcast_model(model, comm);
}

DataParallel::~DataParallel() = default;

void DataParallel::backward(Tensor& loss, std::size_t examples) {
    LANES_REQUIRE(examples > 0,
                  "DataParallel::backward: the loss is the mean of 0 examples. Every rank needs "
                  "one at least: ask for larger batches.");
    LANES_REQUIRE(loss.size() == 1, "DataParallel::backward: the loss has the shape ", loss.shape(),
                  ". Give a single number, such as the mean over the examples.");
    const auto weight = static_cast<float>(examples);
    state_->prepare(weight);
    try {
        const tensor::TakeGradients send(
            [&](const Tensor& leaf, Tensor& gradient) { state_->take(leaf, gradient); });
        // Weights each gradient on the way, and divides it by the examples that all ranks together
        // had before: if they have as many now, the sum is the mean.
        loss.backward(Tensor::full(loss.shape(), weight / state_->divisor, loss.device()));
    } catch (...) {
        // MPI still writes to what was sent: this memory stays. The other ranks wait for this one.
        static std::vector<std::unique_ptr<State>> given_up;
        State& state = *state_;
        given_up.push_back(std::move(state_));
        state_.reset(new State{state.model, state.comm, state.options});
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
