void lanes_probe(lanes::grading::Probe& probe) {
    const auto put = [&](std::size_t count, std::size_t pixels, std::size_t k, bool tie) {
        lanes::Dataset set{xt::zeros<float>({count, pixels}),
                           xt::zeros<float>({count, std::size_t{10}})};
        // Multiples of 1/256: sums are exact in any order.
        for (float& pixel : set.x) pixel = static_cast<float>(probe.integer(0, 255)) / 256;
        for (std::size_t j = 0; tie && j < pixels; ++j) {
            set.x(count - 2, j) = set.x(0, j);
            set.x(count / 2, j) = set.x(1, j);
        }
        std::string rows;
        for (const std::size_t row : brightest(set, k)) rows += std::to_string(row) + " ";
        probe.put(rows);
    };
    put(8, 9, 3, false);
    put(static_cast<std::size_t>(probe.integer(20, 60)), 16, 20, true);
    put(12, 784, 12, true);
    put(5, 4, 9, false);
    put(6, 4, 0, false);
    put(1, 4, 1, false);
}
