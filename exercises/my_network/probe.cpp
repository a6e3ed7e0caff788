void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t count = 20;
    lanes::Dataset training{probe.random<lanes::Matrix>({count, 784}, 0, 1),
                            xt::zeros<float>({count, std::size_t{10}})};
    for (std::size_t i = 0; i < count; ++i)
        training.y(i, static_cast<std::size_t>(probe.integer(0, 9))) = 1;
    lanes::TrainingOptions options;
    options.learning_rate(0.1).batch_size(static_cast<std::size_t>(probe.integer(2, 5)));
    options.batches_per_epoch(static_cast<std::size_t>(probe.integer(8, 20)));
    options.seed(static_cast<std::uint64_t>(probe.integer(1, 1000)));
    const auto children = [] {
        int left = 0;
        std::ifstream file("/proc/self/task/" + std::to_string(getpid()) + "/children");
        for (int child; file >> child;) ++left;
        return left;
    };
    lanes::Weights<float> first;
    bool same = true;
    int most = 0;
    for (int workers : {1, 2, 4}) {
        MyNetwork network({784, 6, 10}, options);
        network.print_epochs(false);
        network.on_progress(
            [&](const lanes::TrainingProgress&) { most = std::max(most, children()); });
        network.fit(training, 3, workers);
        if (workers == 1) first = network.weights();
        same = same && network.weights() == first;
        for (const auto& weights : network.weights()) probe.put(weights);
        probe.put(static_cast<int>(network.history().size()));
        probe.put(network.is_from_scratch());
    }
    probe.put(!std::is_base_of_v<lanes::AugmentedNetwork, MyNetwork>);
    probe.put(same);
    probe.put(most);
    probe.put(children());
    // An exception that leaves the training leaves no worker.
    MyNetwork network({784, 6, 10}, options);
    network.print_epochs(false);
    network.on_epoch([](const lanes::EpochReport&) { throw std::runtime_error("stop here"); });
    bool left_by_exception = false;
    try {
        network.fit(training, 2, 2);
    } catch (const std::runtime_error&) {
        left_by_exception = true;
    }
    probe.put(left_by_exception);
    probe.put(children());
}
