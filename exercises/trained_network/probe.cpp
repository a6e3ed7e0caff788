// A small network that the student's functions train for a moment. The first weights are the
// library's: random_weights may draw its numbers in any order. What the lesson takes from the one
// before it, forward, random_weights and zeros_biases among them, is the library's here.
void lanes_probe(lanes::grading::Probe& probe) {
    const lanes::Sizes sizes{20, 9, 5};
    lanes::Rng rng(probe.seed());
    lanes::Parameters network{lanes::random_weights<float>(sizes, rng), zeros_biases(sizes)};
    const lanes::Dataset set{probe.random<lanes::Matrix>({40, 20}, 0, 1),
                             probe.random<lanes::Matrix>({40, 5}, 0, 1)};
    fit(network, set, 3, static_cast<float>(probe.uniform(0.2, 0.6)), rng);
    probe.put(forward(set.x, network).a.back());
    lanes::Rng drawn(probe.seed());
    for (const auto& weights : random_weights(sizes, drawn)) probe.put(weights.shape(1));
}
