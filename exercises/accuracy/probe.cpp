// A small network that is made of the student's functions and trained for a moment. The first
// weights are the library's: random_weights may draw its numbers in any order.
void lanes_probe(lanes::grading::Probe& probe) {
    lanes::NetworkParts parts;
    parts.sigmoid = sigmoid;
    parts.sigmoid_prime = sigmoid_prime;
    parts.zeros_weights = zeros_weights;
    parts.zeros_biases = zeros_biases;
    parts.create_batches = create_batches;
    parts.add_elementwise = {add_elementwise, add_elementwise};
    lanes::TrainingOptions options;
    options.learning_rate(probe.uniform(0.2, 0.6));
    options.batch_size(probe.integer(3, 9));
    options.seed(probe.seed());
    lanes::NeuralNetwork network({20, 9, 5}, options);
    network.use(parts);
    network.print_epochs(false);
    const lanes::Dataset set{probe.random<lanes::Matrix>({40, 20}, 0, 1),
                             probe.random<lanes::Matrix>({40, 5}, 0, 1)};
    network.fit(set, 3);
    probe.put(network.predict(set.x));
    lanes::Rng rng(probe.seed());
    for (const auto& weights : random_weights({20, 9, 5}, rng)) probe.put(weights.shape(1));
}
