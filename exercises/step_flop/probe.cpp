void lanes_probe(lanes::grading::Probe& probe) {
    std::vector<std::size_t> sizes;
    const int layers = probe.integer(2, 6);
    for (int i = 0; i < layers; ++i) sizes.push_back(probe.integer(1, 3000));
    probe.put(step_flop(sizes, probe.integer(1, 500)));
}
