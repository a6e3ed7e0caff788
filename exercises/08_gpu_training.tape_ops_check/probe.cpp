void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t samples = probe.integer(2, 6);
    const std::size_t inputs = probe.integer(2, 6);
    const Variable x = variable(probe.random<lanes::Matrix>({samples, inputs}, -1, 1));
    const Variable w = variable(probe.random<lanes::Matrix>({inputs, inputs}, -1, 1));
    const auto target = probe.random<lanes::Matrix>({samples, inputs}, -1, 1);
    Tape tape;
    // w is used twice: its gradients are added up
    const Variable hidden = relu(tape, product(tape, product(tape, relu(tape, x), w), w));
    tape.backward(half_squared_error(tape, hidden, target));
    probe.put(x->grad);
    probe.put(w->grad);
}
