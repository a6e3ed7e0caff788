void lanes_probe(lanes::grading::Probe& probe) {
    for (const int cores :
         {static_cast<int>(probe.integer(10, 99)), 1, 2, static_cast<int>(probe.integer(3, 9))}) {
        setenv("SLURM_CPUS_PER_TASK", std::to_string(cores).c_str(), 1);
        probe.put(num_workers());
    }
    unsetenv("SLURM_CPUS_PER_TASK");
    probe.put(num_workers() == std::max(2, lanes::num_cores()));
}
