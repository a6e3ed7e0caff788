void lanes_probe(lanes::grading::Probe& probe) {
    const auto correlate = [&](std::size_t high, std::size_t wide) {
        const std::size_t rows = probe.integer(8, 30);
        const std::size_t columns = probe.integer(8, 30);
        const auto filter = probe.random<lanes::Matrix>({high, wide}, -3, 3);
        probe.put(correlation_fast(filter, probe.random<lanes::Matrix>({rows, columns}, 0, 1)));
    };
    const auto odd = [&] { return static_cast<std::size_t>(2 * probe.integer(1, 3) + 1); };
    probe.part("square filters", [&] {
        for (int call = 0; call < 2; ++call) {
            const std::size_t size = odd();
            correlate(size, size);
        }
    });
    probe.part("filters of other shapes", [&] {
        correlate(1, odd());
        correlate(odd(), 1);
        correlate(3, 7);
        correlate(5, 3);
    });
}
