// A small network whose batches come through the student's queue.
void lanes_probe(lanes::grading::Probe& probe) {
    lanes::Dataset images{probe.random<lanes::Matrix>({24, 784}, 0, 1), xt::zeros<float>({24, 10})};
    for (std::size_t i = 0; i < 24; ++i) images.y(i, probe.integer(0, 9)) = 1;
    lanes::TrainingOptions options;
    options.batches_per_epoch(5);
    options.batch_size(8);
    options.seed(probe.seed());
    const auto queue = my_queue();
    lanes::AugmentedNetwork network({784, 6, 10}, options);
    network.set_pipeline(lanes::BatchPipeline::pipeline);
    network.set_result_queue(queue);
    network.print_epochs(false);
    network.fit(images, 1);
    for (const auto& weights : network.weights()) probe.put(weights);
    probe.put(queue->length());
}
