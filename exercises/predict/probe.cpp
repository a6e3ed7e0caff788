// The second call is on the simulator: the pictures go to where the model is.
void lanes_probe(lanes::grading::Probe& probe) {
    struct Watched : lanes::Module {
        lanes::Sequential layers;
        std::vector<int> modes;
        explicit Watched(lanes::Sequential given) : layers(register_module("layers", given)) {}
        lanes::Tensor forward(const lanes::Tensor& x) override {
            modes.push_back(2 * training() + lanes::grad_enabled());
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            return layers(x);
        }
    };
    for (int call = 0; call < 2; ++call) {
        const std::size_t inputs = probe.integer(2, 9);
        const std::size_t classes = probe.integer(2, 5);
        Watched model(lanes::Sequential{lanes::Linear(inputs, 4), lanes::BatchNorm2d(4),
                                        lanes::Linear(4, classes)});
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
        const std::size_t samples = 8 * probe.integer(1, 3) + probe.integer(1, 7);
        const lanes::Tensor x =
            lanes::Tensor::from(probe.random<lanes::Matrix>({samples, inputs}, -1, 1));
        lanes::DataLoaderOptions options;
        options.batch_size(8);
        lanes::DataLoader<2> pictures(
            lanes::TensorDataset<2>({x, lanes::Tensor::from(std::vector<int>(samples, 0))}),
            options);
        if (call == 1) model.to(lanes::Device::simulator());
        const lanes::Timer timer;
        const lanes::plates::Predicted predicted = predict(model, pictures);
        const double seconds = timer.seconds();
        probe.put(predicted.probabilities);
        probe.put(model.modes);
        probe.put(predicted.seconds >= 2e-3 * pictures.size() && predicted.seconds <= seconds);
    }
}
