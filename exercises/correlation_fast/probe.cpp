void lanes_probe(lanes::grading::Probe& probe) {
    probe.parts_by_filter([&](std::size_t high, std::size_t wide) {
        const std::size_t rows = probe.integer(8, 30);
        const std::size_t columns = probe.integer(8, 30);
        const auto filter = probe.random<lanes::Matrix>({high, wide}, -3, 3);
        probe.put(correlation_fast(filter, probe.random<lanes::Matrix>({rows, columns}, 0, 1)));
    });
}
