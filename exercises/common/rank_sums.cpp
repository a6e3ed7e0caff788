#include "rank_sums.hpp"

#include "lanes/base/error.hpp"

namespace lanes::exercises {

std::string words(const SumCase& one) {
    return std::to_string(one.ranks) + (one.ranks == 1 ? " rank, " : " ranks, ") +
           std::to_string(one.count) + (one.count == 1 ? " value" : " values");
}

std::vector<std::vector<float>> values_of_ranks(const SumCase& one) {
    std::vector<std::vector<float>> values;
    for (int rank = 0; rank < one.ranks; ++rank) {
        values.emplace_back(one.count);
        for (std::size_t i = 0; i < one.count; ++i)
            values.back()[i] =
                static_cast<float>((rank + 1) * 100 + static_cast<int>(i * 7 % 41) + 1);
    }
    return values;
}

std::vector<float> sum_of_ranks(const SumCase& one) {
    std::vector<float> sum(one.count, 0);
    for (const std::vector<float>& values : values_of_ranks(one))
        for (std::size_t i = 0; i < one.count; ++i) sum[i] += values[i];
    return sum;
}

notebook::Values as_values(const std::vector<float>& values) {
    return {{values.size()}, {values.begin(), values.end()}};
}

void require_count(notebook::Judge& judge, const std::vector<std::vector<float>>& got,
                   const SumCase& one) {
    for (std::size_t rank = 0; rank < got.size(); ++rank)
        judge.same_count(got[rank].size(), one.count, "values on rank " + std::to_string(rank),
                         "The number of values must not change.");
}

SimulatedRun play_ranks(notebook::Judge& judge, int ranks, const std::string& stuck,
                        const std::function<void(const Communicator&)>& program,
                        const SimulatedNetwork& network) {
    return judge.call([&] {
        try {
            return simulate_ranks(ranks, program, network);
        } catch (const Error& error) {
            const std::string what = error.what();
            if (what.find("wait forever") == std::string::npos) throw;
            judge.fail(what, stuck);
        }
    });
}

}  // namespace lanes::exercises
