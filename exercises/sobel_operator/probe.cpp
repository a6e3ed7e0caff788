void lanes_probe(lanes::grading::Probe& probe) {
    probe.part("images from 0 to 1", [&] {
        const auto filter = probe.random<lanes::Matrix>({3, 5}, -3, 3);
        for (const std::size_t columns : {23, 11})
            probe.put(sobel_operator(filter, probe.random<lanes::Matrix>({17, columns}, 0, 1)));
    });
    // Results far above 255. Whole numbers: sums are exact.
    probe.part("images from 0 to 255", [&] {
        lanes::Matrix filter = xt::zeros<float>({5, 3});
        for (float& value : filter) value = probe.integer(-3, 3);
        lanes::Matrix bright = xt::zeros<float>({9, 20});
        for (float& value : bright) value = probe.integer(0, 255);
        probe.put(sobel_operator(filter, bright));
    });
}
