#include "access_text.hpp"

#include "gpu/backend.hpp"

#include <set>

namespace lanes::notebook {

namespace {

// "a[0..3], a[7]"
std::string elements_text(const std::string& name, const std::vector<std::ptrdiff_t>& elements) {
    std::string text;
    for (std::size_t i = 0; i < elements.size();) {
        std::size_t end = i + 1;
        while (end < elements.size() && elements[end] == elements[end - 1] + 1) ++end;
        text += (text.empty() ? "" : ", ") + name + "[" + std::to_string(elements[i]) +
                (end - i > 1 ? ".." + std::to_string(elements[end - 1]) : "") + "]";
        i = end;
    }
    return text;
}

}  // namespace

const char* verb(AccessKind kind) {
    return kind == AccessKind::read ? "reads" : kind == AccessKind::write ? "writes" : "updates";
}

std::string access_text(const LaunchReport& report, const AccessGrid& grid) {
    std::string text = gpu::launch_text(report.cuda_kernel, report.config).substr(7) +
                       ": who reads and writes what\n";
    if (!report.findings.empty()) {
        const std::string& message = report.findings.front().message;
        text += message.substr(0, message.find('\n')) + "\n";
    }
    for (std::size_t step = 0; step < grid.steps; ++step) {
        if (grid.steps > 1) {
            text += "step " + std::to_string(step + 1);
            if (step > 0 && grid.barrier_lines[step - 1] > 0)
                text +=
                    ", after the barrier in line " + std::to_string(grid.barrier_lines[step - 1]);
            text += "\n";
        }
        for (const std::size_t thread : grid.threads) {
            std::string did;
            for (const AccessKind kind :
                 {AccessKind::read, AccessKind::write, AccessKind::atomic}) {
                std::string what;
                for (const ArrayRow& row : grid.rows) {
                    std::vector<std::ptrdiff_t> elements;
                    for (const auto& [element, box] : row.steps[step])
                        for (const BoxAccess& access : box.accesses)
                            if (access.thread == thread && access.kind == kind)
                                elements.push_back(element);
                    if (!elements.empty())
                        what +=
                            (what.empty() ? "" : ", ") + elements_text(row.array.name, elements);
                }
                if (!what.empty())
                    did += (did.empty() ? " " : ", ") + std::string(verb(kind)) + " " + what;
            }
            if (!did.empty()) text += "  thread " + std::to_string(thread) + did + "\n";
        }
    }
    std::set<std::string> wrong;
    for (const ArrayRow& row : grid.rows)
        for (const auto& step : row.steps)
            for (const auto& [element, box] : step) {
                const std::string name =
                    elements_text(row.array.name, {element}) +
                    (row.array.shared ? " of block " + std::to_string(row.block) : "");
                if (row.is_outside(element)) wrong.insert("outside: " + name);
                if (box.races) wrong.insert("race: " + name);
            }
    for (const std::string& line : wrong) text += line + "\n";
    if (!report.has_all_accesses())
        text += "only the first " + std::to_string(LaunchReport::recorded_accesses) +
                " accesses were recorded\n";
    text.pop_back();
    return text;
}

}  // namespace lanes::notebook
