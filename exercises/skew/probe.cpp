void lanes_probe(lanes::grading::Probe& probe) {
    const auto image = probe.random<lanes::Matrix>({28, 28}, 0, 1);
    for (const double side : {-1.0, 1.0}) probe.put(skew(image, side * probe.uniform(0.05, 0.4)));
    // Other shapes, steeper.
    const std::size_t rows = probe.integer(3, 20);
    const std::size_t columns = probe.integer(3, 20);
    const auto other = probe.random<lanes::Matrix>({rows, columns}, 0.1, 1);
    for (const double side : {-1.0, 1.0}) probe.put(skew(other, side * probe.uniform(0.4, 1.5)));
}
