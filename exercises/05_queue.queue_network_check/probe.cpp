void lanes_probe(lanes::grading::Probe& probe) {
    for (const auto& weights : by_mine.weights())
        for (int i = 0; i < 40; ++i)
            probe.put(weights.data()[probe.integer(0, weights.size() - 1)]);
    probe.put(mine->length());
}
