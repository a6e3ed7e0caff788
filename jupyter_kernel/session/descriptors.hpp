// A cell may use up all descriptors that it is allowed. What the session itself needs (channels, headers) comes out of a reserve above that limit.
#pragma once

#include <sys/resource.h>

namespace xcpp_session {

constexpr rlim_t reserved_descriptors = 128;

class FewerDescriptors {
public:
    FewerDescriptors() {
        getrlimit(RLIMIT_NOFILE, &before_);
        rlimit fewer = before_;
        if (fewer.rlim_cur > 2 * reserved_descriptors) fewer.rlim_cur -= reserved_descriptors;
        setrlimit(RLIMIT_NOFILE, &fewer);
    }
    ~FewerDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
    FewerDescriptors(const FewerDescriptors&) = delete;
    FewerDescriptors& operator=(const FewerDescriptors&) = delete;

private:
    rlimit before_{};
};

}  // namespace xcpp_session
