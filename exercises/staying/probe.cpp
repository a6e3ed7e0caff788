void lanes_probe(lanes::grading::Probe& probe) {
    for (int call = 0; call < 2; ++call) {
        const std::size_t rows = probe.integer(3, 30);
        const std::size_t columns = probe.integer(3, 30);
        const auto a = probe.random<xt::xtensor<int, 2>>({rows, columns}, -9999, 9999);
        const auto b = probe.random<xt::xtensor<int, 2>>({rows, columns}, -9999, 9999);
        const lanes::LaunchTrace trace;
        probe.put(staying(a, b, static_cast<int>(probe.integer(2, 4))));
        int to_device = 0;
        for (const auto& copy : trace.copies()) to_device += copy.to_device ? 1 : 0;
        probe.put(to_device);
        probe.put(static_cast<int>(trace.copies().size()) - to_device);
        probe.put(static_cast<int>(trace.launches().size()));
        std::uint64_t stores = 0;
        for (const auto& launch : trace.launches()) {
            stores += launch.report.counters.global_stores;
            probe.put(std::to_string(launch.config.grid.count()) + " blocks of " +
                      std::to_string(launch.config.block.count()) + " threads" +
                      (launch.waits ? ", waited for" : ""));
        }
        const bool on_device = 4 * stores >= a.size();
        probe.put(std::string(on_device ? "the device computes it" : "the host computes it"));
    }
}
