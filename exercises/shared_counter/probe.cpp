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
}
