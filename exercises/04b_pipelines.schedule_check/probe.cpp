void lanes_probe(lanes::grading::Probe& probe) {
    std::vector<std::size_t> rows;
    for (int i = 0; i < 400; ++i) rows.push_back(probe.integer(0, 9999));
    const lanes::Dataset some = lanes::rows_of(data.test, rows);
    probe.put(some.y);
    probe.put(scheduled.predict(some.x));
}
