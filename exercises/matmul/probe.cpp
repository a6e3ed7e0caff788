void lanes_probe(lanes::grading::Probe& probe) {
    for (int call = 0; call < 4; ++call) {
        const std::size_t rows = probe.integer(1, 20);
        const std::size_t inner = call == 0 ? rows : probe.integer(1, 20);
        const std::size_t columns = call == 0 ? rows : probe.integer(1, 20);
        const auto a = probe.random<lanes::Matrix>({rows, inner}, -3, 3);
        const auto b = probe.random<lanes::Matrix>({inner, columns}, -3, 3);
        probe.put(matmul(a, b));
    }
}
