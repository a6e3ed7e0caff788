#include "notebook/display/recording.hpp"

#include "base/checkout.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/notebook/table.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace lanes {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct Name {
    std::string lesson;
    std::string table;
};

Name split(const std::string& name) {
    const std::size_t slash = name.find('/');
    return {name.substr(0, slash), name.substr(slash + 1)};
}

// The file with the recorded tables of a lesson; an empty path if there is none.
fs::path recordings_of(const std::string& lesson) {
    for (const fs::path& data : data_candidates()) {
        std::error_code failed;
        const fs::path path = data / "recorded" / (lesson + ".json");
        if (fs::is_regular_file(path, failed)) return path;
    }
    return {};
}

// The recorded tables of a lesson by name; empty if there is no such file.
Json read(const fs::path& path) {
    std::ifstream file(path);
    if (!file) return Json::object();
    Json tables = Json::parse(file, nullptr, false);
    LANES_REQUIRE(tables.is_object(), "recorded table: ", path.filename().string(),
                  " is damaged: it is not a JSON object. Restore it from the repository.");
    return tables;
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
    return text;
}

}  // namespace

namespace notebook {

void require_recording_name(const std::string& operation, const std::string& name) {
    const std::size_t slash = name.find('/');
    LANES_REQUIRE(slash != std::string::npos && slash > 0 && slash + 1 < name.size() &&
                      name.find('/', slash + 1) == std::string::npos,
                  operation, ": '", name,
                  "'. Give lesson and table, as in 02_elementwise_max/versions.");
}

void record(const std::string& folder, const std::string& name,
            const std::vector<std::string>& columns,
            const std::vector<std::vector<std::string>>& rows) {
    const auto [lesson, table] = split(name);
    const fs::path path = fs::path(folder) / (lesson + ".json");
    Json tables = read(path);
    const Device device = Device::best();
    const char* driver = std::getenv("LANES_RECORD_DRIVER");  // tools/record asks nvidia-smi
    tables[table] = {
        {"machine", device.name()}, {"cpu", cpu_line()},  {"driver", driver ? driver : "unknown"},
        {"date", today()},          {"columns", columns}, {"rows", rows}};
    fs::create_directories(folder);
    std::ofstream file(path);
    file << tables.dump(1) << '\n';
    file.close();
    LANES_REQUIRE(file, "recorded table: ", path.string(), " cannot be written. Is the disk full?");
}

}  // namespace notebook

bool has_recording(const std::string& name) {
    notebook::require_recording_name("has_recording", name);
    const auto [lesson, table] = split(name);
    return read(recordings_of(lesson)).contains(table);
}

Table recorded_table(const std::string& name) {
    notebook::require_recording_name("recorded_table", name);
    const auto [lesson, table] = split(name);
    const Json tables = read(recordings_of(lesson));
    LANES_REQUIRE(tables.contains(table), "recorded_table: data/recorded/", lesson,
                  ".json has no table '", table,
                  "'. tools/record makes it on a machine with a GPU.");
    const Json& recording = tables[table];
    const std::string machine = recording["machine"];
    Table result(recording["columns"].get<std::vector<std::string>>(), "Recorded on an " + machine);
    for (const Json& row : recording["rows"]) result.row(row.get<std::vector<std::string>>());
    result.note("recorded on " + recording["date"].get<std::string>() + ", driver " +
                recording["driver"].get<std::string>() +
                (recording.contains("cpu") ? ", " + recording["cpu"].get<std::string>() : ""));
    return result;
}

}  // namespace lanes
