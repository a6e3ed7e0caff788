void lanes_probe(lanes::grading::Probe& probe) {
    struct Writer : lanes::Process {
        Writer(lanes::Queue<std::string>& queue, int number, std::uint64_t seed)
            : queue(queue), number(number), random(seed + number) {}
        void run() override {
            for (int i = 0; i < 6; ++i) {
                std::string message = std::to_string(number) + std::string(1, 0);  // any byte
                // One of them is larger than a pipe.
                for (auto left = random.integer(0, 1500) + (i == 3 ? 50000 : 0); left >= 0; --left)
                    message += " " + std::to_string(random.integer(0, 9999));
                queue.put(message);
            }
        }
        lanes::Queue<std::string>& queue;
        int number;
        lanes::grading::Probe random;
    };
    const auto queue = my_queue();
    // Of each writer, in order; the order of the writers is random.
    std::vector<std::string> heard(10);
    {
        Writer first(*queue, 1, probe.seed());
        Writer second(*queue, 2, probe.seed());
        Writer third(*queue, 3, probe.seed());
        first.start();
        second.start();
        third.start();
        for (int i = 0; i < 18; ++i) {
            const std::string message = queue->get();
            heard[message.empty() ? 0 : std::abs(message[0] - '0') % 10] += message + "\n";
        }
        first.join();
        second.join();
        third.join();
    }
    for (const std::string& all : heard) probe.put(all);
    probe.put(queue->length());
    const auto other = my_queue();
    other->put("of another queue");
    queue->put("");
    probe.put(queue->get().size());
    queue->put("x");
    queue->put("y");
    probe.put(queue->length());
    probe.put(queue->get());
    probe.put(queue->length());
    probe.put(queue->empty());
    probe.put(other->length());
    probe.put(other->get());
}
