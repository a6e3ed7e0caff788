void lanes_probe(lanes::grading::Probe& probe) {
    const lanes::Dataset images{probe.random<lanes::Matrix>({9, 784}, 0, 1),
                                probe.random<lanes::Matrix>({9, 10}, 0, 9)};
    std::vector<lanes::BatchJob> given;
    for (std::uint64_t index = 42; given.size() < 5; index += probe.integer(1, 50)) {
        lanes::BatchJob job{index, {}, {}};
        for (std::size_t i = 0; i <= given.size() % 3; ++i)
            job.images.push_back(probe.integer(0, 8));
        job.labels = lanes::rows_of(images, {job.images.begin(), job.images.end()}).y;
        given.push_back(job);
    }
    const auto put_batches = [&](int workers, const lanes::AugmentationBounds& bounds,
                                 std::uint64_t seed, bool backwards = false) {
        lanes::JobQueue<lanes::BatchJob> jobs;
        lanes::PipeQueue<std::string> result;
        for (std::size_t i = 0; i < given.size(); ++i)
            jobs.put(given[backwards ? given.size() - 1 - i : i]);
        jobs.close();
        std::vector<std::unique_ptr<Worker>> started;
        for (int i = 0; i < workers; ++i) {
            started.push_back(std::make_unique<Worker>(jobs, result, images, bounds, seed));
            started.back()->start();
        }
        std::vector<lanes::ImageBatch> batches;
        for (std::size_t i = 0; i < given.size(); ++i)
            batches.push_back(lanes::batch_of(result.get()));
        for (const auto& worker : started) {
            if (!worker->join(20)) throw std::runtime_error("a worker runs on after the last job");
            if (worker->exit_code() != 0)
                throw std::runtime_error(worker->exit_description() + " after the last job");
        }
        std::sort(batches.begin(), batches.end(),
                  [](const auto& a, const auto& b) { return a.index < b.index; });
        for (const auto& batch : batches) {
            probe.put(batch.index);
            probe.put(batch.x);
            probe.put(batch.y);
        }
    };
    const lanes::AugmentationBounds none{0, 0, 0, 0};
    const lanes::AugmentationBounds shift{0, 3, 0, 0};
    put_batches(2, none, probe.seed());
    put_batches(2, shift, probe.seed());
    put_batches(1, shift, probe.seed(), true);
    put_batches(2, shift, probe.seed() + 1);
    put_batches(2, {20, 0, 0, 0}, probe.seed());
    put_batches(2, {0, 0, 0.2, 0}, probe.seed());
    put_batches(2, {0, 0, 0, 0.3}, probe.seed());
    for (lanes::BatchJob& job : given) job.bounds = none;
    put_batches(2, shift, probe.seed());
}
