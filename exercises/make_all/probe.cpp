void lanes_probe(lanes::grading::Probe& probe) {
    const lanes::Dataset images{probe.random<lanes::Matrix>({9, 784}, 0, 1),
                                probe.random<lanes::Matrix>({9, 10}, 0, 9)};
    std::vector<lanes::BatchJob> given;
    const std::uint64_t number = probe.integer(3, 9);
    for (std::uint64_t index = 0; index < number; ++index) {
        lanes::BatchJob job{index, {}, {}};
        for (std::size_t i = 0; i <= index % 3; ++i) job.images.push_back(probe.integer(0, 8));
        job.labels = lanes::rows_of(images, {job.images.begin(), job.images.end()}).y;
        given.push_back(job);
    }
    for (int workers : {1, 3}) {
        const auto batches = make_all(given, workers, images, {0, 0, 0, 0}, probe.seed());
        probe.put(static_cast<int>(batches.size()));
        for (const auto& batch : batches) {
            probe.put(batch.index);
            probe.put(batch.x);
            probe.put(batch.y);
        }
    }
    const lanes::AugmentationBounds some{10, 2, 0.1, 0.1};
    const auto one = make_all(given, 1, images, some, probe.seed());
    const auto two = make_all(given, 2, images, some, probe.seed());
    bool same = one.size() == two.size(), changed = false;
    for (std::size_t i = 0; i < one.size() && same; ++i) {
        same = one[i].x == two[i].x;
        changed =
            changed ||
            one[i].x != lanes::rows_of(images, {given[i].images.begin(), given[i].images.end()}).x;
    }
    probe.put(same);
    probe.put(changed);
    // No worker is left.
    int left = 0;
    std::ifstream file("/proc/self/task/" + std::to_string(getpid()) + "/children");
    for (int child; file >> child;) ++left;
    probe.put(left);
}
