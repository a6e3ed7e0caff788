void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t rows = probe.integer(8, 30);
    const std::size_t columns = probe.integer(8, 30);
    const auto filter = probe.random<lanes::Matrix>({5, 3}, -3, 3);
    const auto image = probe.random<lanes::Matrix>({rows, columns}, 0, 1);
    const lanes::LaunchTrace trace;
    probe.put(correlation_gpu(filter, image));
    // The device reads the input and writes the result, not the host.
    std::uint64_t loads = 0;
    std::uint64_t stores = 0;
    for (const auto& launch : trace.launches()) {
        loads += launch.report.counters.global_loads;
        stores += launch.report.counters.global_stores;
    }
    const bool on_device = 4 * loads >= image.size() && 4 * stores >= image.size();
    probe.put(std::string(on_device ? "the device computes the result" : "the host computes it"));
    std::set<std::string> shapes;  // of all launches: the assignment asks for one
    for (const auto& launch : trace.launches())
        shapes.insert(std::to_string(launch.config.grid.count()) + " blocks of " +
                      std::to_string(launch.config.block.count()) + " threads");
    for (const std::string& shape : shapes) probe.put(shape);
    // Another filter.
    const std::size_t high = 2 * probe.integer(0, 3) + 1;
    const std::size_t wide = high == 5 ? 7 : 2 * probe.integer(0, 3) + 1;
    probe.put(correlation_gpu(probe.random<lanes::Matrix>({high, wide}, -3, 3), image));
    // Filters that are larger than the image, in both directions or in one.
    const auto small = [&](std::int64_t low) {
        return static_cast<std::size_t>(probe.integer(low, low + 2));
    };
    const std::size_t image_rows[] = {small(2), small(8), 1};
    const std::size_t image_columns[] = {small(2), 1, small(8)};
    for (int i = 0; i < 3; ++i) {
        const auto large = probe.random<lanes::Matrix>({7, 7}, -3, 3);
        probe.put(correlation_gpu(
            large, probe.random<lanes::Matrix>({image_rows[i], image_columns[i]}, 0, 1)));
    }
}
