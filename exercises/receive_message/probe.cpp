#include <signal.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <thread>

void lanes_probe(lanes::grading::Probe& probe) {
    struct Writer : lanes::Process {
        Writer(int fd, const std::vector<std::string>& messages) : fd(fd), messages(messages) {}
        void run() override {
            struct sigaction go_on{};  // signals interrupt a long write
            go_on.sa_handler = [](int) {};
            go_on.sa_flags = SA_RESTART;
            sigaction(SIGALRM, &go_on, nullptr);
            const itimerval often{{0, 20000}, {0, 20000}};
            setitimer(ITIMER_REAL, &often, nullptr);
            for (const std::string& message : messages) send_message(fd, message);
        }
        int fd;
        std::vector<std::string> messages;
    };
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    std::vector<std::string> messages;
    for (int n = 0; n < 8; ++n) {
        messages.emplace_back();
        for (long k = n == 2 ? 0 : probe.integer(1, 300) + (n == 5 ? 200000 : 0); k > 0; --k)
            messages.back() += static_cast<char>(probe.integer(0, 255));
    }
    // The length of a message takes more than the 4 bytes of an int.
    send_message(ends[1], messages[0]);
    int written = 0;
    ioctl(ends[0], FIONREAD, &written);
    const bool is_int = written == static_cast<int>(messages[0].size() + sizeof(int));
    probe.put(std::string(is_int ? "the length is an int" : "the length has any size"));
    probe.put(receive_message(ends[0]));
    Writer writer(ends[1], messages);
    writer.start();
    close(ends[1]);
    for (int n = 0; n < 8; ++n) {
        // The pipe is full, and the writer waits.
        if (n == 5) std::this_thread::sleep_for(std::chrono::milliseconds(100));
        probe.put(receive_message(ends[0]));
    }
    bool ended = false;
    try {
        receive_message(ends[0]);
    } catch (const std::exception&) {
        ended = true;
    }
    probe.put(ended);
    close(ends[0]);
    writer.join();
}
