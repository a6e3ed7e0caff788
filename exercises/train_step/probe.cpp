// Keeps how many rows each call had.
struct WatchedLinear : lanes::Module {
    explicit WatchedLinear(std::size_t inputs) : linear(inputs, 3) {
        register_module("linear", linear);
    }
    lanes::Tensor forward(const lanes::Tensor& x) override {
        rows += x.shape(0);
        return linear(x);
    }
    lanes::Linear linear;
    std::size_t rows = 0;
};

void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 6; ++i) {
        const int ranks = i == 0 ? 1 : static_cast<int>(probe.integer(2, 5));
        const auto n = static_cast<std::size_t>(probe.integer(ranks, 20));
        const auto inputs = static_cast<std::size_t>(probe.integer(2, 6));
        const auto weight = lanes::Tensor::from(probe.random<lanes::Matrix>({3, inputs}, -1, 1));
        std::vector<lanes::Tensor> x, y;
        for (int step = 0; step < 2; ++step) {
            x.push_back(lanes::Tensor::from(probe.random<lanes::Matrix>({n, inputs}, -2, 2)));
            std::vector<int> labels;
            for (std::size_t k = 0; k < n; ++k)
                labels.push_back(static_cast<int>(probe.integer(0, 2)));
            y.push_back(lanes::Tensor::from(labels));
        }
        std::vector<std::vector<float>> got(ranks);
        std::vector<int> shared(ranks);
        lanes::simulate_ranks(ranks, [&](const lanes::Communicator& comm) {
            WatchedLinear model(inputs);
            {
                const lanes::NoGrad no_grad;
                model.parameter("linear.weight").copy_(weight);
                model.parameter("linear.bias").fill_(0.1f);
            }
            lanes::SGD optimizer(model.parameters(), 0.3);
            for (int step = 0; step < 2; ++step)
                train_step(comm, model, optimizer, x[step], y[step]);
            shared[comm.rank()] = model.rows <= 2 * (n / ranks + 1);
            for (const lanes::Tensor& parameter : model.parameters())
                for (float value : parameter.to_vector()) got[comm.rank()].push_back(value);
        });
        for (const auto& of_rank : got) probe.put(of_rank);
        probe.put(shared);
    }
}
