// shared_lock: processes exclude each other, and are woken up.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/pipes.hpp"
#include "lanes/lesson/spare_queue.hpp"
#include "notebook/exercise/isolated_check.hpp"

#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Actor;
using notebook::IsolatedCheck;
using notebook::Judge;

using Make = std::function<SharedLock::Made()>;
using Lock = SharedLock::Made;

constexpr const char* dies =
    "Did mmap fail? It needs a size above 0, PROT_READ | PROT_WRITE, and -1 and 0 as the last two "
    "arguments.";

Lock made(IsolatedCheck& check, const Make& make) {
    check.step("a lock is made", "It has nothing to wait for.", dies);
    Lock lock = make();
    check.require(lock.owner != nullptr, "the pointer is empty.",
                  "Give a std::shared_ptr to the memory that mmap has given.");
    return lock;
}

void alone(IsolatedCheck& check, const Make& make) {
    const Lock lock = made(check, make);
    for (int i = 0; i < 3; ++i) {
        check.step(i == 0 ? "the first lock()" : "lock() after unlock()",
                   i == 0 ? "A new mutex is free: pthread_mutex_init makes it so."
                          : "unlock must give it back: pthread_mutex_unlock.",
                   "Placement new must construct the Lock where mmap has given memory.");
        lock.lock();
        check.step("unlock()", "unlock waits for nothing.");
        lock.unlock();
    }
}

// Whether the system lets a process wait.
bool sleeps(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    return text.find(") S ") != std::string::npos;
}

// Another process takes it first, so that this one sees a lock that is not shared as free.
void excludes(IsolatedCheck& check, const Make& make) {
    const Lock lock = made(check, make);
    const auto taken = spare::shared_counter(), left = spare::shared_counter(),
               wants = spare::shared_counter();
    check.step("lock() in another process", "A new mutex is free.", dies);
    const pid_t waiting = getpid();
    Actor other(check, "another process", [&] {
        lock.lock();
        *taken = 1;
        // Until the other one sleeps in lock(); if it does not, it has the lock or tries again and
        // again.
        for (int i = 0, asleep = 0; i < 200 && asleep < 8; ++i, pause(10))
            asleep = *wants == 1 && sleeps(waiting) ? asleep + 1 : 0;
        *left = 1;
        lock.unlock();
    });
    while (*taken == 0 && other.alive()) pause(1);
    check.step("lock() while another process has it",
               "The other process has unlocked it, and this one still waits: it was never woken "
               "up.\nA mutex for several processes needs pthread_mutexattr_setpshared(…, "
               "PTHREAD_PROCESS_SHARED), and pthread_mutex_init these attributes. Does "
               "placement new call the constructor that does so?",
               dies);
    *wants = 1;
    lock.lock();
    check.require(*left == 1, "another process held the lock, and this one got it as well.",
                  "Each process has a lock of its own, or none: it must lie in memory that they "
                  "share (MAP_SHARED), and lock must call pthread_mutex_lock.");
    lock.unlock();
    other.finish(check, "unlock waits for nothing.", dies);
}

void many(IsolatedCheck& check, const Make& make) {
    const Lock lock = made(check, make);
    const auto count = spare::shared_counter();
    constexpr int actors = 4;
    constexpr long each = 5000;
    {
        std::vector<std::unique_ptr<Actor>> all;
        for (int i = 0; i < actors; ++i)
            all.push_back(std::make_unique<Actor>(check, "process " + std::to_string(i + 1), [&] {
                for (long n = 0; n < each; ++n) {
                    lock.lock();
                    count->store(count->load() + 1);  // in two steps
                    lock.unlock();
                }
            }));
        for (auto& actor : all)
            actor->finish(check,
                          "Four processes take turns, and one was not woken up: is the mutex made "
                          "with PTHREAD_PROCESS_SHARED?",
                          dies);
    }
    check.require(*count == actors * each,
                  "four processes counted under the lock, and " +
                      std::to_string(actors * each - *count) + " counts are lost.",
                  "Two of them were inside at once.");
}

void two_locks(IsolatedCheck& check, const Make& make) {
    const Lock first = made(check, make), second = made(check, make);
    first.lock();
    check.step("lock() of a second lock",
               "The first lock is held, and the second one waits for it: both are one. Ask the "
               "system for new memory in each call; nothing static.");
    second.lock();
    second.unlock();
    first.unlock();
}

void given_back(IsolatedCheck& check, const Make& make) {
    made(check, make);
    const std::size_t before = shared_mappings();
    for (int i = 0; i < 100; ++i) made(check, make);
    const std::size_t left = shared_mappings() - before;
    check.require(left < 50,
                  "100 locks were made and forgotten, and " + std::to_string(left) +
                      " stretches of shared memory are still there.",
                  "The second argument of std::shared_ptr calls munmap on the address, with the "
                  "size that mmap was given.");
}

}  // namespace

SharedLock::SharedLock()
    : Exercise(text_of<SharedLock>(
          "shared_lock",
          {"shared_lock", "std::shared_ptr<Lock> shared_lock()",
           "Lock has a mutex that works between processes; shared_lock makes one in shared "
           "memory. Its memory goes back to the\n"
           "system with its last owner.",
           "ten lines",
           "pthread_mutexattr_init, pthread_mutexattr_setpshared(&attributes, "
           "PTHREAD_PROCESS_SHARED), pthread_mutex_init(&mutex, &attributes).\n"
           "shared_lock is shared_counter with another type."})) {}

void SharedLock::check_made(const std::function<Made()>& make, const void* function) const {
    Judge judge(text());
    judge.look_at(reinterpret_cast<void (*)()>(const_cast<void*>(function)));
    const auto play = [&](const char* what, void (*scene)(IsolatedCheck&, const Make&)) {
        judge.begin(what);
        notebook::run_isolated(judge, [&](IsolatedCheck& isolated) { scene(isolated, make); });
    };
    play("one process", alone);
    play("another process wants it, too", excludes);
    play("four processes", many);
    play("two locks", two_locks);
    play("many locks, one after another", given_back);
    judge.pass();
}

}  // namespace lanes::exercises
