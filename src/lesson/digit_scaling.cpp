#include "lanes/base/error.hpp"
#include "lanes/distributed/scaling.hpp"
#include "lanes/lesson/digit_training.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/table.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace lanes::digits {

namespace {

// The times of one work on 1, 2, … ranks. `grows`: the batch grows with the ranks (weak scaling).
struct Measured {
    std::string work;
    bool grows = false;
    std::vector<double> ranks;
    std::vector<double> seconds;

    // How much more is done per second than on one rank.
    double speed_up(std::size_t i) const {
        return (grows ? ranks[i] : 1) * seconds.front() / seconds[i];
    }
    double law(double serial, double p) const {  // Gustafson's or Amdahl's
        return grows ? serial + (1 - serial) * p : 1 / (serial + (1 - serial) / p);
    }
    // Least squares. Linear in the serial share are Gustafson's speed-up and 1 / Amdahl's.
    double serial() const {
        double products = 0, squares = 0;
        for (std::size_t i = 1; i < ranks.size(); ++i) {
            const double p = ranks[i];
            const double slope = grows ? p - 1 : 1 - 1 / p;
            const double lost = grows ? p - speed_up(i) : 1 / speed_up(i) - 1 / p;
            products += slope * lost;
            squares += slope * slope;
        }
        return products / squares;
    }
};

constexpr const char* per_rank = " per rank";

std::vector<Measured> read(const std::string& path) {
    std::ifstream file(path);
    LANES_REQUIRE(file, "draw_scaling: ", path, " cannot be opened. Check who may read it.");
    std::vector<Measured> all;
    std::string line;
    std::getline(file, line);  // the names of the columns
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::string work;
        double ranks = 0, seconds = 0;
        char comma = 0;
        std::getline(fields, work, ',');
        fields >> ranks >> comma >> seconds;
        LANES_REQUIRE(fields && ranks >= 1 && seconds > 0, "draw_scaling: the line '", line,
                      "' of ", path, " is no measurement. Run the cell with %%run again.");
        if (all.empty() || all.back().work != work)
            all.push_back({work, work.find(per_rank) != std::string::npos, {}, {}});
        all.back().ranks.push_back(ranks);
        all.back().seconds.push_back(seconds);
    }
    const auto is_short = [](const Measured& one) { return one.ranks.size() < 2; };
    LANES_REQUIRE(!all.empty() && std::none_of(all.begin(), all.end(), is_short),
                  "draw_scaling: ", path,
                  " has times of one rank only. Measure on two ranks or more: mpirun -n 2.");
    return all;
}

void draw(const std::vector<Measured>& all) {
    // The lines go on to four times the ranks.
    double last = 1;
    for (const Measured& one : all) last = std::max(last, 4 * one.ranks.back());
    std::vector<double> ranks;
    for (int i = 0; i <= 40; ++i) ranks.push_back(1 + (last - 1) * i / 40);
    Plot plot("Measured speed-ups, and the laws that fit them");
    plot.x("ranks").y("speed-up").size(640, 380).line("ideal", ranks, ranks);
    for (const Measured& one : all) {
        std::vector<double> measured, by_law;
        for (std::size_t i = 0; i < one.ranks.size(); ++i) measured.push_back(one.speed_up(i));
        // Below 0, and with a negative share, the laws have no meaning.
        const double serial = std::max(one.serial(), 0.0);
        for (const double p : ranks) by_law.push_back(std::max(one.law(serial, p), 0.0));
        plot.points("measured, " + one.work, one.ranks, measured);
        plot.line((one.grows ? "Gustafson, " : "Amdahl, ") + one.work, ranks, by_law);
    }
    plot.show();
}

// One line for every machine: the outputs of two machines are compared.
void print_finding(const std::vector<FittedLaw>& laws) {
    const auto [least, most] = std::minmax_element(
        laws.begin(), laws.end(),
        [](const auto& one, const auto& other) { return one.efficiency < other.efficiency; });
    std::cout << "On this machine: the efficiency is highest with a " << most->work
              << ", lowest with a " << least->work << '.';
    const auto any = [&](const auto& is) { return std::any_of(laws.begin(), laws.end(), is); };
    if (any([](const FittedLaw& law) { return law.serial > 1; }))
        std::cout << " With a share above 100 %, all ranks do less per second than one: they lose "
                     "more by waiting than they gain.";
    if (any([](const FittedLaw& law) { return law.serial < 0; }))
        std::cout << " A share below 0 is more than ideal, as if one rank alone had been "
                     "disturbed, or had too little cache: no law describes it.";
    std::cout << '\n';
}

}  // namespace

void time_batches(const Communicator& comm, const Steps& steps, const std::string& path) {
    std::vector<Measured> all{{"global batch of 512", false, {}, {}},
                              {"global batch of 32", false, {}, {}},
                              {std::string("batch of 256") + per_rank, true, {}, {}}};
    const std::size_t batch_sizes[] = {512, 32, 256};
    Table table({"work", "ranks", "time", "speed-up", "efficiency"});
    std::ostringstream lines;
    lines.precision(9);
    for (std::size_t k = 0; k < all.size(); ++k) {
        Measured& one = all[k];
        const auto rows = measure_scaling(comm, [&](const Communicator& group) {
            const auto times = static_cast<std::size_t>(one.grows ? group.size() : 1);
            steps(group, batch_sizes[k] * times);
        });
        for (std::size_t i = 0; i < rows.size(); ++i) {
            one.ranks.push_back(rows[i].ranks);
            one.seconds.push_back(rows[i].seconds);
            lines << one.work << ',' << rows[i].ranks << ',' << rows[i].seconds << '\n';
            const double gain = one.speed_up(i);
            table.row(one.work, rows[i].ranks, with_unit(rows[i].seconds, "s"),
                      with_unit(gain, "x"), with_unit(100 * gain / one.ranks[i], "%"));
        }
    }
    if (comm.rank() > 0) return;
    if (std::getenv("LANES_RECORD")) table.recorded("10b_training_on_many_machines/ranks");
    table.show();
    std::ofstream file(path);
    file << "work,ranks,seconds\n" << lines.str();
    file.close();
    LANES_REQUIRE(file, "time_batches: ", path,
                  " cannot be written. Is there such a folder, and room on the disk?");
}

std::vector<FittedLaw> draw_scaling(const std::string& path) {
    if (!std::filesystem::exists(path)) {
        std::cout << "Nothing to draw: there is no file " << path
                  << ". Run the cell with %%run above; it needs MPI.\n";
        return {};
    }
    const std::vector<Measured> all = read(path);
    draw(all);
    std::vector<FittedLaw> laws;
    Table table({"work", "law", "serial share s", "efficiency on all ranks"});
    for (const Measured& one : all) {
        const double efficiency = one.speed_up(one.ranks.size() - 1) / one.ranks.back();
        laws.push_back({one.work, efficiency, one.serial()});
        table.row(one.work, one.grows ? "Gustafson" : "Amdahl", with_unit(100 * one.serial(), "%"),
                  with_unit(100 * efficiency, "%"));
    }
    table.show();
    print_finding(laws);
    return laws;
}

}  // namespace lanes::digits
