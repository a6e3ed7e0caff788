// Sets BLAS to one thread per call while this object exists. The library shares large products out
// among OpenMP's threads itself: threads of BLAS and of OpenMP, which both wait actively for their
// next task, would take the cores from each other.
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
