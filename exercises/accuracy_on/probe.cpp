// What a model saw of the call: its mode, whether gradients were recorded, where the batch was.
struct LanesWitness : lanes::Module {
    lanes::Linear linear;
    int seen = 0;
    explicit LanesWitness(const lanes::Linear& one) : linear(register_module("linear", one)) {}
    lanes::Tensor forward(const lanes::Tensor& x) override {
        const bool is_here = x.device() == linear.parameter("weight").device();
        seen += 1 + 100 * training() + 10000 * lanes::grad_enabled() + 1000000 * !is_here;
        return linear(x);
    }
};
void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t samples = probe.integer(9, 15), inputs = probe.integer(2, 9);
    const lanes::Tensor x =
        lanes::Tensor::from(probe.random<lanes::Matrix>({samples, inputs}, -1, 1));
    std::vector<int> labels;
    for (std::size_t i = 0; i < samples; ++i) labels.push_back(probe.integer(0, 2));
    const lanes::TensorDataset<2> examples({x, lanes::Tensor::from(labels)});
    const auto weights = lanes::Tensor::from(probe.random<lanes::Matrix>({3, inputs}, -1, 1));
    for (const lanes::Device& device : {lanes::Device::cpu(), lanes::Device::simulator()})
        for (const std::size_t batch : {4, 8}) {
            lanes::DataLoader<2> batches(examples, lanes::DataLoaderOptions().batch_size(batch));
            LanesWitness model(lanes::Linear(inputs, 3));
            {
                const lanes::NoGrad no_grad;
                model.parameter("linear.weight").copy_(weights);
                model.parameter("linear.bias").fill_(0);
            }
            model.to(device);
            probe.put(accuracy_on(model, batches, device));
            probe.put(model.seen);
            probe.put(model.training() ? 1 : 0);
            probe.put(lanes::grad_enabled() ? 1 : 0);
            probe.put(model.parameter("linear.weight").device() == device ? 1 : 0);
        }
}
