void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t inputs = probe.integer(2, 9);
    lanes::Sequential model{lanes::Linear(inputs, 4), lanes::BatchNorm2d(4), lanes::Linear(4, 3)};
    {
        const lanes::NoGrad no_grad;
        for (const char* name : {"0.weight", "2.weight"}) {
            lanes::Tensor weight = model.parameter(name);
            weight.copy_(lanes::Tensor::from(
                probe.random<lanes::Matrix>({weight.shape(0), weight.shape(1)}, -1, 1)));
        }
        for (const char* name : {"0.bias", "2.bias"}) model.parameter(name).fill_(0.1f);
    }
    const auto batches = [&](std::size_t samples) {
        const lanes::Tensor x =
            lanes::Tensor::from(probe.random<lanes::Matrix>({samples, inputs}, -1, 1));
        std::vector<int> labels;
        for (std::size_t i = 0; i < samples; ++i) labels.push_back(probe.integer(0, 2));
        lanes::DataLoaderOptions options;
        options.batch_size(8);
        return lanes::DataLoader<2>(lanes::TensorDataset<2>({x, lanes::Tensor::from(labels)}),
                                    options);
    };
    lanes::DataLoader<2> train = batches(8 * probe.integer(1, 3) + probe.integer(2, 6));
    lanes::DataLoader<2> val = batches(probe.integer(5, 20));
    lanes::SGD optimizer(model.parameters(), 7);
    const double first = probe.uniform(0.2, 0.5), factor = probe.uniform(0.5, 0.9);
    const auto history = train_model(
        model, train, val, optimizer, [&](int epoch) { return first * std::pow(factor, epoch); },
        probe.integer(2, 4));
    for (const lanes::TrainedEpoch& epoch : history) {
        probe.put(epoch.learning_rate);
        for (const lanes::PhaseResult& phase : {epoch.train, epoch.val}) {
            probe.put(phase.loss);
            probe.put(phase.accuracy);
        }
    }
    for (const char* name : {"0.weight", "2.weight"}) probe.put(model.parameter(name).to_vector());
    probe.put(model.buffer("1.running_mean").to_vector());
}
