void lanes_probe(lanes::grading::Probe& probe) {
    for (const double range : {6.0, 300.0})
        probe.put(sigmoid_prime(probe.random<lanes::Matrix>({9, 14}, -range, range)));
}
