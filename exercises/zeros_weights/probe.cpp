void lanes_probe(lanes::grading::Probe& probe) {
    lanes::Sizes sizes;
    for (int i = 0; i < 6; ++i) sizes.push_back(probe.integer(2, 40));
    {  // memory that the answer gets holds other values, not by chance zeros
        std::vector<lanes::Matrix> used;
        for (std::size_t i = 0; i < 40; ++i)
            used.push_back(lanes::Matrix::from_shape({sizes[i % 5], sizes[i % 5 + 1]}));
        for (auto& array : used) std::fill(array.begin(), array.end(), 7.0f);
    }
    for (const auto& array : zeros_weights(sizes)) probe.put(array);
}
