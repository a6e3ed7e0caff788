#include <sys/inotify.h>

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
    std::filesystem::remove_all(folder);
}
