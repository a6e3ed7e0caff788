void lanes_probe(lanes::grading::Probe& probe) {
    for (int n : {0, 1, 3, 1002, static_cast<int>(probe.integer(5, 90))}) {
        std::vector<float> numbers(static_cast<std::size_t>(n));
        for (float& number : numbers) number = static_cast<float>(probe.integer(1, 999));
        numbers.insert(numbers.end(), 8, 1e12f);  // seen by a loop that goes past the end
        numbers.resize(static_cast<std::size_t>(n));
        probe.put(sum_parallel(numbers));
    }
    // A float would round this sum, and two threads that share a total would lose additions.
    std::vector<float> many(2'000'000);
    for (float& number : many) number = static_cast<float>(probe.integer(100'000, 900'000));
    for (int call = 0; call < 5; ++call) {
        const double total = sum_parallel(many);
        probe.put(static_cast<long>(total / 1e6));
        probe.put(total - 1e6 * std::floor(total / 1e6));
    }
}
