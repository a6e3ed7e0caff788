void lanes_probe(lanes::grading::Probe& probe) {
    std::vector<std::size_t> sizes;
    const int layers = probe.integer(2, 6);
    for (int i = 0; i < layers; ++i) sizes.push_back(probe.integer(1, 3000));
    probe.put(step_bytes(sizes, probe.integer(1, 500)));
    sizes.assign(3, 16384);  // more bytes than 32 bits count
    probe.put(step_bytes(sizes, probe.integer(1, 500)));
}
