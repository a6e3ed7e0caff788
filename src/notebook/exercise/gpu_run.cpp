#include "gpu_run.hpp"

namespace lanes::notebook {

namespace {

std::string side(const Dim3& n) {
    if (n.y == 1 && n.z == 1) return std::to_string(n.x);
    return "(" + std::to_string(n.x) + ", " + std::to_string(n.y) +
           (n.z == 1 ? ")" : ", " + std::to_string(n.z) + ")");
}

}  // namespace

void judge_launches(Judge& judge, const LaunchTrace& trace, const LaunchRule& rule) {
    const std::string expected =
        "<<<" + std::to_string(rule.blocks) + ", " + std::to_string(rule.threads) + ">>>";
    const auto launches = trace.launches();
    if (launches.empty())
        judge.fail("no CUDA kernel was launched.",
                   "The work belongs on the device: lanes::launch(program.kernel(…), …) as " +
                       expected + ".");
    for (const TracedLaunch& launch : launches) {
        const Dim3 &grid = launch.config.grid, &block = launch.config.block;
        if (grid.count() == rule.blocks && block.count() == rule.threads) continue;
        judge.fail(
            launch.name + " was launched as <<<" + side(grid) + ", " + side(block) + ">>>, " +
                rule.says + expected + ".",
            "The first number is how many blocks there are, the second how many threads each has.");
    }
}

}  // namespace lanes::notebook
