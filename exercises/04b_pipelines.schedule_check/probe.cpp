void lanes_probe(lanes::grading::Probe& probe) {
    for (std::size_t epoch = 1; epoch <= 15; ++epoch) {
        const lanes::AugmentationBounds bounds = schedule(epoch);
        for (const double one : {bounds.degrees, bounds.cells, bounds.noise, bounds.tilt})
            probe.put(one);
        probe.put(bounds.subpixel ? 1.0 : 0.0);
    }
}
