void lanes_probe(lanes::grading::Probe& probe) {
    for (int call = 0; call < 2; ++call) {
        const std::size_t rows = probe.integer(3, 30);
        const std::size_t columns = probe.integer(3, 30);
        const auto a = probe.random<xt::xtensor<int, 2>>({rows, columns}, -9999, 9999);
        const auto b = probe.random<xt::xtensor<int, 2>>({rows, columns}, -9999, 9999);
        const lanes::LaunchTrace trace;
        probe.put(max_pinned(a, b));
        for (const auto& copy : trace.copies())
            probe.put(std::string(copy.to_device ? "to the device, " : "back, ") +
                      (copy.pinned ? "pinned" : "pageable"));
        std::uint64_t stores = 0;
        for (const auto& launch : trace.launches()) {
            stores += launch.report.counters.global_stores;
            probe.put(std::to_string(launch.config.grid.count()) + " blocks of " +
                      std::to_string(launch.config.block.count()) + " threads");
        }
        const bool on_device = 4 * stores >= a.size();
        probe.put(std::string(on_device ? "the device computes it" : "the host computes it"));
    }
}
