void lanes_probe(lanes::grading::Probe& probe) {
    const auto multiply = [&](std::size_t rows, std::size_t inner, std::size_t columns) {
        const auto a = probe.random<lanes::Matrix>({rows, inner}, -3, 3);
        const auto b = probe.random<lanes::Matrix>({inner, columns}, -3, 3);
        lanes::grading::Fence fence(4 * rows * columns);
        const lanes::Matrix c = matmul(a, b);
        probe.put(fence.words(c.data()));
        probe.put(c);
    };
    const auto size = [&] { return static_cast<std::size_t>(probe.integer(2, 11)); };
    probe.part("square matrices", [&] {
        for (int call = 0; call < 2; ++call) {
            const std::size_t rows = size();
            multiply(rows, rows, rows);
        }
    });
    probe.part("other shapes", [&] {
        for (int call = 0; call < 3; ++call) {
            const std::size_t rows = size();
            const std::size_t inner = size();
            multiply(rows, inner, rows + size());
        }
        multiply(33, 47, 21);
    });
    probe.part("one row or one column", [&] {
        multiply(1, size(), 9);
        multiply(9, size(), 1);
        multiply(1, size(), 1);
    });
}
