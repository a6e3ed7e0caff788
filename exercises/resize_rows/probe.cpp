void lanes_probe(lanes::grading::Probe& probe) {
    const auto call = [&](std::size_t from, std::size_t columns, std::size_t to) {
        const auto image = probe.random<lanes::ColorImage>({from, columns, 3}, 0, 255);
        probe.put(resize_rows(image, to));
    };
    call(probe.integer(20, 30), probe.integer(2, 9), probe.integer(5, 15));
    call(probe.integer(5, 15), probe.integer(2, 9), probe.integer(20, 30));
    call(probe.integer(40, 60), probe.integer(2, 9), probe.integer(2, 4));
    call(1, probe.integer(10, 20), probe.integer(2, 9));
}
