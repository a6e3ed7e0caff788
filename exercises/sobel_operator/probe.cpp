void lanes_probe(lanes::grading::Probe& probe) {
    const auto filter = probe.random<lanes::Matrix>({3, 5}, -3, 3);
    const auto image = probe.random<lanes::Matrix>({17, 23}, 0, 1);
    probe.put(sobel_operator(filter, image));
    // Another image and filter, with results far above 255. Whole numbers: sums are exact.
    lanes::Matrix other_filter = xt::zeros<float>({5, 3});
    for (float& value : other_filter) value = probe.integer(-3, 3);
    lanes::Matrix bright = xt::zeros<float>({9, 20});
    for (float& value : bright) value = probe.integer(0, 255);
    probe.put(sobel_operator(other_filter, bright));
}
