// xcpp17-session: started by xcpp17, never by hand.
#include "options.hpp"
#include "session.hpp"
#include "streams.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
    using namespace xcpp_session;
    try {
        const SessionOptions options = read_options(argc, argv);
        void* memory = mmap(nullptr, sizeof(xcpp_wire::SharedPage), PROT_READ | PROT_WRITE, MAP_SHARED, options.page, 0);
        if (memory == MAP_FAILED) throw std::runtime_error("cannot map the page that is shared with the front");
        auto& page = *static_cast<xcpp_wire::SharedPage*>(memory);
        {
            const xcpp_wire::Channel hello{xcpp_wire::Descriptor(dup(options.channel))};
            hello.send({{"op", "hello"}, {"pid", getpid()}, {"cell", 0}});
        }
        set_up_streams(options.stdout_fd, options.stderr_fd);
        watch_for_death(page);
        watch_for_terminate();
        Session session(options, page);
        session.run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "xcpp17-session: %s\n", error.what());
        leave_process(1);
    }
    leave_process(0);
}
