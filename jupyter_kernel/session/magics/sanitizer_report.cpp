#include "sanitizer_report.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

namespace xcpp_session {
namespace {

// "#0 work() /tmp/In[4]:6:46 (…)", "#0 0xaaaae05b3940 in f /tmp/In[4]:4:44". Only brackets may
// follow: "invoke<(lambda at /tmp/In[4]:6:15)> /usr/…" is a function of a library.
const std::regex frame(
    R"(\s*#\d+ (?:0x[0-9a-f]+ in )?(.*) \S*(In\[\d+\]):(\d+)(?::\d+)?(?: \([^()]*\))*)");
const std::regex folder_of_cell(R"([^\s(]*/(?=In\[))");
const std::regex any_frame(R"(\s*#\d+ .*)");
const std::regex summary(R"(SUMMARY: (\w+Sanitizer): (.*))");
const std::regex place_of_summary(R"((.*) \S*(In\[\d+\]):(\d+).*)");
// What differs from run to run.
const std::regex numbers(
    R"( \([^()]*\+0x[0-9a-f]+\)|( (on|at) address| at)? 0x[0-9a-f]+( at pc.*)?)"
    R"(| \((pid|tid)=\d+[^)]*\)|^==\d+==)");

struct Paragraph {
    std::vector<std::string> lines;
    std::string place;  // of its first frame in a cell: "In[4], line 6"
    bool needs_frames = false, has_frames = false;
};

void add(Paragraph& paragraph, const std::string& line) {
    if (std::smatch found; std::regex_match(line, found, frame)) {
        if (paragraph.place.empty()) paragraph.place = found[2].str() + ", line " + found[3].str();
        const std::string text = "    \x1b[1m" + found[2].str() + "\x1b[0m, line " +
                                 found[3].str() + ": " +
                                 std::regex_replace(found[1].str(), folder_of_cell, "");
        if (paragraph.lines.empty() || paragraph.lines.back() != text)
            paragraph.lines.push_back(text);
        paragraph.has_frames = true;
    } else if (std::regex_match(line, any_frame)) {
        paragraph.needs_frames = true;
    } else {
        paragraph.lines.push_back(std::regex_replace(line, numbers, ""));
    }
}

// place: the first one of the report, for a fault that the sanitizer finds in its own functions:
// "double-free (program+0xd47d4) (BuildId: 1a) in free".
std::string described(const std::string& text, const std::string& place) {
    std::smatch found;
    if (std::regex_match(text, found, place_of_summary))
        return found[1].str() + ", " + found[2].str() + ", line " + found[3].str();
    const std::string what = text.substr(0, text.find(" ("));
    return place.empty() ? what : what + ", " + place;
}

}  // namespace

MagicOutcome describe_report(const std::string& report) {
    MagicOutcome outcome;
    std::istringstream stream(report);
    Paragraph paragraph;
    std::size_t further = 0;
    std::string place;
    // A stack without a line of a cell says nothing to the reader.
    const auto end_paragraph = [&] {
        if (place.empty()) place = paragraph.place;
        if (!paragraph.needs_frames || paragraph.has_frames)
            outcome.traceback.insert(outcome.traceback.end(), paragraph.lines.begin(),
                                     paragraph.lines.end());
        paragraph = {};
    };
    for (std::string line; std::getline(stream, line);) {
        if (std::smatch found; std::regex_match(line, found, summary)) {
            end_paragraph();
            if (!outcome.ok) {
                ++further;
                continue;
            }
            outcome.ok = false;
            outcome.ename = found[1];
            outcome.evalue = described(found[2], place);
        } else if (line.empty()) {
            end_paragraph();
        } else if (outcome.ok && line.rfind("====", 0) != 0) {  // the first report, to its summary
            add(paragraph, line);
        }
    }
    if (outcome.ok) return {};
    if (further > 0) outcome.evalue += "; " + std::to_string(further) + " more";
    outcome.traceback.insert(outcome.traceback.begin(),
                             "\x1b[1m" + outcome.ename + "\x1b[0m: " + outcome.evalue);
    return outcome;
}

}  // namespace xcpp_session
