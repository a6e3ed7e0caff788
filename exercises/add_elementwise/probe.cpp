void lanes_probe(lanes::grading::Probe& probe) {
    using Weights = lanes::Weights<float>;
    const Weights first{probe.random<lanes::Matrix>({4, 7}, -3, 3),
                        probe.random<lanes::Matrix>({3, 2}, -3, 3)};
    const Weights second{probe.random<lanes::Matrix>({4, 7}, -3, 3),
                         probe.random<lanes::Matrix>({3, 2}, -3, 3)};
    for (const auto& sum : add_elementwise(first, second)) probe.put(sum);
    for (const auto& list : {first, second})  // as the answer has left them
        for (const auto& array : list) probe.put(array);
}
