#include "memory_pool.hpp"

#include "base/math.hpp"
#include "lanes/base/error.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

namespace lanes::gpu {

namespace {

constexpr std::size_t smallest = 512;  // bytes

// Four sizes per power of two, so that at most a fifth of a piece is unused.
std::size_t size_class(std::size_t bytes) {
    std::size_t power = smallest;
    while (power < bytes / 2) power *= 2;
    const std::size_t step = std::max(power / 4, smallest);
    return std::max(smallest, round_up(bytes, step));
}

class Pool;
void release_others(const Pool& pool);  // below: what other pools keep of the same device

class Pool {
public:
    explicit Pool(const Device& device)
        : device_(device),
          most_cached_(device.is_cpu() ? std::size_t{1} << 30
                                       : std::numeric_limits<std::size_t>::max()) {}

    const Device& device() const { return device_; }

    std::shared_ptr<Memory> take(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        forget_after_fork();
        auto& free = free_[bytes];
        if (!free.empty()) {
            std::shared_ptr<Memory> memory = std::move(free.back());
            free.pop_back();
            use_.cached -= bytes;
            use_.in_use += bytes;
            return memory;
        }
        std::shared_ptr<Memory> memory = fresh(bytes);
        use_.in_use += bytes;
        return memory;
    }

    void give_back(std::shared_ptr<Memory> memory, int process) {
        const std::lock_guard lock(mutex_);
        if (process != process_ || process != getpid()) return;  // a GPU's memory is lost by a fork
        const std::size_t bytes = memory->bytes();
        use_.in_use -= bytes;
        if (use_.cached + bytes > most_cached_) return;
        use_.cached += bytes;
        free_[bytes].push_back(std::move(memory));
    }

    // What is given back from now on is freed.
    void keep_no_more() {
        {
            const std::lock_guard lock(mutex_);
            most_cached_ = 0;
        }
        release();
    }

    void release() {
        const std::lock_guard lock(mutex_);
        free_.clear();
        use_.cached = 0;
    }

    void try_release() {
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock.owns_lock()) return;
        free_.clear();
        use_.cached = 0;
    }

    PoolUse use() {
        const std::lock_guard lock(mutex_);
        return use_;
    }

    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }

private:
    std::shared_ptr<Memory> fresh(std::size_t bytes) {
        try {
            return device_.backend()->allocate(bytes, 1);
        } catch (const Error&) {
            free_.clear();  // the memory is full: try again without what is cached
            use_.cached = 0;
            release_others(*this);
        }
        return device_.backend()->allocate(bytes, 1);
    }

    void forget_after_fork() {
        if (process_ == getpid()) return;
        process_ = getpid();
        free_.clear();
        use_ = {};
    }

    Device device_;
    std::size_t most_cached_;
    std::mutex mutex_;
    int process_ = getpid();
    PoolUse use_;
    std::map<std::size_t, std::vector<std::shared_ptr<Memory>>> free_;  // by size
};

// A piece of the pool: its destructor gives it back.
class PooledMemory : public Memory {
public:
    PooledMemory(std::shared_ptr<Pool> pool, std::size_t bytes)
        : pool_(std::move(pool)),
          memory_(pool_->take(size_class(bytes))),
          bytes_(bytes),
          process_(getpid()) {}
    ~PooledMemory() override { pool_->give_back(std::move(memory_), process_); }
    PooledMemory(const PooledMemory&) = delete;
    PooledMemory& operator=(const PooledMemory&) = delete;

    void upload(std::size_t offset, const void* from, std::size_t bytes) override {
        memory_->upload(offset, from, bytes);
    }
    void download(std::size_t offset, void* to, std::size_t bytes) const override {
        memory_->download(offset, to, bytes);
    }
    void fill_zero() override { memory_->fill_zero(); }
    std::size_t bytes() const override { return bytes_; }
    void* address() const override { return memory_->address(); }
    const Pool* pool() const { return pool_.get(); }

private:
    std::shared_ptr<Pool> pool_;
    std::shared_ptr<Memory> memory_;
    std::size_t bytes_;  // that were asked for
    int process_;
};

// Pools are never freed: a tensor may live until the end of the process.
struct Pools {
    std::mutex mutex;
    std::vector<std::shared_ptr<Pool>> all;

    static Pools& instance() {
        static auto* const pools = [] {
            auto* const made = new Pools;
            pthread_atfork(before_fork, after_fork, after_fork);
            return made;
        }();
        return *pools;
    }

    // No other thread may hold a lock while the process is forked: it would stay locked forever in
    // the new process, which does not have that thread.
    static void before_fork() {
        instance().mutex.lock();
        for (const auto& pool : instance().all) pool->lock();
    }
    static void after_fork() {
        for (const auto& pool : instance().all) pool->unlock();
        instance().mutex.unlock();
    }

    std::shared_ptr<Pool> of(const Device& device) {
        const std::lock_guard lock(mutex);
        for (const auto& pool : all)
            if (pool->device() == device) return pool;
        all.push_back(std::make_shared<Pool>(device));
        return all.back();
    }
};

// Only of what nobody uses at the moment: two threads that are out of memory at the same time must
// not wait for each other.
void release_others(const Pool& pool) {
    Pools& pools = Pools::instance();
    const std::unique_lock lock(pools.mutex, std::try_to_lock);
    if (!lock.owns_lock()) return;
    for (const auto& other : pools.all)
        if (other.get() != &pool && other->device() == pool.device()) other->try_release();
}

thread_local PrivatePool* private_pool = nullptr;

}  // namespace

struct PrivatePool::Impl {
    explicit Impl(const Device& device) : pool(std::make_shared<Pool>(device)) {}
    std::shared_ptr<Pool> pool;  // shared with the memory that came from it
};

PrivatePool::PrivatePool(const Device& device) : impl_(std::make_unique<Impl>(device)) {}
PrivatePool::~PrivatePool() { impl_->pool->keep_no_more(); }

bool PrivatePool::owns(const Memory& memory) const {
    const auto* pooled = dynamic_cast<const PooledMemory*>(&memory);
    return pooled != nullptr && pooled->pool() == impl_->pool.get();
}

PrivatePool::Use::Use(PrivatePool& pool) : before_(private_pool) { private_pool = &pool; }
PrivatePool::Use::~Use() { private_pool = before_; }

std::shared_ptr<Memory> allocate(const Device& device, std::size_t bytes) {
    LANES_REQUIRE(bytes <= std::numeric_limits<std::size_t>::max() / 4, "Tensor: ", bytes,
                  " bytes are more than any memory holds. Look at the shape.");
    // The simulator finds reads of memory that nothing wrote: it keeps none.
    if (device.is_simulator()) return device.backend()->allocate(bytes, 1);
    const bool in_private =
        private_pool != nullptr && private_pool->impl_->pool->device() == device;
    return std::make_shared<PooledMemory>(
        in_private ? private_pool->impl_->pool : Pools::instance().of(device), bytes);
}

PoolUse pool_use(const Device& device) { return Pools::instance().of(device)->use(); }

void release_cached() {
    Pools& pools = Pools::instance();
    const std::lock_guard lock(pools.mutex);
    for (const auto& pool : pools.all) pool->release();
}

}  // namespace lanes::gpu
