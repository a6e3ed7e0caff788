void lanes_probe(lanes::grading::Probe& probe) {
    for (int call = 0; call < 3; ++call) {
        const std::size_t samples = call == 0 ? 1 : probe.integer(2, 6);
        const std::size_t classes = probe.integer(2, 6);
        const double offset = call == 2 ? 600 : 0;  // exp of it is infinite
        const Variable x =
            variable(probe.random<lanes::Matrix>({samples, classes}, offset - 1, offset + 1));
        const Variable b = variable(probe.random<lanes::Matrix>({1, classes}, -1, 1));
        std::vector<int> labels;
        for (std::size_t i = 0; i < samples; ++i)
            labels.push_back(probe.integer(0, static_cast<int>(classes) - 1));
        Tape tape;
        // b is used twice: its gradients are added up
        const Variable logits = add_bias(tape, add_bias(tape, x, b), b);
        const Variable loss = cross_entropy(tape, logits, labels);
        tape.backward(half_squared_error(tape, loss, {{4}}));
        probe.put(loss->value);
        probe.put(x->grad);
        probe.put(b->grad);
    }
}
