#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <thread>

void lanes_probe(lanes::grading::Probe& probe) {
    struct Writer : lanes::Process {
        Writer(int fd, const std::vector<std::string>& parts) : fd(fd), parts(parts) {}
        void run() override {
            for (const std::string& part : parts) {
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
                if (write(fd, part.data(), part.size()) < 0) return;
            }
        }
        int fd;
        std::vector<std::string> parts;
    };
    struct sigaction quiet{};
    quiet.sa_handler = [](int) {};
    sigaction(SIGALRM, &quiet, nullptr);
    for (int i = 0; i < 3; ++i) {
        int ends[2];
        if (pipe(ends) != 0) throw std::runtime_error("no pipe");
        std::vector<std::string> parts;
        std::size_t size = 0;
        for (int n = 0; n < 5; ++n) {
            parts.emplace_back();
            for (int k = probe.integer(1, 900); k > 0; --k)
                parts.back() += static_cast<char>(probe.integer(0, 255));
            size += parts.back().size();
        }
        Writer writer(ends[1], parts);
        writer.start();
        close(ends[1]);
        const itimerval often{{0, 4000}, {0, 4000}}, never{};
        setitimer(ITIMER_REAL, &often, nullptr);
        std::string got(size + 8, '!');
        read_all(ends[0], got.data(), size);
        bool ended = false;
        try {
            char more;
            read_all(ends[0], &more, 1);
        } catch (const std::exception&) {
            ended = true;
        }
        setitimer(ITIMER_REAL, &never, nullptr);
        close(ends[0]);
        probe.put(got);
        probe.put(ended);
    }
    // Nothing is asked for, then less than is there: the rest stays in the pipe.
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    std::string bytes;
    for (int n = 0; n < 90; ++n) bytes += static_cast<char>(probe.integer('a', 'z'));
    probe.put(write(ends[1], bytes.data(), bytes.size()));
    close(ends[1]);
    for (const std::size_t size : {0, 40, 50}) {
        std::string got(200, '!');
        bool thrown = false;
        try {
            read_all(ends[0], got.data(), size);
        } catch (const std::exception&) {
            thrown = true;
        }
        probe.put(got);
        probe.put(thrown);
    }
    close(ends[0]);
}
