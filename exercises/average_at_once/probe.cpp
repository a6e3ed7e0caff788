void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 6; ++i) {
        const int ranks = i == 0 ? 1 : static_cast<int>(probe.integer(2, 5));
        const auto inputs = static_cast<std::size_t>(probe.integer(2, 6));
        const auto weight = lanes::Tensor::from(probe.random<lanes::Matrix>({3, inputs}, -1, 1));
        std::vector<lanes::Sequential> models;
        std::vector<std::size_t> shares;
        for (int rank = 0; rank < ranks; ++rank) {
            models.push_back(lanes::Sequential{lanes::Linear(inputs, 3)});
            {
                const lanes::NoGrad no_grad;
                models.back().parameter("0.weight").copy_(weight);
                models.back().parameter("0.bias").fill_(0.1f);
            }
            shares.push_back(static_cast<std::size_t>(probe.integer(1, 9)));
            const auto x = probe.random<lanes::Matrix>({shares.back(), inputs}, -2, 2);
            std::vector<int> labels;
            for (std::size_t k = 0; k < shares.back(); ++k)
                labels.push_back(static_cast<int>(probe.integer(0, 2)));
            auto loss = lanes::cross_entropy(models.back()(lanes::Tensor::from(x)),
                                             lanes::Tensor::from(labels));
            loss.backward();
        }
        const auto run = lanes::simulate_ranks(ranks,
                                               [&](const lanes::Communicator& comm) {
                                                   average_at_once(comm, models[comm.rank()],
                                                                   shares[comm.rank()]);
                                               },
                                               {1, 1e30});
        probe.put(run.seconds);  // of one collective operation
        for (const auto& model : models)
            for (const lanes::Tensor& parameter : model.parameters()) {
                probe.put(parameter.grad().to_vector());
                probe.put(parameter.to_vector());
            }
    }
}
