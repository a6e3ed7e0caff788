void lanes_probe(lanes::grading::Probe& probe) {
    const auto image = probe.random<lanes::Matrix>({28, 28}, 0, 1);
    const lanes::Matrix turned = rotate(image, probe.uniform(-40, 40));
    // at the border rounding decides
    probe.put(lanes::Matrix(xt::view(turned, xt::range(7, 21), xt::range(7, 21))));
}
