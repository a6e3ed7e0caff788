// The validation is on the simulator: the batches go to where the model is.
void lanes_probe(lanes::grading::Probe& probe) {
    struct Watched : lanes::Module {
        lanes::Sequential layers;
        std::vector<int> modes;
        explicit Watched(lanes::Sequential given) : layers(register_module("layers", given)) {}
        lanes::Tensor forward(const lanes::Tensor& x) override {
            modes.push_back(2 * training() + lanes::grad_enabled());
            return layers(x);
        }
    };
    const std::size_t inputs = probe.integer(2, 9);
    Watched model(
        lanes::Sequential{lanes::Linear(inputs, 5), lanes::BatchNorm2d(5), lanes::Linear(5, 3)});
    {
        const lanes::NoGrad no_grad;
        for (const char* name : {"layers.0.weight", "layers.2.weight"}) {
            lanes::Tensor weight = model.parameter(name);
            weight.copy_(lanes::Tensor::from(
                probe.random<lanes::Matrix>({weight.shape(0), weight.shape(1)}, -1, 1)));
        }
        for (const char* name : {"layers.0.bias", "layers.2.bias"})
            model.parameter(name).fill_(0.1f);
    }
    lanes::SGD optimizer(model.parameters(), 0.3);
    for (lanes::Optimizer* used :
         {static_cast<lanes::Optimizer*>(&optimizer), static_cast<lanes::Optimizer*>(nullptr)}) {
        const std::size_t samples = 8 * probe.integer(1, 4) + probe.integer(2, 6);
        const lanes::Tensor x =
            lanes::Tensor::from(probe.random<lanes::Matrix>({samples, inputs}, -1, 1));
        std::vector<int> labels;
        for (std::size_t i = 0; i < samples; ++i) labels.push_back(probe.integer(0, 2));
        lanes::DataLoaderOptions options;
        options.batch_size(8);
        lanes::DataLoader<2> batches(lanes::TensorDataset<2>({x, lanes::Tensor::from(labels)}),
                                     options);
        if (!used) model.to(lanes::Device::simulator());
        const lanes::PhaseResult phase = run_phase(model, batches, used);
        probe.put(phase.loss);
        probe.put(phase.accuracy);
        probe.put(model.modes);
        probe.put(model.parameter("layers.0.weight").cpu().to_vector());
        probe.put(model.buffer("layers.1.running_mean").cpu().to_vector());
    }
}
