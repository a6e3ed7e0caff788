void lanes_probe(lanes::grading::Probe& probe) {
    for (int call = 0; call < 8; ++call) {
        std::vector<lanes::FreeMemory> gpus;
        double most = 0;
        const int number = call < 2 ? call : probe.integer(2, 6);
        for (int i = 0; i < number; ++i) {
            gpus.push_back({"cuda:" + std::to_string(probe.integer(0, 9) + 10 * i),
                            1e9 * probe.integer(1, 80)});
            most = std::max(most, gpus.back().bytes);
        }
        probe.put(choose_device(gpus, 5e8));
        probe.put(choose_device(gpus, most / 2 + 1e9));
        probe.put(choose_device(gpus, most + 1e9));
        if (number > 0) probe.put(choose_device(gpus, most));  // exactly enough
    }
    probe.put(choose_device({{"cuda:1", 3e9}, {"cuda:2", 3e9}}, 1e9));  // the first of equal ones
}
