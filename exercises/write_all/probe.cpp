#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <thread>

void lanes_probe(lanes::grading::Probe& probe) {
    struct Writer : lanes::Process {
        Writer(int fd, const std::string& bytes) : fd(fd), bytes(bytes) {}
        void run() override {
            struct sigaction quiet{};
            quiet.sa_handler = [](int) {};
            sigaction(SIGALRM, &quiet, nullptr);
            const itimerval often{{0, 7000}, {0, 7000}};
            setitimer(ITIMER_REAL, &often, nullptr);
            write_all(fd, bytes.data(), bytes.size());
        }
        int fd;
        std::string bytes;
    };
    for (int i = 0; i < 3; ++i) {
        int ends[2];
        if (pipe(ends) != 0) throw std::runtime_error("no pipe");
        std::string bytes;
        for (int n = probe.integer(1000, 9000) + 60000 * i; n > 0; --n)
            bytes += static_cast<char>(probe.integer(0, 255));
        Writer writer(ends[1], bytes);
        writer.start();
        close(ends[1]);
        std::string got, some(50000, ' ');
        for (ssize_t done; (done = read(ends[0], some.data(), some.size())) > 0;) {
            got.append(some, 0, done);
            std::this_thread::sleep_for(std::chrono::milliseconds(15));
        }
        close(ends[0]);
        writer.join();
        probe.put(got);
        probe.put(writer.exit_code().value_or(-1));
    }
    const auto throws = [](int fd, std::size_t size) {
        try {
            write_all(fd, "x", size);
        } catch (const std::exception&) {
            return true;
        }
        return false;
    };
    probe.put(throws(-1, 1));
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    probe.put(throws(ends[1], 0));
    close(ends[0]);
    close(ends[1]);
}
