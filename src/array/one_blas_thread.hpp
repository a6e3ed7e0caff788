// Sets BLAS to one thread per call while this object exists. The library divides large products
// among its own threads (base/thread_pool.hpp): threads of BLAS, which also wait actively for their
// next task, would take the cores from them.
#pragma once

#include "lanes/array/blas.hpp"

namespace lanes {

class OneBlasThread {
public:
    OneBlasThread() : before_(blas_threads()) {
        if (before_ != 1) set_blas_threads(1);
    }
    ~OneBlasThread() {
        if (before_ != 1) set_blas_threads(before_);
    }
    OneBlasThread(const OneBlasThread&) = delete;
    OneBlasThread& operator=(const OneBlasThread&) = delete;

    int threads_before() const { return before_; }

private:
    int before_;
};

}  // namespace lanes
