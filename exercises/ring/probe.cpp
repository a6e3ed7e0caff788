void lanes_probe(lanes::grading::Probe& probe) {
    struct Writer : lanes::Process {
        Writer(lanes::Slots& slots, std::size_t size, std::uint64_t seed)
            : slots(slots), size(size), random(seed) {}
        void run() override {
            for (int n = 0; n < 40; ++n) {
                if (n == 20)  // the reader has read all before, and waits
                    std::this_thread::sleep_for(std::chrono::milliseconds(100));
                char* const to = slots.claim();
                for (std::size_t i = 0; i < size; ++i)
                    to[i] = static_cast<char>(random.integer(0, 255));
                slots.publish();
            }
        }
        lanes::Slots& slots;
        std::size_t size;
        lanes::grading::Probe random;
    };
    const std::size_t size = probe.integer(1, 3000);
    const auto slots = ring(size);
    Writer writer(*slots, size, probe.seed());
    writer.start();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // now all slots are filled
    for (int n = 0; n < 40; ++n) {
        const char* const from = slots->front();
        probe.put(std::string(from, size));
        slots->release();
    }
    writer.join();
    // Eight slots in one process: filled in place, and seen where they were filled.
    const auto own = ring(size);
    std::vector<char*> places;
    for (int n = 0; n < 8; ++n) {
        places.push_back(own->claim());
        places.back()[0] = static_cast<char>(probe.integer(0, 255));
        own->publish();
    }
    for (int n = 0; n < 8; ++n) {
        const char* const from = own->front();
        probe.put(from == places[n]);
        probe.put(static_cast<int>(from[0]));
        own->release();
    }
    const std::size_t mappings = lanes::grading::shared_mappings();
    for (int n = 0; n < 100; ++n) ring(size);
    const bool stays = lanes::grading::shared_mappings() >= mappings + 50;
    probe.put(std::string(stays ? "the memory stays" : "the memory goes back"));
}
