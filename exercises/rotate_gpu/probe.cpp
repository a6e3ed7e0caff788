void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t number = probe.integer(2, 9);
    lanes::Matrix x = xt::zeros<float>({number, std::size_t{784}});
    std::vector<float> degrees;
    for (std::size_t n = 0; n < number; ++n) {
        degrees.push_back(probe.uniform(-170, 170));
        for (int y = 1; y < 27; ++y)  // the frame is black
            for (int k = 1; k < 27; ++k) x(n, 28 * y + k) = probe.uniform(0, 1);
    }
    const lanes::LaunchTrace trace;
    const lanes::Matrix got = rotate_gpu(x, degrees);
    // Values in a grid of 1/1000: arithmetic in float may differ in the last digits.
    probe.put(got);
    std::uint64_t stores = 0;
    for (const auto& launch : trace.launches()) stores += launch.report.counters.global_stores;
    probe.put(std::string(stores >= x.size() ? "the device computes" : "the host computes"));
}
