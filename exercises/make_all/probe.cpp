#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <new>
#include <thread>

void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t others = lanes::grading::children();  // none of make_all's
    const lanes::Dataset images{probe.random<lanes::Matrix>({9, 784}, 0, 1),
                                probe.random<lanes::Matrix>({9, 10}, 0, 9)};
    std::vector<lanes::BatchJob> given;
    const std::uint64_t number = probe.integer(3, 9);
    for (std::uint64_t index = 0; index < number; ++index) {
        lanes::BatchJob job{index, {}, {}};
        // With several workers the batch of the first job comes last.
        for (std::size_t i = 0; i <= (index == 0 ? 150 : index % 3); ++i)
            job.images.push_back(probe.integer(0, 8));
        job.labels = lanes::rows_of(images, {job.images.begin(), job.images.end()}).y;
        given.push_back(job);
    }
    for (int workers : {1, 3}) {
        const auto batches = make_all(given, workers, images, {0, 0, 0, 0}, probe.seed());
        probe.put(static_cast<int>(batches.size()));
        for (const auto& batch : batches) {
            probe.put(batch.index);
            probe.put(batch.x);
            probe.put(batch.y);
        }
    }
    const lanes::AugmentationBounds some{10, 2, 0.1, 0.1};
    const auto one = make_all(given, 1, images, some, probe.seed());
    const auto two = make_all(given, 2, images, some, probe.seed());
    bool same = one.size() == two.size(), changed = false;
    for (std::size_t i = 0; i < one.size() && same; ++i) {
        same = one[i].x == two[i].x;
        changed =
            changed ||
            one[i].x != lanes::rows_of(images, {given[i].images.begin(), given[i].images.end()}).x;
    }
    probe.put(same);
    probe.put(changed);
    // No worker is left.
    probe.put(lanes::grading::children() == others);
    // So many workers as were asked for run at the same time: another process counts them.
    std::vector<lanes::BatchJob> many;
    for (std::uint64_t index = 0; index < 100; ++index) {
        lanes::BatchJob job{index, std::vector<std::uint64_t>(16, index % 9), {}};
        job.labels = lanes::rows_of(images, {job.images.begin(), job.images.end()}).y;
        many.push_back(job);
    }
    struct Counts {
        std::atomic<std::size_t> most{0};
        std::atomic<bool> go_on{true};
    };
    void* const memory =
        mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct Observer : lanes::Process {
        Observer(Counts& counts, int parent) : counts(counts), parent(parent) {}
        void run() override {
            while (counts.go_on) {
                counts.most = std::max(counts.most.load(), lanes::grading::children(parent));
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        }
        Counts& counts;
        int parent;
    };
    auto* const counts = new (memory) Counts;
    Observer observer(*counts, getpid());
    observer.start();
    const std::size_t asked = probe.integer(3, 5);
    make_all(many, static_cast<int>(asked), images, some, probe.seed());
    counts->go_on = false;
    observer.join();
    probe.put(counts->most >= others + asked + 1);  // with the observer
    munmap(memory, sizeof(Counts));
}
