void lanes_probe(lanes::grading::Probe& probe) {
    const auto compare = [&](std::size_t rows, std::size_t columns) {
        const auto a = probe.random<xt::xtensor<int, 2>>({rows, columns}, -9999, 9999);
        const auto b = probe.random<xt::xtensor<int, 2>>({rows, columns}, -9999, 9999);
        probe.put(max_plain(a, b));
    };
    const auto size = [&] { return static_cast<std::size_t>(probe.integer(2, 40)); };
    probe.part("square matrices", [&] {
        const std::size_t rows = size();
        compare(rows, rows);
    });
    probe.part("other shapes", [&] {
        for (int call = 0; call < 2; ++call) {
            const std::size_t rows = size();
            compare(rows, rows + size());
            compare(rows + size(), rows);
        }
    });
    probe.part("one row or one column", [&] {
        compare(size(), 1);
        compare(1, size());
    });
}
