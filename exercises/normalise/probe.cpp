void lanes_probe(lanes::grading::Probe& probe) {
    const auto call = [&](std::size_t rows, std::size_t columns) {
        const auto image = probe.random<lanes::ColorImage>({rows, columns, 3}, 0, 255);
        std::array<float, 3> mean, deviation;
        for (std::size_t c = 0; c < 3; ++c) {
            mean[c] = static_cast<float>(probe.uniform(0.2, 0.6));
            deviation[c] = static_cast<float>(probe.uniform(0.1, 0.4));
        }
        probe.put(normalise(image, mean, deviation));
    };
    call(probe.integer(2, 9), probe.integer(10, 20));
    call(probe.integer(10, 20), probe.integer(2, 9));
    call(1, 1);
}
