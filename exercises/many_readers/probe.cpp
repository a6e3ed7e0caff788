void lanes_probe(lanes::grading::Probe& probe) {
    struct Reader : lanes::Process {
        Reader(lanes::Queue<std::string>& queue, int times, volatile long* sums)
            : queue(queue), times(times), sums(sums) {}
        void run() override {
            for (int n = 0; n < times; ++n) {
                const std::string message = queue.get();
                long sum = message.size();
                for (std::size_t i = 0; i < message.size(); ++i)
                    sum = (sum * 31 + static_cast<unsigned char>(message[i])) % 1000003;
                sums[0] += 1;
                sums[1] += sum;
            }
        }
        lanes::Queue<std::string>& queue;
        int times;
        volatile long* sums;
    };
    struct Writer : lanes::Process {
        Writer(lanes::Queue<std::string>& queue, std::uint64_t seed) : queue(queue), random(seed) {}
        void run() override {
            for (int n = 0; n < 90; ++n) {
                std::string message;
                for (long k = random.integer(0, 4000) + (n == 40 ? 100000 : 0); k > 0; --k)
                    message += static_cast<char>(random.integer(0, 255));
                queue.put(message);
            }
        }
        lanes::Queue<std::string>& queue;
        lanes::grading::Probe random;
    };
    auto* const sums = static_cast<volatile long*>(
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    const auto queue = many_readers();
    {
        Reader first(*queue, 60, sums), second(*queue, 60, sums + 2), third(*queue, 60, sums + 4);
        first.start(), second.start(), third.start();
        Writer left(*queue, probe.seed()), right(*queue, probe.seed() + 1);
        left.start(), right.start();
        first.join(), second.join(), third.join();
        left.join(), right.join();
    }
    probe.put(static_cast<long>(sums[0] + sums[2] + sums[4]));
    probe.put(static_cast<long>(sums[1] + sums[3] + sums[5]));
    probe.put(queue->length());
}
