#include <signal.h>
#include <sys/inotify.h>
#include <sys/resource.h>

// The content of an older file after a write that fails, because no file may be so long.
static void full_disk(lanes::grading::Probe& probe, const std::string& path) {
    std::ofstream(path) << "an older one";
    const std::vector<float> weights(static_cast<std::size_t>(probe.integer(200000, 300000)), 1);
    const auto before = signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit low{std::min<rlim_t>(500000, limit.rlim_max), limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &low);
    try {
        lanes::simulate_ranks(
            2, [&](const lanes::Communicator& comm) { save_checkpoint(comm, path, 3, weights); });
    } catch (const std::exception&) {
        // reported, as it should be
    }
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, before);
    std::ifstream file(path, std::ios::binary);
    probe.put(std::string{std::istreambuf_iterator<char>(file), {}});
}

// The content of the file, and what has happened to its name: moved there once, never written or
// removed.
void lanes_probe(lanes::grading::Probe& probe) {
    std::string folder = "/tmp/lanes-probe-XXXXXX";
    if (!mkdtemp(folder.data())) throw std::runtime_error("no folder");
    for (int i = 0; i < 6; ++i) {
        const int ranks = static_cast<int>(probe.integer(i == 0 ? 1 : 2, 4));
        const int step = static_cast<int>(probe.integer(1, 1000));
        // Few weights stay in the buffer of a stream until it is closed, many do not.
        const auto count = probe.integer(i == 5 ? 0 : 1, i < 3 ? 200 : 3000);
        std::vector<float> weights(static_cast<std::size_t>(count));
        for (float& weight : weights) weight = static_cast<float>(probe.uniform(-1, 1));
        const std::string name = "file-" + std::to_string(i), path = folder + "/" + name;
        if (i % 2 == 0) std::ofstream(path) << "an older one";
        const int queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
        inotify_add_watch(queue, folder.c_str(), IN_MODIFY | IN_DELETE | IN_MOVED_TO);
        lanes::simulate_ranks(ranks, [&](const lanes::Communicator& comm) {
            save_checkpoint(comm, path, step, weights);
        });
        int moved = 0, other = 0;
        alignas(inotify_event) char buffer[16384];
        for (ssize_t size; (size = read(queue, buffer, sizeof buffer)) > 0;)
            for (ssize_t at = 0; at < size;) {
                const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
                const bool is_ours = event->len > 0 && name == event->name;
                moved += is_ours && (event->mask & IN_MOVED_TO) != 0;
                other += is_ours && (event->mask & IN_MOVED_TO) == 0;
                at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
            }
        close(queue);
        probe.put(moved);
        probe.put(other);
        std::ifstream file(path, std::ios::binary);
        probe.put(std::string{std::istreambuf_iterator<char>(file), {}});
    }
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        files += entry.path().empty() ? 0 : 1;
    probe.put(files);
    full_disk(probe, folder + "/full");
    std::filesystem::remove_all(folder);
}
