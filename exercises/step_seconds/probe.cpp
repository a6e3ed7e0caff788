void lanes_probe(lanes::grading::Probe& probe) {
    std::vector<std::size_t> sizes;
    const int layers = probe.integer(2, 6);
    for (int i = 0; i < layers; ++i) sizes.push_back(probe.integer(1, 3000));
    const std::size_t batch = probe.integer(1, 500);
    // Each of the four terms is the largest once.
    const lanes::StepMachine usual{5e-6, 3e10, 4e12, 5e13};
    lanes::StepMachine latency = usual, copies = usual, memory = usual, flops = usual;
    latency.latency = probe.uniform(0.5, 2);
    copies.copies = probe.uniform(1, 2);
    memory.memory = probe.uniform(1, 2);
    flops.flops = probe.uniform(1, 2);
    // Of many cores all, some and one have work.
    lanes::StepMachine all_cores = flops, some_cores = flops, one_core = flops;
    const double product = 2.0 * batch * sizes[0] * sizes[1];
    all_cores.cores = one_core.cores = probe.integer(2, 64);
    some_cores.cores = 1e15;
    all_cores.per_core = 1e-3;
    some_cores.per_core = product / probe.integer(1000, 2000);
    one_core.per_core = 1e18;
    for (const auto& machine :
         {usual, latency, copies, memory, flops, all_cores, some_cores, one_core})
        probe.put(step_seconds(machine, sizes, batch) * 1e3);
}
