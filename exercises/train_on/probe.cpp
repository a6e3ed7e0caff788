void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t inputs = probe.integer(2, 9);
    const auto examples = [&] {
        const std::size_t samples = probe.integer(9, 40);
        const auto x = probe.random<lanes::Matrix>({samples, inputs}, -1, 1);
        std::vector<int> labels;
        for (std::size_t i = 0; i < samples; ++i) labels.push_back(x(i, 0) + x(i, 1) > 0 ? 2 : 0);
        return lanes::TensorDataset<2>({lanes::Tensor::from(x), lanes::Tensor::from(labels)});
    };
    const lanes::TensorDataset<2> first = examples(), second = examples();
    const auto weights = lanes::Tensor::from(probe.random<lanes::Matrix>({3, inputs}, -1, 1));
    for (const lanes::Device& device : {lanes::Device::cpu(), lanes::Device::simulator()}) {
        const auto by_eight = lanes::DataLoaderOptions().batch_size(8);
        lanes::DataLoader<2> training(first, by_eight), validation(second, by_eight);
        lanes::Sequential model{lanes::Linear(inputs, 3)};
        {
            const lanes::NoGrad no_grad;
            model.parameter("0.weight").copy_(weights);
            model.parameter("0.bias").fill_(0.1f);
        }
        const int epochs = probe.integer(2, 5);
        const std::vector<double> accuracies =
            train_on(model, training, validation, epochs, device);
        probe.put(static_cast<int>(accuracies.size()));
        probe.put(accuracies);
        probe.put(model.parameter("0.weight").device() == device ? 1 : 0);
        probe.put(model.parameter("0.weight").cpu().to_vector());
    }
}
