void lanes_probe(lanes::grading::Probe& probe) {
    const auto call = [&](bool training, double spread) {
        const std::size_t channels = probe.integer(2, 6);
        const auto x =
            probe.random<lanes::Tensor4>({static_cast<std::size_t>(probe.integer(2, 5)), channels,
                                          static_cast<std::size_t>(probe.integer(1, 5)),
                                          static_cast<std::size_t>(probe.integer(2, 6))},
                                         -spread, 3 * spread);
        lanes::resnet::BatchNormState state;
        for (std::size_t c = 0; c < channels; ++c) {
            state.gamma.push_back(static_cast<float>(probe.uniform(0.5, 2)));
            state.beta.push_back(static_cast<float>(probe.uniform(-1, 1)));
            state.running_mean.push_back(static_cast<float>(probe.uniform(-1, 1)));
            state.running_var.push_back(static_cast<float>(probe.uniform(0.5, 2)));
        }
        probe.put(batch_norm(x, state, training));
        probe.put(state.running_mean);
        probe.put(state.running_var);
    };
    call(false, 1);
    call(true, 1);
    call(true, 0.002);
    call(false, 1);
}
