void lanes_probe(lanes::grading::Probe& probe) {
    probe.part("28 x 28", [&] {
        const auto image = probe.random<lanes::Matrix>({28, 28}, 0, 1);
        const int dx = static_cast<int>(probe.integer(1, 6));
        const int dy = static_cast<int>(probe.integer(1, 6));
        for (const int side : {-1, 1}) {
            probe.put(shift(image, side * dx, dy));
            probe.put(shift(image, dx, side * dy));
        }
        probe.put(image);  // as the answer has left it
    });
    // A little to the side, past one edge, far away.
    probe.part("other shapes and shifts", [&] {
        const std::size_t rows = probe.integer(3, 20);
        const std::size_t columns = probe.integer(3, 20);
        const auto other = probe.random<lanes::Matrix>({rows, columns}, 0.1, 1);
        const int wide = static_cast<int>(columns);
        for (const int side : {-1, 1}) {
            probe.put(shift(other, side, -2 * side));
            probe.put(shift(other, side * (wide - 1), side));
            probe.put(shift(other, side * wide, 0));
            probe.put(shift(other, side, side * static_cast<int>(probe.integer(100, 2000))));
        }
    });
}
