void lanes_probe(lanes::grading::Probe& probe) {
    const auto put = [&](const lanes::Matrix& filter) {
        const auto parts = split(filter);
        probe.put(static_cast<int>(parts.has_value()));
        if (!parts) return;
        probe.put(static_cast<int>(parts->first.shape(0)));
        probe.put(static_cast<int>(parts->second.shape(1)));
        // A column and a row are known up to a factor: their product is compared.
        lanes::Matrix product = filter;
        for (std::size_t i = 0; i < filter.shape(0); ++i)
            for (std::size_t j = 0; j < filter.shape(1); ++j)
                product(i, j) = parts->first(i, 0) * parts->second(0, j);
        probe.put(product);
    };
    for (int k = 0; k < 8; ++k) {
        const std::size_t rows = probe.integer(1, 4);
        const std::size_t columns = probe.integer(1, 4);
        const auto column = probe.random<lanes::Matrix>({2 * rows + 1, 1}, -3, 3);
        auto row = probe.random<lanes::Matrix>({1, 2 * columns + 1}, -3, 3);
        if (k % 2 == 1) row(0, 0) = 0;
        lanes::Matrix filter(std::array<std::size_t, 2>{column.shape(0), row.shape(1)});
        for (std::size_t i = 0; i < filter.shape(0); ++i)
            for (std::size_t j = 0; j < filter.shape(1); ++j)
                filter(i, j) = column(i, 0) * row(0, j);
        put(filter);
        filter(probe.integer(1, int(filter.shape(0)) - 1),
               probe.integer(1, int(filter.shape(1)) - 1)) += 1;
        put(filter);
    }
    put(lanes::Matrix(std::array<std::size_t, 2>{3, 5}, 0.0F));
    put(lanes::Matrix{{0, 0, 0}, {0, 2, 4}, {0, 1, 2}});
    put(lanes::Matrix{{1e-8F, 2e-8F}, {2e-8F, 1e-8F}});
}
