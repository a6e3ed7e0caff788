void lanes_probe(lanes::grading::Probe& probe) {
    const int counts[][3] = {
        {static_cast<int>(probe.integer(12, 40)), 8, 0},
        {static_cast<int>(probe.integer(12, 40)), static_cast<int>(probe.integer(2, 6)),
         static_cast<int>(probe.integer(100, 900))},
        {5, 1, 0},
        {3, 9, 2},
        {0, 4, 0}};
    for (const auto& [number, ahead, first] : counts) {
        std::vector<lanes::BatchJob> given;
        for (int i = 0; i < number; ++i)
            given.push_back({static_cast<std::uint64_t>(first + i),
                             {static_cast<std::uint64_t>(i)},
                             xt::zeros<float>({1, 10}),
                             {}});
        std::vector<std::uint64_t> made;
        int put = 0, trained = 0, most = 0, idle = 0;
        std::string order;
        prefetch(
            given, static_cast<std::size_t>(ahead),
            [&](const lanes::BatchJob& job) {
                made.push_back(job.index);
                most = std::max(most, ++put - trained);
            },
            [&]() -> lanes::ImageBatch {
                if (made.empty()) throw std::runtime_error("get would wait for ever");
                idle += put < number && put - trained < ahead;
                const auto at = made.begin() + probe.integer(0, static_cast<int>(made.size()) - 1);
                const std::uint64_t index = *at;
                made.erase(at);
                return {index, static_cast<float>(index) * xt::ones<float>({1, 4}),
                        xt::zeros<float>({1, 10})};
            },
            [&](const lanes::ImageBatch& batch) {
                ++trained;
                order += std::to_string(batch.index) + "/" +
                         std::to_string(static_cast<int>(batch.x(0, 0))) + " ";
            });
        probe.put(order);
        probe.put(most);
        probe.put(idle);
        probe.put(trained);
    }
}
