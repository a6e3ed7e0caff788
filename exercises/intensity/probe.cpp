void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 20; ++i) {
        const int rows = static_cast<int>(probe.integer(1, i < 10 ? 900 : 60000));
        const int columns = static_cast<int>(probe.integer(1, i < 10 ? 900 : 60000));
        probe.put(intensity(rows, columns, static_cast<int>(probe.integer(1, 128))));
    }
}
