void lanes_probe(lanes::grading::Probe& probe) {
    const auto filter = probe.random<lanes::Matrix>({3, 5}, -3, 3);
    const auto image = probe.random<lanes::Matrix>({17, 23}, 0, 1);
    probe.put(sobel_operator(filter, image));
}
