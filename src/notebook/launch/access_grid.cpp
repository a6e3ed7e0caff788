#include "access_grid.hpp"

#include "gpu/launch_record.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace lanes::notebook {

namespace {

void require_recorded(const LaunchReport& report) {
    const std::size_t threads = report.config.grid.count() * report.config.block.count();
    LANES_REQUIRE(threads <= LaunchReport::recorded_threads, "show_accesses: the launch has ",
                  threads, " threads; accesses are recorded of at most ",
                  LaunchReport::recorded_threads, ". Launch fewer, on fewer elements.");
    LANES_REQUIRE(report.record && !report.record->arrays.empty(),
                  "show_accesses: nothing was recorded of this launch. Launch it on "
                  "Device::simulator() with Checks::counters, and give it a Buffer.");
}

// A row that is only read comes first, one that is written comes last: data flows down.
int rank(const ArrayRow& row) {
    if (row.array.shared) return 1;
    for (const auto& step : row.steps)
        for (const auto& [element, box] : step)
            for (const BoxAccess& access : box.accesses)
                if (access.kind != AccessKind::read) return 2;
    return 0;
}

void add(Box& box, const BoxAccess& access) {
    const auto same = [&](const BoxAccess& other) {
        return other.thread == access.thread && other.kind == access.kind;
    };
    if (std::none_of(box.accesses.begin(), box.accesses.end(), same))
        box.accesses.push_back(access);
}

}  // namespace

std::string ArrayRow::title() const {
    return array.name + (array.shared ? " of block " + std::to_string(block) : "");
}

AccessGrid access_grid(const LaunchReport& report, const ArrayShapes& shapes) {
    require_recorded(report);
    const std::vector<AccessedArray> arrays = report.arrays();
    for (const auto& entry : shapes) {
        const std::string& name = entry.first;
        const auto& shape = entry.second;
        const auto array = std::find_if(arrays.begin(), arrays.end(),
                                        [&](const auto& one) { return one.name == name; });
        LANES_REQUIRE(array != arrays.end(), "show_accesses: the CUDA kernel has no array '", name,
                      "'. Give the name of a parameter or a __shared__ array.");
        LANES_REQUIRE(shape[0] * shape[1] == array->elements && shape[1] > 0,
                      "show_accesses: ", name, " has ", array->elements, " elements, and ",
                      shape[0], "x", shape[1], " are ", shape[0] * shape[1],
                      ". Give rows and columns that fit.");
    }
    AccessGrid grid;
    std::map<std::pair<std::size_t, std::size_t>, ArrayRow> rows;
    std::set<std::size_t> threads;
    for (const MemoryAccess& access : report.accesses()) {
        const AccessedArray& array = arrays[access.array];
        const std::size_t block = array.shared ? access.block : 0;
        ArrayRow& row = rows[{access.array, block}];
        row.array = array;
        row.block = block;
        if (const auto shape = shapes.find(array.name); shape != shapes.end())
            row.columns = shape->second[1];
        if (row.steps.size() <= access.step) row.steps.resize(access.step + 1);
        const std::size_t thread = access.block * report.config.block.count() + access.thread;
        threads.insert(thread);
        for (std::size_t i = 0; i < access.count; ++i) {
            Box& box = row.steps[access.step][access.first + static_cast<std::ptrdiff_t>(i)];
            add(box, {thread, access.kind, access.line});
            box.races = box.races || access.races;
        }
        grid.steps = std::max<std::size_t>(grid.steps, access.step + 1);
    }
    for (auto& [key, row] : rows) {
        row.steps.resize(grid.steps);
        grid.rows.push_back(std::move(row));
    }
    // Parameters keep their order. (std::stable_sort is not used: clang warns of libstdc++'s.)
    std::vector<ArrayRow> sorted;
    for (const int group : {0, 1, 2})
        for (ArrayRow& row : grid.rows)
            if (rank(row) == group) sorted.push_back(row);
    grid.rows = std::move(sorted);
    grid.threads.assign(threads.begin(), threads.end());
    grid.barrier_lines = report.record->barrier_lines();
    if (grid.steps > 0) grid.barrier_lines.resize(grid.steps - 1);
    return grid;
}

}  // namespace lanes::notebook
