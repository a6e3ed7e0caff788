void lanes_probe(lanes::grading::Probe& probe) {
    const std::array<std::array<std::size_t, 2>, 3> filters{{{5, 3}, {7, 7}, {1, 9}}};
    for (const auto& shape : filters) {
        const std::size_t rows = probe.integer(40, 70);
        const std::size_t columns = probe.integer(40, 70);
        const auto filter = probe.random<lanes::Matrix>(shape, -3, 3);
        const auto image = probe.random<lanes::Matrix>({rows, columns}, 0, 1);
        const lanes::LaunchTrace trace;
        probe.put(correlation_tiled(filter, image));
        // The device reads the input and writes the result, not the host; the pixels of a tile and
        // its halo are loaded once.
        std::uint64_t loads = 0;
        std::uint64_t stores = 0;
        for (const auto& launch : trace.launches()) {
            loads += launch.report.counters.global_loads;
            stores += launch.report.counters.global_stores;
        }
        const bool on_device = 4 * loads >= image.size() && 4 * stores >= image.size();
        probe.put(
            std::string(on_device ? "the device computes the result" : "the host computes it"));
        probe.put(std::string(loads <= (2 + filter.size() / 2) * image.size() ? "few loads"
                                                                              : "too many loads"));
        std::set<std::string> blocks;
        for (const auto& launch : trace.launches())
            blocks.insert(std::to_string(launch.config.block.x) + " x " +
                          std::to_string(launch.config.block.y) + " threads");
        for (const std::string& block : blocks) probe.put(block);
    }
    probe.put(correlation_tiled(probe.random<lanes::Matrix>({3, 5}, -3, 3),
                                probe.random<lanes::Matrix>({1, 1}, 0, 1)));
}
