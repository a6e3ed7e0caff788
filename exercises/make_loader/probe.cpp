// The order of a shuffled epoch is the answer's own: that it is one, and another in the next epoch,
// is what counts.
void lanes_probe(lanes::grading::Probe& probe) {
    std::string name = "/tmp/lanes-probe-XXXXXX";
    if (!mkdtemp(name.data())) throw std::runtime_error("no folder");
    const std::string folder = name;
    std::filesystem::create_directories(folder + "/plates");
    const int count =
        8 * static_cast<int>(probe.integer(2, 4)) + static_cast<int>(probe.integer(1, 7));
    for (int i = 0; i < count; ++i) {
        lanes::ColorImage image = lanes::ColorImage::from_shape({2, 2, 3});
        image.fill(static_cast<unsigned char>(i));
        lanes::write_image(folder + "/plates/" + std::to_string(100 + i) + ".png", image);
    }
    const lanes::ImageFolder pictures(folder);
    for (const bool training : {false, true, false}) {
        lanes::DataLoader<2> loader = make_loader(pictures, training);
        std::vector<std::vector<int>> epochs;
        for (int epoch = 0; epoch < 2; ++epoch) {
            std::vector<int> sizes, order;
            for (auto& [x, y] : loader) {
                sizes.push_back(static_cast<int>(x.shape(0)));
                for (std::size_t i = 0; i < x.size(); i += x.size() / x.shape(0))
                    order.push_back(static_cast<int>(std::lround(255 * x.data()[i])));
            }
            probe.put(sizes);
            epochs.push_back(order);
        }
        std::vector<int> sorted = epochs[0];
        std::sort(sorted.begin(), sorted.end());
        probe.put(sorted);
        probe.put(epochs[0] == sorted ? 1 : 0);
        probe.put(epochs[0] == epochs[1] ? 1 : 0);
        probe.put(loader.options().num_workers());
    }
    // Another loader gives the same order.
    std::vector<std::vector<float>> firsts;
    for (int i = 0; i < 2; ++i) {
        lanes::DataLoader<2> loader = make_loader(pictures, true);
        std::vector<float> first;
        for (auto& [x, y] : loader)
            for (const float value : x.to_vector()) first.push_back(value);
        firsts.push_back(first);
    }
    probe.put(firsts[0] == firsts[1] ? 1 : 0);
    std::filesystem::remove_all(folder);
}
