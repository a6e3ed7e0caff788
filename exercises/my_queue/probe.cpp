#include <sched.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <thread>

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
    struct Other : lanes::Process {
        explicit Other(std::function<void()> work) : work(std::move(work)) {}
        void run() override { work(); }
        std::function<void()> work;
    };
    const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
    probe.part("one process", [&] {
        const auto queue = my_queue();
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
        probe.put(queue->get());
    });
    probe.part("three writers", [&] {
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
    });
    probe.part("a large message, and the length while others wait", [&] {
        const auto queue = my_queue();
        // A reader that waits: nothing is counted yet.
        const auto answered = my_queue();
        Other reader([&] { answered->put(queue->get()); });
        reader.start();
        pause();
        probe.put(queue->length());
        queue->put("for the reader");
        probe.put(answered->get());
        reader.join();
        // A message far larger than the pipe, with signals that interrupt its writing. While it is
        // written it does not count.
        const std::string piece = std::to_string(probe.integer(100000, 999999)) + "lanes";
        std::string large;
        while (large.size() < 3000000) large += piece;
        Other writer([&] {
            struct sigaction go_on{};
            go_on.sa_handler = [](int) {};
            go_on.sa_flags = SA_RESTART;
            sigaction(SIGALRM, &go_on, nullptr);
            const itimerval often{{0, 20000}, {0, 20000}};
            setitimer(ITIMER_REAL, &often, nullptr);
            queue->put(large);
        });
        writer.start();
        pause();
        probe.put(queue->length());
        probe.put(queue->get() == large);
        writer.join();
        probe.put(queue->length());
        // On one core, and with a writer that yields to the reader: get has a message before put
        // counts it.
        cpu_set_t allowed;
        sched_getaffinity(0, sizeof allowed, &allowed);
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
            if (CPU_ISSET(core, &allowed)) CPU_SET(core, &one);
        sched_setaffinity(0, sizeof one, &one);
        Other yielding([&] {
            nice(4);
            do queue->put("short");
            while (answered->get() == "on");
        });
        yielding.start();
        std::size_t longest = 0;
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
        for (int i = 0; i < 200; ++i) {
            queue->get();
            longest = std::max(longest, queue->length());
            const bool on = i < 199 && std::chrono::steady_clock::now() < until;
            answered->put(on ? "on" : "end");
            if (!on) break;
        }
        yielding.join();
        sched_setaffinity(0, sizeof allowed, &allowed);
        probe.put(longest);
        probe.put(queue->length());
    });
}
