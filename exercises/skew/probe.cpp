void lanes_probe(lanes::grading::Probe& probe) {
    const auto image = probe.random<lanes::Matrix>({28, 28}, 0, 1);
    for (const double side : {-1.0, 1.0}) probe.put(skew(image, side * probe.uniform(0.05, 0.4)));
}
