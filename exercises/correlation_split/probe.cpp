void lanes_probe(lanes::grading::Probe& probe) {
    for (int k = 0; k < 3; ++k) {
        const auto column = probe.random<lanes::Matrix>({5, 1}, -3, 3);
        const auto row = probe.random<lanes::Matrix>({1, 3}, -3, 3);
        lanes::Matrix filter(std::array<std::size_t, 2>{5, 3});
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t j = 0; j < 3; ++j) filter(i, j) = column(i, 0) * row(0, j);
        if (k == 2) filter(1, 1) += 1;
        probe.put(correlation_split(filter, probe.random<lanes::Matrix>({17, 23}, 0, 1)));
    }
}
