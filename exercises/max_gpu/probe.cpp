void lanes_probe(lanes::grading::Probe& probe) {
    // The values, and how they were made.
    const auto compare = [&](std::size_t rows, std::size_t columns) {
        const auto a = probe.random<xt::xtensor<int, 2>>({rows, columns}, -9999, 9999);
        const auto b = probe.random<xt::xtensor<int, 2>>({rows, columns}, -9999, 9999);
        const lanes::LaunchTrace trace;
        probe.put(max_gpu(a, b));
        // The device reads the input and writes the result, not the host.
        std::uint64_t loads = 0;
        std::uint64_t stores = 0;
        for (const auto& launch : trace.launches()) {
            loads += launch.report.counters.global_loads;
            stores += launch.report.counters.global_stores;
        }
        const bool on_device = 4 * loads >= 2 * a.size() && 4 * stores >= a.size();
        probe.put(
            std::string(on_device ? "the device computes the result" : "the host computes it"));
        std::set<std::string> shapes;  // of all launches: the assignment asks for one
        for (const auto& launch : trace.launches())
            shapes.insert(std::to_string(launch.config.grid.count()) + " blocks of " +
                          std::to_string(launch.config.block.count()) + " threads");
        for (const std::string& shape : shapes) probe.put(shape);
    };
    probe.part("few elements", [&] {
        const std::size_t rows = probe.integer(5, 30);
        compare(rows, probe.integer(5, 30));
    });
    probe.part("several blocks", [&] {
        const std::size_t rows = probe.integer(41, 90);
        compare(rows, probe.integer(50, 80));
    });
    // The largest that the assignment names.
    probe.part("1000 x 1000", [&] { compare(1000, 1000); });
}
