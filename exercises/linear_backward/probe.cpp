void lanes_probe(lanes::grading::Probe& probe) {
    for (int call = 0; call < 3; ++call) {
        const std::size_t m = probe.integer(2, 9);
        const std::size_t d = call == 0 ? m : probe.integer(2, 9);  // a square, then any shape
        const std::size_t n = call == 0 ? m : probe.integer(2, 9);
        const auto g = probe.random<lanes::Matrix>({m, n}, -2, 2);
        const auto w = probe.random<lanes::Matrix>({m, d}, -2, 2);
        const auto x = probe.random<lanes::Matrix>({d, n}, -2, 2);
        const LinearGradients gradients = linear_backward(g, w, x);
        probe.put(gradients.w);
        probe.put(gradients.x);
        probe.put(gradients.b);
    }
}
