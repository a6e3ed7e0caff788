void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t some = probe.integer(33, 60);
    for (const std::array<std::size_t, 2>& shape :
         {std::array<std::size_t, 2>{some, 70 - some / 2}, {96, 37}, {1, 3}}) {
        const auto x = probe.random<lanes::Matrix>(shape, -3, 3);
        const lanes::LaunchTrace trace;
        probe.put(matmul_transpose_upper(x));
        std::uint64_t loads = 0;
        std::uint64_t stores = 0;
        std::uint64_t conflicts = 0;
        for (const auto& launch : trace.launches()) {
            loads += launch.report.counters.global_loads;
            stores += launch.report.counters.global_stores;
            conflicts += launch.report.counters.shared_bank_conflicts;
            probe.put(std::to_string(launch.config.block.x) + " x " +
                      std::to_string(launch.config.block.y) + " threads");
        }
        // The device reads X and writes the result, and each number of a strip is loaded once.
        const std::size_t side = (x.shape(0) + 31) / 32;
        const std::size_t tiles = side * (side + 1) / 2;
        const bool on_device = 4 * loads >= x.size() && 4 * stores >= x.shape(0) * x.shape(0);
        probe.put(std::string(on_device ? "the device computes it" : "the host computes it"));
        probe.put(std::string(loads <= tiles * 64 * x.shape(1) ? "few loads" : "too many loads"));
        probe.put(std::string(conflicts == 0 ? "no bank conflicts" : "bank conflicts"));
    }
}
