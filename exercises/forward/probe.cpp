void lanes_probe(lanes::grading::Probe& probe) {
    for (const int rows : {1, 4, static_cast<int>(probe.integer(2, 9))}) {
        const std::size_t n = rows, m = probe.integer(2, 6), k = probe.integer(2, 6);
        const lanes::Parameters network{
            {probe.random<lanes::Matrix>({3, m}, -1, 1),
             probe.random<lanes::Matrix>({m, k}, -1, 1)},
            {probe.random<lanes::Vector>({m}, -1, 1), probe.random<lanes::Vector>({k}, -1, 1)}};
        const lanes::Pass pass = forward(probe.random<lanes::Matrix>({n, 3}, -2, 2), network);
        probe.put(pass.z.size());
        probe.put(pass.a.size());
        for (const lanes::Matrix& z : pass.z) probe.put(z);
        for (const lanes::Matrix& a : pass.a) probe.put(a);
    }
}
