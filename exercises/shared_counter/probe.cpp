#include <sys/resource.h>

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
    // The system gives no memory: mmap fails. In a process of its own, which may crash.
    struct NoMemory : lanes::Process {
        explicit NoMemory(std::atomic<long>& threw) : threw(threw) {}
        void run() override {
            // What the answer may need of the stack and of the heap.
            volatile char stack[256 * 1024];
            for (std::size_t i = 0; i < sizeof stack; i += 1024) stack[i] = 0;
            std::vector<char>(64 * 1024).clear();
            try {
                throw std::bad_alloc();  // the first one takes memory
            } catch (const std::exception&) {
            }
            rlimit limit{};
            getrlimit(RLIMIT_AS, &limit);
            const rlimit none{0, limit.rlim_max};
            setrlimit(RLIMIT_AS, &none);
            try {
                new std::shared_ptr<std::atomic<long>>(shared_counter());
            } catch (const std::exception&) {
                threw = 1;
            }
            setrlimit(RLIMIT_AS, &limit);
        }
        std::atomic<long>& threw;
    };
    *first = 0;
    NoMemory nothing_left(*first);
    nothing_left.start();
    nothing_left.join();
    probe.put(first->load());
}
