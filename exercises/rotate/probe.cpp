void lanes_probe(lanes::grading::Probe& probe) {
    for (const double most : {40.0, 170.0}) {
        const std::size_t rows = most < 90 ? 28 : probe.integer(9, 30);
        const std::size_t columns = most < 90 ? 28 : probe.integer(9, 30);
        const auto image = probe.random<lanes::Matrix>({rows, columns}, 0.3, 1);
        const double degrees = probe.uniform(-most, most);
        lanes::Matrix turned = rotate(image, degrees);
        // A pixel that comes from the border itself may be black or not: rounding decides.
        const double s = std::sin(degrees * std::acos(-1.0) / 180);
        const double c = std::cos(degrees * std::acos(-1.0) / 180);
        const double last_row = rows - 1.0;
        const double last_column = columns - 1.0;
        for (std::size_t y = 0; y < std::min(rows, turned.shape(0)); ++y)
            for (std::size_t x = 0; x < std::min(columns, turned.shape(1)); ++x) {
                const double dy = y - last_row / 2;
                const double dx = x - last_column / 2;
                const double row = last_row / 2 + c * dy + s * dx;
                const double column = last_column / 2 - s * dy + c * dx;
                for (const double away : {row, row - last_row, column, column - last_column})
                    if (std::abs(away) < 1e-3) turned(y, x) = 0;
            }
        probe.put(turned);
    }
    // By 0 degrees each pixel stays, also in the first and last row and column. Around the images
    // lies memory that is no number: nothing may be read there, not even with the weight 0.
    const auto image = probe.random<lanes::Matrix>({28, 28}, 0.3, 1);
    std::vector<lanes::Matrix> side_by_side(64, image * NAN);
    bool stays = true;
    for (std::size_t i = 1; i + 1 < side_by_side.size(); i += 2) {
        side_by_side[i] = image;
        stays = stays && rotate(side_by_side[i], 0) == image;
    }
    probe.put(stays);
}
