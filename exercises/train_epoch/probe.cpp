// On the CPU and on the simulator: the batches go to where the model is, and the model stays there.
void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t samples = probe.integer(9, 40);
    const std::size_t inputs = probe.integer(2, 9);
    const lanes::Tensor x =
        lanes::Tensor::from(probe.random<lanes::Matrix>({samples, inputs}, -1, 1));
    std::vector<int> labels;
    for (std::size_t i = 0; i < samples; ++i) labels.push_back(probe.integer(0, 3));
    lanes::DataLoaderOptions options;
    options.batch_size(8);
    lanes::DataLoader<2> batches(lanes::TensorDataset<2>({x, lanes::Tensor::from(labels)}),
                                 options);
    const auto weights = lanes::Tensor::from(probe.random<lanes::Matrix>({4, inputs}, -1, 1));
    for (const lanes::Device& device : {lanes::Device::cpu(), lanes::Device::simulator()}) {
        lanes::Sequential model{lanes::Linear(inputs, 4)};
        {
            const lanes::NoGrad no_grad;
            model.parameter("0.weight").copy_(weights);
            model.parameter("0.bias").fill_(0.1f);
        }
        model.to(device);
        lanes::SGD optimizer(model.parameters(), 0.3);
        probe.put(train_epoch(model, optimizer, batches, device));
        probe.put(model.parameter("0.weight").device() == device ? 1.0 : 0.0);
        probe.put(model.parameter("0.weight").cpu().to_vector());
    }
}
