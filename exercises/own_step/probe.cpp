void lanes_probe(lanes::grading::Probe& probe) {
    const auto device = lanes::Device::simulator();
    const lanes::OwnKernels kernels(device);
    const std::size_t samples = probe.integer(2, 9), inputs = probe.integer(2, 9);
    const std::size_t hidden = probe.integer(2, 9), classes = probe.integer(2, 6);
    const auto tensor = [&](std::size_t rows, std::size_t columns) {
        return lanes::Tensor::from(probe.random<lanes::Matrix>({rows, columns}, -1, 1), device);
    };
    lanes::TwoLayers net;
    net.w1 = tensor(inputs, hidden), net.v1 = tensor(inputs, hidden);
    net.w2 = tensor(hidden, classes), net.v2 = tensor(hidden, classes);
    const lanes::Tensor x = tensor(samples, inputs);
    std::vector<int> labels;
    for (std::size_t i = 0; i < samples; ++i)
        labels.push_back(probe.integer(0, static_cast<int>(classes) - 1));
    const lanes::Tensor y = lanes::Tensor::from(labels, device);
    const float rate = probe.uniform(0.1, 0.5), momentum = probe.uniform(0.2, 0.9);
    for (int step = 0; step < 2; ++step) {
        const lanes::LaunchTrace trace;
        const lanes::Tensor loss = own_step(kernels, net, x, y, rate, momentum);
        probe.put(static_cast<int>(trace.copies().size()));
        probe.put(loss.item());
    }
    for (const lanes::Tensor& weights : {net.w1, net.w2, net.v1, net.v2})
        probe.put(weights.cpu().to_vector());
}
