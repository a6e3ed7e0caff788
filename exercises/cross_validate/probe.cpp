void lanes_probe(lanes::grading::Probe& probe) {
    const int parts = probe.integer(3, 7);
    const int sizes[][2] = {{parts * static_cast<int>(probe.integer(2, 5)) + 1, parts},
                            {static_cast<int>(probe.integer(20, 40)), 6},
                            {5, 5}};
    for (const auto& [pictures, in_parts] : sizes) {
        std::vector<double> accuracies;
        for (int i = 0; i < in_parts; ++i) accuracies.push_back(probe.uniform(0.1, 1));
        std::size_t calls = 0;
        std::string lists;
        const double share = cross_validate(
            pictures, in_parts, [&](const std::vector<int>& train, const std::vector<int>& val) {
                for (const int i : train) lists += std::to_string(i) + " ";
                lists += "| ";
                for (const int i : val) lists += std::to_string(i) + " ";
                return accuracies.at(calls++);
            });
        probe.put(share);
        probe.put(lists);
    }
}
