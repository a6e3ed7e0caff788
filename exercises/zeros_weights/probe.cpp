void lanes_probe(lanes::grading::Probe& probe) {
    lanes::Sizes sizes;
    for (int i = 0; i < 6; ++i) sizes.push_back(probe.integer(1, 40));
    for (const auto& array : zeros_weights(sizes)) probe.put(array);
}
