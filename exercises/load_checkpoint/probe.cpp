void lanes_probe(lanes::grading::Probe& probe) {
    std::string folder = "/tmp/lanes-probe-XXXXXX";
    if (!mkdtemp(folder.data())) throw std::runtime_error("no folder");
    for (int i = 0; i < 8; ++i) {
        const int ranks = static_cast<int>(probe.integer(i < 2 ? 1 : 2, 5));
        const int step = static_cast<int>(probe.integer(1, 1000));
        const auto count = static_cast<std::size_t>(probe.integer(1, 300));
        const auto random = [&] {
            std::vector<float> values(count);
            for (float& value : values) value = static_cast<float>(probe.uniform(-1, 1));
            return values;
        };
        const std::string path = folder + "/file-" + std::to_string(i);
        if (i % 2 == 0) {
            const std::vector<float> stored = random();
            std::ofstream file(path, std::ios::binary);
            file.write(reinterpret_cast<const char*>(&step), sizeof step);
            file.write(reinterpret_cast<const char*>(stored.data()), 4 * count);
        }
        std::vector<std::vector<float>> weights;
        for (int rank = 0; rank < ranks; ++rank) weights.push_back(random());
        std::vector<int> steps(ranks, -1);
        lanes::simulate_ranks(ranks, [&](const lanes::Communicator& comm) {
            const std::string here = comm.rank() == 0 ? path : path + "-elsewhere";
            steps[comm.rank()] = load_checkpoint(comm, here, weights[comm.rank()]);
        });
        probe.put(steps);
        for (const auto& of_rank : weights) probe.put(of_rank);
    }
    // A file that ends too early is an exception, on rank 0 or on all.
    const std::string cut = folder + "/cut";
    const auto count = static_cast<std::size_t>(probe.integer(10, 300));
    std::ofstream(cut, std::ios::binary) << "1234" << std::string(4 * count - 3, 'x');
    bool is_reported = false;
    try {
        lanes::simulate_ranks(2, [&](const lanes::Communicator& comm) {
            std::vector<float> weights(count);
            load_checkpoint(comm, cut, weights);
        });
    } catch (const std::exception&) {
        is_reported = true;
    }
    probe.put(is_reported ? 1 : 0);
    std::filesystem::remove_all(folder);
}
