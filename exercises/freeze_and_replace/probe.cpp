void lanes_probe(lanes::grading::Probe& probe) {
    const int before = probe.integer(3, 12);
    // The second time the old layer has as many classes as the new one.
    for (const int classes : {before + static_cast<int>(probe.integer(1, 9)), before}) {
        lanes::manual_seed(probe.integer(1, 1000));
        lanes::ResNet net = lanes::resnet18(before);
        const auto weight = net.parameter("layer4.1.conv2.weight").to_vector();
        const auto old_layer = net.fc.weight().to_vector();
        freeze_and_replace(net, classes);
        probe.put(net.parameter_count());
        probe.put(net.parameter_count(true));
        probe.put(net.fc.weight().shape(0));
        probe.put(net.fc.weight().requires_grad());
        probe.put(net.parameter("layer4.1.conv2.weight").to_vector() == weight);
        probe.put(net.fc.weight().to_vector() == old_layer);
    }
}
