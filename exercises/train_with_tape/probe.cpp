void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t inputs = probe.integer(2, 7), hidden = probe.integer(3, 8);
    const std::size_t classes = probe.integer(2, 6);
    lanes::TapeNetwork net;
    net.w1 = probe.random<lanes::Matrix>({inputs, hidden}, -1, 1);
    net.b1 = probe.random<lanes::Matrix>({1, hidden}, -1, 1);
    net.w2 = probe.random<lanes::Matrix>({hidden, classes}, -1, 1);
    net.b2 = probe.random<lanes::Matrix>({1, classes}, -1, 1);
    for (int step = 0; step < 3; ++step) {
        const std::size_t samples = step == 0 ? 1 : probe.integer(2, 9);
        const auto x = probe.random<lanes::Matrix>({samples, inputs}, -1, 1);
        std::vector<int> labels;
        for (std::size_t i = 0; i < samples; ++i)
            labels.push_back(probe.integer(0, static_cast<int>(classes) - 1));
        probe.put(train_with_tape(net, x, labels, probe.uniform(0.1, 0.6)));
        for (const lanes::Matrix& m : {net.w1, net.b1, net.w2, net.b2}) probe.put(m);
    }
}
