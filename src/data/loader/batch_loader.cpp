#include "batch_layout.hpp"
#include "loader_workers.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "lanes/data/data_loader.hpp"
#include "tensor/core/tensor_impl.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

namespace lanes {

DataLoaderOptions& DataLoaderOptions::share(int index, int count) {
    LANES_REQUIRE(count >= 1 && index >= 0 && index < count, "DataLoaderOptions::share: share ",
                  index, " of ", count, ". Give 0 to ", count - 1, " of at least 1.");
    share_index_ = static_cast<std::size_t>(index);
    share_count_ = static_cast<std::size_t>(count);
    return *this;
}

}  // namespace lanes

namespace lanes::data {

namespace {

// Looks at the interrupt button about once per millisecond.
class InterruptCheck {
public:
    void operator()() {
        const auto now = Clock::now();
        if (now < next_) return;
        next_ = now + std::chrono::milliseconds(1);
        LANES_REQUIRE(!interrupted(), "DataLoader: interrupted.");
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point next_;
};

void check_options(const DataLoaderOptions& options) {
    LANES_REQUIRE(options.batch_size() > 0,
                  "DataLoader: batch_size is 0. Ask for at least 1 example per batch.");
    constexpr int most_workers = 256;
    LANES_REQUIRE(options.num_workers() >= 0 && options.num_workers() <= most_workers,
                  "DataLoader: num_workers is ", options.num_workers(), ". Ask for 0 to ",
                  most_workers, "; num_workers() is the number of cores.");
    LANES_REQUIRE(
        options.num_workers() == 0 || (options.prefetch() > 0 && options.prefetch() <= 1024),
        "DataLoader: prefetch is ", options.prefetch(), ". Ask for 1 to 1024 batches per worker.");
}

}  // namespace

// Batches have numbers: those of epoch e are e * batches, e * batches + 1, ...
struct BatchLoader::State {
    State(std::unique_ptr<Examples> examples_, const DataLoaderOptions& options_)
        : examples(std::move(examples_)), options(options_), size(examples->size()) {
        check_options(options);
        batches = size / options.batch_size();
        if (!options.drop_last() && size % options.batch_size() != 0) ++batches;
        const std::size_t last = options.drop_last() || size % options.batch_size() == 0
                                     ? options.batch_size()
                                     : size % options.batch_size();
        LANES_REQUIRE(last >= options.share_count(), "DataLoader: the smallest batch has ", last,
                      " examples for ", options.share_count(),
                      " shares. Ask for larger batches; drop_last leaves out a smaller last one.");
    }

    struct Rows {
        const std::size_t* first;
        std::size_t count;
    };
    Rows rows_of(std::uint64_t number);
    void prepare();
    void supply_jobs();
    void write_batch(std::uint64_t number, Tensor* batch);

    Rng rng_of(std::uint64_t epoch) const { return Rng(options.seed()).split(epoch); }

    std::unique_ptr<Examples> examples;
    const DataLoaderOptions options;
    std::size_t size;     // examples
    std::size_t batches;  // per epoch

    std::uint64_t next_epoch = 0;
    std::uint64_t next_put = 0;   // number of a batch
    std::uint64_t next_take = 0;  // number of a batch

    std::vector<std::size_t> order;  // the examples in the order of epoch order_of
    std::optional<std::uint64_t> order_of;

