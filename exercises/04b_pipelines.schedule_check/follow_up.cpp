// Trains networks with the bounds that the student's schedule gave (lanes_given, five numbers per
// epoch) and with the default bounds, with five seeds each. This runs in a session of the
// teacher's, without any code of the student's.
void lanes_probe(lanes::grading::Probe& probe) {
    const auto data = lanes::load_mnist(lanes::MnistSplit::assignment_2);
    const auto put_accuracy = [&](std::uint64_t seed, const auto& bounds) {
        lanes::TrainingOptions options;
        options.learning_rate(0.1).batch_size(16).batches_per_epoch(300);
        options.seed(seed);
        lanes::AugmentedNetwork network({784, 128, 64, 10}, options);
        network.set_pipeline(lanes::BatchPipeline::pipeline);
        network.set_bounds(bounds);
        network.print_epochs(false);
        network.fit(data.train, 15);
        probe.put(network.accuracy(data.validation));
    };
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        put_accuracy(seed, [](std::size_t epoch) {
            const double* of = &lanes_given.at(5 * (epoch - 1) + 4) - 4;
            return lanes::AugmentationBounds{of[0], of[1], of[2], of[3], of[4] != 0};
        });
        put_accuracy(seed, lanes::AugmentationBounds());
    }
}
