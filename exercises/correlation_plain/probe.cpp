void lanes_probe(lanes::grading::Probe& probe) {
    for (int call = 0; call < 4; ++call) {
        const std::size_t high = 2 * probe.integer(0, 3) + 1;
        const std::size_t wide = call == 0 ? high : 2 * probe.integer(0, 3) + 1;
        const std::size_t rows = probe.integer(8, 30);
        const std::size_t columns = call == 0 ? rows : probe.integer(8, 30);
        const auto filter = probe.random<lanes::Matrix>({high, wide}, -3, 3);
        probe.put(correlation_plain(filter, probe.random<lanes::Matrix>({rows, columns}, 0, 1)));
    }
}
