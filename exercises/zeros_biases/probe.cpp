void lanes_probe(lanes::grading::Probe& probe) {
    lanes::Sizes sizes;
    for (int i = 0; i < 6; ++i) sizes.push_back(probe.integer(8, 40));
    {  // memory that the answer gets holds other values, not by chance zeros
        std::vector<lanes::Vector> used;
        for (std::size_t i = 0; i < 8 * sizes.size(); ++i)
            used.push_back(lanes::Vector::from_shape({sizes[i % sizes.size()]}));
        for (auto& array : used) std::fill(array.begin(), array.end(), 7.0f);
    }
    for (const auto& array : zeros_biases(sizes)) probe.put(array);
}
