void lanes_probe(lanes::grading::Probe& probe) {
    struct Adder : lanes::Process {
        Adder(decltype(shared_lock()) lock, volatile long* number, long times)
            : lock(lock), number(number), times(times) {}
        void run() override {
            for (long n = 0; n < times; ++n) {
                lock->lock();
                const long seen = number[0];
                number[0] = seen + 1;
                if (n % 64 == 0) std::this_thread::yield();
                lock->unlock();
            }
        }
        decltype(shared_lock()) lock;
        volatile long* number;
        long times;
    };
    auto* const numbers = static_cast<volatile long*>(
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    const auto lock = shared_lock(), other = shared_lock();
    other->lock();  // nobody waits for this one
    {
        Adder a(lock, numbers, probe.integer(3000, 9000)),
            b(lock, numbers, probe.integer(3000, 9000));
        Adder c(lock, numbers, probe.integer(3000, 9000));
        a.start(), b.start(), c.start();
        a.join(), b.join(), c.join();
        probe.put(static_cast<long>(numbers[0]));
    }
    // While this process holds the lock, another one waits.
    lock->lock();
    const long before = numbers[0];
    Adder waits(lock, numbers, 5);
    waits.start();
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    probe.put(numbers[0] - before);
    lock->unlock();
    probe.put(waits.join(5));
    probe.put(numbers[0] - before);
    other->unlock();
    const std::size_t mappings = lanes::grading::shared_mappings();
    for (int n = 0; n < 100; ++n) shared_lock();
    const bool stays = lanes::grading::shared_mappings() >= mappings + 50;
    probe.put(std::string(stays ? "the memory stays" : "the memory goes back"));
}
