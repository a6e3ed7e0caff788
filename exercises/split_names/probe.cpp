void lanes_probe(lanes::grading::Probe& probe) {
    std::vector<std::string> names;
    const int count = probe.integer(3, 50);
    for (int i = 0; i < count; ++i) {
        std::string name;
        for (int letter = 0; letter < 12; ++letter)
            name += static_cast<char>('a' + probe.integer(0, 25));
        names.push_back(name);
    }
    const lanes::plates::NameSplit split = split_names(names, probe.integer(2, 9));
    std::string lines = "train\n";
    for (const std::string& name : split.train) lines += name + "\n";
    lines += "val\n";
    for (const std::string& name : split.val) lines += name + "\n";
    probe.put(lines);
}
