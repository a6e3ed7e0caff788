#include "manifest.hpp"

#include "lanes/base/error.hpp"

#include <cstdlib>

namespace lanes::gpu::whole_program {

namespace {

[[noreturn]] void fail() {
    throw Error("run_cuda_program: the description of the program is damaged. Run it again.");
}

// Takes texts one after the other from a list.
class Texts {
public:
    explicit Texts(const std::string& bytes) : texts_(taken_apart(bytes)) {}
    const std::string& text() {
        if (next_ == texts_.size()) fail();
        return texts_[next_++];
    }
    std::size_t number() { return std::strtoull(text().c_str(), nullptr, 10); }
    std::vector<std::string> list() {
        std::vector<std::string> all(number());
        for (std::string& one : all) one = text();
        return all;
    }

private:
    std::vector<std::string> texts_;
    std::size_t next_ = 0;
};

void add_list(std::vector<std::string>& texts, const std::vector<std::string>& list) {
    texts.push_back(std::to_string(list.size()));
    texts.insert(texts.end(), list.begin(), list.end());
}

}  // namespace

std::string joined(const std::vector<std::string>& texts) {
    std::string bytes;
    for (const std::string& text : texts) bytes += std::to_string(text.size()) + ":" + text;
    return bytes;
}

std::vector<std::string> taken_apart(const std::string& bytes) {
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t colon = bytes.find(':', at);
        if (colon == std::string::npos) fail();
        const std::size_t length = std::strtoull(bytes.c_str() + at, nullptr, 10);
        if (length > bytes.size() - colon - 1) fail();
        texts.push_back(bytes.substr(colon + 1, length));
        at = colon + 1 + length;
    }
    return texts;
}

std::string to_bytes(const ProgramReport& report) {
    return joined({std::to_string(report.launches), std::to_string(report.loads),
                   std::to_string(report.stores), report.findings});
}

ProgramReport report_of(const std::string& bytes) {
    Texts texts(bytes);
    ProgramReport report;
    report.launches = texts.number();
    report.loads = texts.number();
    report.stores = texts.number();
    report.findings = texts.text();
    return report;
}

std::string to_bytes(const Manifest& manifest) {
    std::vector<std::string> texts{manifest.fast ? "1" : "0", manifest.runtime_folder,
                                   manifest.report};
    add_list(texts, manifest.ignored);
    texts.push_back(std::to_string(manifest.texts.size()));
    for (const SourceText& source : manifest.texts) {
        texts.push_back(source.name);
        texts.push_back(source.text);
    }
    texts.push_back(std::to_string(manifest.units.size()));
    for (const DeviceUnit& unit : manifest.units) {
        texts.push_back(unit.name);
        texts.push_back(unit.host_file);
        texts.push_back(unit.text);
        texts.push_back(std::to_string(unit.lines.size()));
        for (const SourcePlace& place : unit.lines) {
            texts.push_back(place.file);
            texts.push_back(std::to_string(place.line));
        }
        add_list(texts, unit.flags);
        texts.push_back(std::to_string(unit.launchables.size()));
        for (const Launchable& launchable : unit.launchables) {
            texts.push_back(launchable.symbol);
            texts.push_back(launchable.expression);
        }
    }
    return joined(texts);
}

Manifest manifest_of(const std::string& bytes) {
    Texts texts(bytes);
    Manifest manifest;
    manifest.fast = texts.number() != 0;
    manifest.runtime_folder = texts.text();
    manifest.report = texts.text();
    manifest.ignored = texts.list();
    manifest.texts.resize(texts.number());
    for (SourceText& source : manifest.texts) {
        source.name = texts.text();
        source.text = texts.text();
    }
    manifest.units.resize(texts.number());
    for (DeviceUnit& unit : manifest.units) {
        unit.name = texts.text();
        unit.host_file = texts.text();
        unit.text = texts.text();
        unit.lines.resize(texts.number());
        for (SourcePlace& place : unit.lines) {
            place.file = texts.text();
            place.line = static_cast<int>(texts.number());
        }
        unit.flags = texts.list();
        unit.launchables.resize(texts.number());
        for (Launchable& launchable : unit.launchables) {
            launchable.symbol = texts.text();
            launchable.expression = texts.text();
        }
    }
    return manifest;
}

}  // namespace lanes::gpu::whole_program
