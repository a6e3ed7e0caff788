void lanes_probe(lanes::grading::Probe& probe) {
    for (int call = 0; call < 4; ++call) {
        const std::size_t rows = probe.integer(1, 40);
        // One column, a square, and any shape.
        const std::size_t columns = call == 0 ? 1 : call == 1 ? rows : probe.integer(1, 70);
        probe.put(matmul_transpose_plain(probe.random<lanes::Matrix>({rows, columns}, -3, 3)));
    }
}
