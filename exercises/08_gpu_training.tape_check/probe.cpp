void lanes_probe(lanes::grading::Probe& probe) {
    Tape tape;
    std::string order;
    const int records = probe.integer(2, 12);
    for (int i = 0; i < records; ++i) {
        const char letter = static_cast<char>('a' + probe.integer(0, 25));
        tape.record([&order, letter] { order += letter; });
    }
    const Variable loss = variable(lanes::Matrix{{2}});
    tape.backward(loss);
    probe.put(order);
    probe.put(loss->grad);
}
