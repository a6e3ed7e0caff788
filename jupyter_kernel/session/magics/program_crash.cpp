#include "program_crash.hpp"

#include "session/base/cell_names.hpp"
#include "session/base/signal_text.hpp"
#include "session/clang/diagnostics/diagnostics_picture.hpp"
#include "session/clang/diagnostics/program_lines.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <vector>

namespace xcpp_session {
namespace {

// A file that a crashed process has left.
struct Record {
    std::string rank;  // empty: the program was started once
    int signal = 0;
    std::uint64_t fault_address = 0;
    std::string exception;              // type and words, if one was not caught
    std::vector<std::uint64_t> frames;  // where the fault is, then return addresses
};

Record read_record(const std::filesystem::path& file) {
    Record record;
    std::ifstream stream(file);
    std::getline(stream, record.rank);
    stream >> record.signal >> record.fault_address >> std::ws;
    // An empty line for no exception would be skipped with the space before it.
    std::string rest;
    std::vector<std::string> lines;
    while (std::getline(stream, rest)) lines.push_back(rest);
    if (lines.size() > 1) record.exception = lines[0];
    if (lines.empty()) return record;
    std::istringstream addresses(lines.back());
    for (std::uint64_t address = 0; addresses >> std::hex >> address;)
        record.frames.push_back(address);
    if (record.frames.empty()) return record;  // cut off, by a full disk
    // The handler's own frames come first, then that of the fault once more.
    const auto again = std::find(record.frames.begin() + 1, record.frames.end(), record.frames[0]);
    if (again != record.frames.end()) record.frames.erase(record.frames.begin() + 1, again + 1);
    return record;
}

std::string ranks_text(std::vector<std::string> ranks) {
    std::sort(ranks.begin(), ranks.end(), [](const std::string& a, const std::string& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    if (ranks.front().empty()) return {};
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < ranks.size(); ++i)
        text += (i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ") + ranks[i];
    return text + ": ";
}

}  // namespace

MagicOutcome describe_crashes(const std::string& folder, const std::string& program,
                              const std::map<int, std::string>& sources) {
    std::map<std::string, std::vector<std::string>> ranks;  // by what happened to them
    std::map<std::string, std::vector<CellLine>> stacks;
    std::error_code failed;
    for (std::filesystem::directory_iterator file(folder, failed), end; !failed && file != end;
         file.increment(failed)) {
        if (file->path().filename().string().rfind("crash.", 0) != 0) continue;
        const Record record = read_record(file->path());
        const std::vector<CellLine> places = lines_of_cells(program, record.frames);
        std::string what = record.exception.empty()
                               ? signal_text(record.signal, record.fault_address)
                               : record.exception;
        if (!places.empty())
            what +=
                ", " + cell_file_name(places[0].cell) + ", line " + std::to_string(places[0].line);
        ranks[what].push_back(record.rank);
        stacks.emplace(what, places);
    }
    if (ranks.empty()) return {};
    MagicOutcome outcome{false, "", "Crash", ""};
    for (const auto& [what, of] : ranks) {
        const std::string text = ranks_text(of) + what;
        outcome.evalue += (outcome.evalue.empty() ? "" : "; ") + text;
        outcome.traceback.push_back("\x1b[1mCrash\x1b[0m: " + text);
        for (const CellLine& place : stacks[what]) {
            const auto source = sources.find(place.cell);
            outcome.traceback.push_back(
                "  \x1b[1m" + cell_file_name(place.cell) + "\x1b[0m, line " +
                std::to_string(place.line) + ": " +
                (source == sources.end() ? "" : line_of(source->second, place.line)));
        }
    }
    return outcome;
}

MagicOutcome describe_killed_rank(const std::string& last_words) {
    // Open MPI: "mpirun noticed that process rank 1 with PID 42 on node host exited on signal 9
    // (Killed)." SLURM: "srun: error: host: task 1: Killed". The first one is the cause: the
    // others are ended because of it.
    static const std::regex open_mpi(
        R"(process rank (\d+) with PID \d+ on node \S+\s+exited on\s+signal (\d+))");
    static const std::regex slurm(R"(srun: error: \S+: tasks? ([-,\d]+): ([A-Z][a-z ]+[a-z]))");
    std::smatch found;
    int number = 0;
    if (std::regex_search(last_words, found, open_mpi))
        number = std::stoi(found[2]);
    else if (std::regex_search(last_words, found, slurm))
        for (int i = 1; i < SIGRTMIN; ++i)
            if (found[2] == strsignal(i)) number = i;
    if (number == 0) return {};
    const std::string ranks = found[1];  // "1", "0-2" or "0,3"
    const bool is_one = ranks.find_first_of("-,") == std::string::npos;
    return {false, "", "Crash", (is_one ? "rank " : "ranks ") + ranks + ": " + signal_text(number)};
}

MagicOutcome describe_missing_slots(const std::string& last_words) {
    // "There are not enough slots available in the system to satisfy the 4 slots that were
    // requested by the application", on two lines.
    static const std::regex open_mpi(R"(not enough slots available[^.]*?satisfy\s+the\s+(\d+)\s)");
    std::smatch found;
    if (!std::regex_search(last_words, found, open_mpi)) return {};
    const std::string ranks = found[1];
    return {false, "", "ProgramError",
            "Open MPI was asked for " + ranks +
                " ranks, more than this job has. Submit the job with --ntasks=" + ranks +
                ", or start fewer ranks."};
}

}  // namespace xcpp_session
