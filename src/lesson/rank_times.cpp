#include "lanes/lesson/rank_times.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/table.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace lanes::ranks {

namespace {

struct Trained {
    std::string name;
    double parameters;
    double flop;  // per picture, forward and backward
};

const std::vector<Trained> networks{{"ResNet-18", 11.7e6, 10.9e9},
                                    {"fully connected", 100e6, 6 * 100e6}};
constexpr double pictures_per_gpu = 32;
constexpr double gpu_flops = 20e12;

double computing_of(const Trained& network) { return pictures_per_gpu * network.flop / gpu_flops; }

std::string ms(double seconds) { return with_unit(1e3 * seconds, "ms"); }

SimulatedRun sum_of(int ranks, std::size_t count, const SumOverRanks& sum) {
    return simulate_ranks(ranks, [&](const Communicator& comm) {
        std::vector<float> values(count, 1);
        sum(comm, values);
        LANES_REQUIRE(values[0] == static_cast<float>(ranks), "the sum of ", ranks, " ones is not ",
                      values[0], ". Run the check of this answer.");
    });
}

// The fastest of five; the slowest rank counts.
double seconds_of(const Communicator& comm, std::size_t bytes, const SumOverRanks& sum) {
    std::vector<float> values(bytes / sizeof(float), 0);
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
        comm.barrier();
        const Timer timer;
        sum(comm, values);
        best = std::min(best, comm.all_reduce(timer.seconds(), Reduce::max));
    }
    return best;
}

// n / k bytes on a network with bandwidth / k take as long as n bytes: the arrays of 1,024 ranks
// fit into memory. Up to 64 ranks run `sum`, message by message. 1,024 ranks call all_reduce: it
// sends no messages here, and its time is computed by a formula.
double simulated(double parameters, int ranks, const SumOverRanks& sum) {
    constexpr std::size_t count = 6400;
    const double k = parameters / count;
    const auto program = [&](const Communicator& comm) {
        std::vector<float> values(count);
        if (ranks <= 64)
            sum(comm, values);
        else
            comm.all_reduce(values);
    };
    return simulate_ranks(ranks, program, {cluster().latency, cluster().bandwidth / k}).seconds;
}

std::vector<double> powers_of_two(double last) {
    std::vector<double> powers;
    for (double power = 1; power <= last; power *= 2) powers.push_back(power);
    return powers;
}

}  // namespace

SimulatedNetwork cluster() { return {2e-6, 25e9}; }

void show_rounds(const std::vector<std::pair<std::string, PassAround>>& ways) {
    std::vector<std::string> columns{"ranks"};
    for (const auto& [name, pass] : ways) columns.push_back(name);
    Table table(columns, "messages one after the other");
    for (const int p : {2, 3, 8, 64}) {
        std::vector<std::string> row{std::to_string(p)};
        for (const auto& way : ways) {
            const auto program = [&](const Communicator& comm) { way.second(comm, {1, 2, 3}); };
            row.push_back(compact(simulate_ranks(p, program, {1, 1e30}).seconds));
        }
        table.row(row);
    }
    table.show();
}

double show_sums(const std::vector<std::pair<std::string, SumOverRanks>>& ways) {
    std::vector<std::string> columns{"ranks"};
    for (const auto& [name, sum] : ways) {
        columns.push_back(name + ": bytes");
        columns.emplace_back("time, ms");
    }
    Table table(columns, "bytes of the rank that sends most, in arrays; simulated time");
    constexpr std::size_t count = 64000;
    double sent_by_8 = 0;
    for (const int p : {2, 4, 8, 16}) {
        std::vector<std::string> row{std::to_string(p)};
        for (const auto& [name, sum] : ways) {
            const SimulatedRun run = sum_of(p, count, sum);
            const double sent =
                static_cast<double>(run.most_bytes_sent()) / (sizeof(float) * count);
            if (p == 8) sent_by_8 = sent;
            row.push_back(compact(sent));
            row.push_back(compact(1e3 * run.seconds));
        }
        table.row(row);
    }
    table.show();
    return sent_by_8;
}

