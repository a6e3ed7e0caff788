void lanes_probe(lanes::grading::Probe& probe) {
    for (const std::array<std::size_t, 2> shape :
         {std::array<std::size_t, 2>{17, 23}, {3, 4}, {2, 6}}) {
        lanes::Matrix magnitude(shape);
        xt::xtensor<int, 2> sectors(shape);
        for (float& value : magnitude) value = static_cast<float>(probe.integer(0, 8)) / 8;
        for (int& sector : sectors) sector = probe.integer(0, 3);
        probe.put(thin(magnitude, sectors));
    }
}
