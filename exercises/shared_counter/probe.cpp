void lanes_probe(lanes::grading::Probe& probe) {
    struct Adder : lanes::Process {
        Adder(std::atomic<long>& counter, long amount) : counter(counter), amount(amount) {}
        void run() override { counter += amount; }
        std::atomic<long>& counter;
        long amount;
    };
    const auto first = shared_counter();
    const auto second = shared_counter();
    probe.put(first->load());
    probe.put(second->load());
    for (int i = 0; i < 4; ++i) {
        Adder here(*first, probe.integer(1, 1000000));
        Adder there(*second, probe.integer(1, 1000000));
        here.start();
        there.start();
        here.join();
        there.join();
        probe.put(first->load());
        probe.put(second->load());
    }
    probe.put(reinterpret_cast<std::uintptr_t>(first.get()) % alignof(std::atomic<long>));
    // Many at a time, each with its own number.
    std::vector<std::shared_ptr<std::atomic<long>>> all;
    for (int i = 0; i < 1100; ++i) {
        all.push_back(shared_counter());
        *all.back() = probe.integer(0, 1000000);
    }
    std::vector<long> held;
    for (const auto& one : all) held.push_back(one->load());
    probe.put(held);
    const std::size_t before = lanes::grading::shared_mappings();
    all.clear();
    const std::size_t after = lanes::grading::shared_mappings();
    probe.put(std::string(after + 1000 < before ? "the memory goes back" : "the memory stays"));
}
