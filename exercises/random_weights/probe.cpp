void lanes_probe(lanes::grading::Probe& probe) {
    lanes::Sizes sizes;
    for (int i = 0; i < 4; ++i) sizes.push_back(probe.integer(30, 60));
    lanes::Rng rng(probe.seed());
    lanes::Rng same(probe.seed());
    for (lanes::Rng* from : {&rng, &rng, &same})
        for (const auto& weights : random_weights(sizes, *from)) probe.put(weights);
}
