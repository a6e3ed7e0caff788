#include "history_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <tuple>

namespace xcpp_front {
namespace {

using nlohmann::json;

constexpr off_t most_bytes = 4'000'000;  // above it, the older half is given up

std::vector<HistoryEntry> read_entries(const std::string& path) {
    std::vector<HistoryEntry> entries;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const json entry = json::parse(line, nullptr, false);
        // A line that was cut when the machine stopped is left out.
        if (entry.is_object() && entry.contains("cell"))
            entries.push_back(
                {entry.value("session", 0), entry.value("number", 0), entry.value("cell", "")});
    }
    return entries;
}

std::string line_of(const HistoryEntry& entry) {
    const json line = {{"session", entry.session}, {"number", entry.number}, {"cell", entry.cell}};
    return line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

void HistoryFile::append(HistoryEntry entry) {
    if (path_.empty()) return;
    std::error_code failed;
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), failed);
    const int file = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    ::flock(file, LOCK_EX);  // until it is closed
    std::string text;
    if (session_ == 0) {
        std::vector<HistoryEntry> entries = read_entries(path_);
        for (const HistoryEntry& other : entries) session_ = std::max(session_, other.session);
        ++session_;
        if (::lseek(file, 0, SEEK_END) > most_bytes && ::ftruncate(file, 0) == 0)
            for (std::size_t i = entries.size() / 2; i < entries.size(); ++i)
                text += line_of(entries[i]);
    }
    entry.session = session_;
    text += line_of(entry);
    (void)!::write(file, text.data(), text.size());
    ::close(file);
}

std::vector<HistoryEntry> HistoryFile::read_others() const {
    std::vector<HistoryEntry> entries =
        path_.empty() ? std::vector<HistoryEntry>() : read_entries(path_);
    entries.erase(std::remove_if(entries.begin(), entries.end(),
                                 [&](const auto& entry) { return entry.session == session_; }),
                  entries.end());
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return std::tie(a.session, a.number) < std::tie(b.session, b.number);
    });
    return entries;
}

}  // namespace xcpp_front
