void lanes_probe(lanes::grading::Probe& probe) {
    const auto image = probe.random<lanes::Matrix>({28, 28}, 0, 1);
    const int dx = static_cast<int>(probe.integer(1, 6));
    const int dy = static_cast<int>(probe.integer(1, 6));
    for (const int side : {-1, 1}) {
        probe.put(shift(image, side * dx, dy));
        probe.put(shift(image, dx, side * dy));
    }
    probe.put(image);  // as the answer has left it
}
