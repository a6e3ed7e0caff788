// Lesson 05: a class Lock for several processes, given as the function that makes one in shared
// memory.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <functional>
#include <memory>

namespace lanes::exercises {

class SharedLock : public Exercise {
public:
    // A lock of any class.
    struct Made {
        std::shared_ptr<void> owner;
        std::function<void()> lock, unlock;
    };

    SharedLock();
    template <class Lock>
    void check(std::shared_ptr<Lock> (*answer)()) const {
        check_made(
            [answer]() -> Made {
                const std::shared_ptr<Lock> made = answer();
                Lock* const lock = made.get();
                return {made, [lock] { lock->lock(); }, [lock] { lock->unlock(); }};
            },
            reinterpret_cast<const void*>(answer));
    }

private:
    void check_made(const std::function<Made()>& make, const void* function) const;
};
inline SharedLock shared_lock() { return {}; }

}  // namespace lanes::exercises
