void lanes_probe(lanes::grading::Probe& probe) {
    const auto values = probe.random<lanes::Matrix>({40, 31}, 0, 1);
    probe.put(hysteresis(values, 0.6F, 0.97F));
    probe.put(hysteresis(values, 0.8F, 0.9F));
    // Tenths: some are equal to a threshold.
    lanes::Matrix tenths = probe.random<lanes::Matrix>({17, 23}, 0, 10);
    for (float& value : tenths) value = static_cast<float>(static_cast<int>(value)) / 10;
    probe.put(hysteresis(tenths, 0.5F, 0.8F));
    // A chain that runs back, whatever the order in which pixels are visited.
    lanes::Matrix snake(std::array<std::size_t, 2>{9, 12}, 0.0F);
    const int turn = probe.integer(2, 9);
    for (std::size_t y = 0; y < 9; ++y)
        for (std::size_t x = 0; x < 12; ++x)
            if (y % 2 == 0 || x == (y % 4 == 1 ? 11 : 0)) snake(y, x) = 0.3F;
    snake(4, turn) = 0;
    snake(8, 11) = 0.9F;
    probe.put(hysteresis(snake, 0.2F, 0.5F));
}