double show_models(const SumSeconds& ring, const SumSeconds& tree) {
    constexpr int p = 64;
    const SimulatedNetwork network = cluster();
    const auto seconds = [&](const SumSeconds& model, double bytes) {
        return model(p, bytes, network.latency, network.bandwidth);
    };
    std::vector<double> sizes, by_ring, by_tree;
    for (double exponent = 3; exponent <= 9; exponent += 0.25) {
        sizes.push_back(std::pow(10, exponent));
        by_ring.push_back(1e3 * seconds(ring, sizes.back()));
        by_tree.push_back(1e3 * seconds(tree, sizes.back()));
    }
    Plot plot("All-reduce on 64 ranks of a cluster, by the formulas");
    plot.x("bytes").y("time in ms").log_x().log_y().size(560, 340);
    plot.line("ring", sizes, by_ring).line("tree", sizes, by_tree).show();
    double low = 1, high = 1e12;  // the ring is slower, and not slower
    if (seconds(ring, low) <= seconds(tree, low) || seconds(ring, high) > seconds(tree, high)) {
        std::cout << "One of them is faster for all sizes: is a formula wrong?\n";
        return 0;
    }
    while (high > 1.001 * low) {
        const double middle = std::sqrt(low * high);
        (seconds(ring, middle) > seconds(tree, middle) ? low : high) = middle;
    }
    const double digit = std::pow(10, std::floor(std::log10(high)) - 1);
    const double from = std::round(high / digit) * digit;
    std::cout << "On 64 ranks the ring is faster from about " << compact(from) << " bytes on.\n";
    return from;
}

double show_sum_times(const Communicator& comm, const PingPong& ping_pong,
                      const SumSeconds& formula, const SumOverRanks& sum,
                      const std::vector<std::size_t>& bytes) {
    const SimulatedNetwork network = measure_network(comm, ping_pong);
    Table table({"bytes", "predicted", "your ring", "MPI's all-reduce"});
    const auto by_mpi = [](const Communicator& all, std::vector<float>& values) {
        all.all_reduce(values);
    };
    double ratio = 1;
    for (const std::size_t size : bytes) {
        const double predicted =
            formula(comm.size(), static_cast<double>(size), network.latency, network.bandwidth);
        const double measured = seconds_of(comm, size, sum);
        const double of_mpi = seconds_of(comm, size, by_mpi);
        table.row(size, ms(predicted), ms(measured), ms(of_mpi));
        ratio = measured / of_mpi;
    }
    if (comm.rank() > 0) return ratio;
    std::cout << "latency " << with_unit(1e6 * network.latency, "us") << ", bandwidth "
              << with_unit(1e-9 * network.bandwidth, "GB/s") << "\n";
    table.show();
    return ratio;
}

void show_cluster(const SumSeconds& formula, const SumOverRanks& sum) {
    Table table({"parameters", "ranks", "formula, ms", "simulated, ms"});
    for (const Trained& network : networks)
        for (const int p : {8, 64, 1024}) {
            const double seconds = formula(p, sizeof(float) * network.parameters, cluster().latency,
                                           cluster().bandwidth);
            table.row(network.parameters, p, 1e3 * seconds,
                      1e3 * simulated(network.parameters, p, sum));
        }
    table.show();
}

double show_gains(const SimulatedNetwork& network, const SpeedUp& speed_up) {
    Table table({"network", "GPUs", "speed-up", "efficiency"});
    double gain = 1;
    for (const Trained& trained : networks)
        for (const int p : {8, 64, 1024}) {
            gain = speed_up(p, computing_of(trained), sizeof(float) * trained.parameters,
                            network.latency, network.bandwidth);
            table.row(trained.name, p, with_unit(gain, "x"), with_unit(100 * gain / p, "%"));
        }
    table.show();
    return gain;
}

void draw_gains(const SimulatedNetwork& network, const SpeedUp& speed_up) {
    Plot plot("Data-parallel training, 32 pictures per GPU");
    plot.x("GPUs").y("speed-up").log_x().log_y().size(560, 340);
    const std::vector<double> gpus = powers_of_two(1024);
    for (const Trained& trained : networks) {
        std::vector<double> gains;
        gains.reserve(gpus.size());
        for (const double p : gpus)
            gains.push_back(speed_up(static_cast<int>(p), computing_of(trained),
                                     sizeof(float) * trained.parameters, network.latency,
                                     network.bandwidth));
        plot.line(trained.name, gpus, gains);
    }
    plot.line("ideal", gpus, gpus);
    plot.show();
}

void draw_laws(const Law& amdahl, const Law& gustafson) {
    Plot plot("The same serial share, two questions");
    plot.x("ranks").y("speed-up").log_x().log_y().size(560, 340);
    const std::vector<double> ranks = powers_of_two(1024);
    for (const double serial : {0.01, 0.1}) {
        std::vector<double> fixed_work, fixed_time;
        for (const double p : ranks) {
            fixed_work.push_back(amdahl(serial, static_cast<int>(p)));
            fixed_time.push_back(gustafson(serial, static_cast<int>(p)));
        }
        const std::string share = ", serial share " + compact(serial);
        plot.line("Amdahl" + share, ranks, fixed_work);
        plot.line("Gustafson" + share, ranks, fixed_time);
    }
    plot.show();
}

}  // namespace lanes::ranks
