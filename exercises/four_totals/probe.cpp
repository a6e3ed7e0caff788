void lanes_probe(lanes::grading::Probe& probe) {
    for (int n : {0, 1, 3, 4, 5, 1002, static_cast<int>(probe.integer(20, 90))}) {
        std::vector<float> numbers(static_cast<std::size_t>(n));
        for (float& number : numbers) number = static_cast<float>(probe.integer(1, 999));
        numbers.insert(numbers.end(), 8, 1e12f);  // seen by a loop that goes past the end
        numbers.resize(static_cast<std::size_t>(n));
        probe.put(four_totals(numbers));
        if (n < 20) continue;
        // Beside 2^60 all small numbers of the same total are lost.
        numbers[4] = 0x1p60f;
        numbers[static_cast<std::size_t>(4 * ((n - 5) / 4))] = -0x1p60f;
        probe.put(four_totals(numbers));
    }
    // A float would round this sum.
    std::vector<float> many(2'000'000);
    for (float& number : many) number = static_cast<float>(probe.integer(100'000, 900'000));
    const double total = four_totals(many);
    probe.put(static_cast<long>(total / 1e6));
    probe.put(total - 1e6 * std::floor(total / 1e6));
}
