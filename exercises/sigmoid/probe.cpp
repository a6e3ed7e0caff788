void lanes_probe(lanes::grading::Probe& probe) {
    for (const double range : {6.0, 300.0}) {
        const auto x = probe.random<lanes::Matrix>({9, 14}, -range, range);
        static_assert(std::is_same_v<decltype(sigmoid(x)), lanes::Matrix>,
                      "its first line must be lanes::Matrix sigmoid(const lanes::Matrix& x)");
        probe.put(sigmoid(x));
    }
}
