#include "lanes/gpu/whole_program.hpp"
void lanes_probe(lanes::grading::Probe& probe) {
    const lanes::WatchedCudaProgram program(saxpy, "saxpy.cu");
    // The printed numbers, then what the device did and what was found.
    const auto run = [&](int n, int tenths, int threads) {
        const lanes::CudaProgramRun done = program.run(
            {std::to_string(n), std::to_string(tenths / 10.0), std::to_string(threads)});
        if (done.status == 0) {
            std::istringstream words(done.output);
            std::vector<double> numbers;
            for (double number = 0; words >> number;) numbers.push_back(number);
            probe.put(numbers);
            const bool by_device = 4 * done.loads >= 2ULL * n && 4 * done.stores >= 1ULL * n;
            probe.put(std::string(by_device ? "the device computes" : "the host computes"));
            probe.put(std::string(done.findings.empty() ? "nothing found" : "something is wrong"));
        } else {
            const bool refused =
                done.findings.find("cudaErrorInvalidConfiguration") != std::string::npos;
            probe.put(std::string(refused ? "the launch fails" : "something else fails"));
            probe.put(std::string(done.errors.size() > done.findings.size() && done.output.empty()
                                      ? "it says so"
                                      : "it does not say so, or prints numbers"));
            probe.put(std::string(done.status < 128 ? "it ends" : "it crashes"));
        }
    };
    const int threads = 32 * static_cast<int>(probe.integer(1, 4));
    run(static_cast<int>(probe.integer(5, 9)), 20, 4);
    run(2 * threads + static_cast<int>(probe.integer(1, 31)),
        static_cast<int>(probe.integer(11, 90)), threads);
    run(3 * threads, -static_cast<int>(probe.integer(11, 90)), threads);
    run(1, 15, threads);
    run(static_cast<int>(probe.integer(5, 90)), 20, 1024 + threads);
}
