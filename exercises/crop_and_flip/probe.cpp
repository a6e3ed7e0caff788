void lanes_probe(lanes::grading::Probe& probe) {
    const auto call = [&](std::size_t rows, std::size_t columns, bool flip) {
        const std::size_t top = probe.integer(1, 9), left = probe.integer(1, 9);
        const std::size_t below = probe.integer(0, 5), right = probe.integer(0, 5);
        const auto image = probe.random<lanes::ColorImage>(
            {top + rows + below, left + columns + right, 3}, 0, 255);
        probe.put(crop_and_flip(image, top, left, rows, columns, flip));
    };
    for (const bool flip : {true, false}) {
        call(probe.integer(2, 9), probe.integer(10, 20), flip);
        call(probe.integer(10, 20), probe.integer(2, 9), flip);
        call(1, 1, flip);
    }
}
