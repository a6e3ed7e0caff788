void lanes_probe(lanes::grading::Probe& probe) {
    const auto image = probe.random<lanes::Matrix>({21, 21}, 0.4, 0.6);
    const double noise = probe.uniform(0.05, 0.2);
    lanes::Rng rng(probe.seed());
    for (int call = 0; call < 10; ++call) probe.put(noise_first(image, {0, 4, noise, 0}, rng));
}
