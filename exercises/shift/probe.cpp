void lanes_probe(lanes::grading::Probe& probe) {
    const auto image = probe.random<lanes::Matrix>({28, 28}, 0, 1);
    const int dx = static_cast<int>(probe.integer(-6, 6));
    const int dy = static_cast<int>(probe.integer(-6, 6));
    probe.put(shift(image, dx, dy));
    probe.put(image);  // as the answer has left it
}
