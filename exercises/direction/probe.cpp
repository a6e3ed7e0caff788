void lanes_probe(lanes::grading::Probe& probe) {
    const auto length = probe.random<lanes::Matrix>({9, 14}, 0.1, 5);
    // Five degrees apart, so none is nearer than 2.5 degrees to the border of two sectors.
    auto gx = length;
    auto gy = length;
    for (std::size_t k = 0; k < length.size(); ++k) {
        const double angle = probe.integer(0, 71) * M_PI / 36;
        gx.data()[k] *= static_cast<float>(std::cos(angle));
        gy.data()[k] *= static_cast<float>(std::sin(angle));
    }
    probe.put(direction(gx, gy));
    const lanes::Matrix across{{0, 0, 3, -3, 0}};
    const lanes::Matrix down{{2, -2, 0, 0, 0}};
    probe.put(direction(across, down));
}