    InterruptCheck interrupt_check;
    std::unique_ptr<BatchLayout> layout;
    std::unique_ptr<BatchWriter> writer;     // without workers
    std::vector<unsigned char*> memory;      // of the batch that it writes
    std::unique_ptr<LoaderWorkers> workers;  // ended first: they use the examples
    std::vector<std::string> deaths;         // of workers that are gone
};

BatchLoader::State::Rows BatchLoader::State::rows_of(std::uint64_t number) {
    const std::uint64_t epoch = number / batches;
    if (order.size() != size) {
        order.resize(size);
        std::iota(order.begin(), order.end(), std::size_t{0});
    }
    if (options.shuffle() && order_of != epoch) {
        order = rng_of(epoch).permutation(size);
        order_of = epoch;
    }
    const std::size_t first = number % batches * options.batch_size();
    const std::size_t count = std::min(options.batch_size(), size - first);
    const std::size_t parts = options.share_count();
    const std::size_t begin = count * options.share_index() / parts;
    const std::size_t end = count * (options.share_index() + 1) / parts;
    return {order.data() + first + begin, end - begin};
}

// What the first epoch needs, and each epoch after workers were lost.
void BatchLoader::State::prepare() {
    if (!layout) layout = std::make_unique<BatchLayout>(layout_of(*examples, rng_of(next_epoch)));
    if (options.num_workers() == 0) {
        if (!writer) writer = std::make_unique<BatchWriter>(*examples, *layout);
        return;
    }
    if (workers && workers->present()) return;
    workers.reset();
    // A larger batch_size is allowed; the workers' memory would not hold it.
    DataLoaderOptions of_workers = options;
    of_workers.batch_size(std::min(options.batch_size(), size));
    workers = std::make_unique<LoaderWorkers>(*examples, *layout, of_workers);
    next_put = next_take;
}

void BatchLoader::State::supply_jobs() {
    for (; next_put < next_take + workers->max_in_flight(); ++next_put) {
        const Rows rows = rows_of(next_put);
        workers->put(next_put, next_put / batches, rows.first, rows.count);
    }
}

void BatchLoader::State::write_batch(std::uint64_t number, Tensor* batch) {
    const Rows rows = rows_of(number);
    memory.resize(layout->tensors());
    for (std::size_t i = 0; i < layout->tensors(); ++i) {
        batch[i] =
            Tensor::empty(layout->batch_shape(i, rows.count), Device::cpu(), layout->types[i]);
        memory[i] = static_cast<unsigned char*>(tensor::address(batch[i]));
    }
    writer->write(rows.first, rows.count, rng_of(number / batches), memory.data(),
                  [this](std::size_t) { interrupt_check(); });
}

BatchLoader::BatchLoader(std::unique_ptr<Examples> examples, const DataLoaderOptions& options)
    : state_(std::make_unique<State>(std::move(examples), options)) {}
BatchLoader::~BatchLoader() = default;

std::uint64_t BatchLoader::start_epoch() {
    State& state = *state_;
    const std::uint64_t epoch = state.next_epoch++;
    if (state.batches == 0) return epoch;
    const std::uint64_t first = epoch * state.batches;
    const bool continues = state.next_take == first;
    state.next_take = first;
    if (!continues && state.workers && state.workers->present()) state.workers->drop_all();
    if (!continues) state.next_put = first;
    state.prepare();
    return epoch;
}

bool BatchLoader::next(std::uint64_t epoch, Tensor* batch) {
    State& state = *state_;
    LANES_REQUIRE(epoch + 1 == state.next_epoch,
                  "DataLoader: another loop over the same loader was started, or its epoch was "
                  "set, while this one was running. Make one loader per loop.");
    if (state.next_take == (epoch + 1) * state.batches) return false;
    state.interrupt_check();
    if (state.options.num_workers() == 0) {
        state.write_batch(state.next_take, batch);
    } else {
        LANES_REQUIRE(state.workers,
                      "DataLoader: this epoch ended with an error. Start the next one.");
        try {
            state.supply_jobs();
            state.workers->take(state.next_take, batch);
        } catch (...) {
            // Nobody knows what the workers are doing: the next epoch starts new ones.
            const std::vector<std::string>& deaths = state.workers->worker_failures();
            state.deaths.insert(state.deaths.end(), deaths.begin(), deaths.end());
            state.workers.reset();
            throw;
        }
    }
    ++state.next_take;
    return true;
}

std::size_t BatchLoader::batches() const { return state_->batches; }
std::uint64_t BatchLoader::epoch() const { return state_->next_epoch; }
void BatchLoader::set_epoch(std::uint64_t epoch) { state_->next_epoch = epoch; }
const DataLoaderOptions& BatchLoader::options() const { return state_->options; }
std::vector<std::string> BatchLoader::worker_failures() const {
    std::vector<std::string> all = state_->deaths;
    if (state_->workers)
        all.insert(all.end(), state_->workers->worker_failures().begin(),
                   state_->workers->worker_failures().end());
    return all;
}

Tensor to_tensor(long long value) {
    return Tensor::from(std::vector<long long>{value}).reshape({});
}
Tensor to_tensor(unsigned long long value) {
    return Tensor::from(std::vector<unsigned long long>{value}).reshape({});
}
Tensor to_tensor(double value) { return Tensor::from(std::vector<double>{value}).reshape({}); }

}  // namespace lanes::data
