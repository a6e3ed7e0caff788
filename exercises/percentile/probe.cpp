void lanes_probe(lanes::grading::Probe& probe) {
    for (int n : {1, 2, 3, 4, 10, 101, static_cast<int>(probe.integer(5, 60))}) {
        std::vector<double> values(static_cast<std::size_t>(n));
        for (double& value : values) value = probe.uniform(-9, 99);
        std::sort(values.begin(), values.end());
        values.push_back(std::numeric_limits<double>::infinity());  // stays behind the end
        values.pop_back();
        for (const double p : {0.0, 50.0, 100.0, 99.0, probe.uniform(0, 100)})
            probe.put(percentile(values, p));
    }
}
