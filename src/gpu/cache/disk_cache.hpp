// Compiled programs that outlast the process: one file a key under
// ${LANES_CACHE:-${XDG_CACHE_HOME:-~/.cache}/lanes}. A file is written aside and renamed, so that
// two processes never see half of one, and carries the digest of its payload, so that a broken one
// is as good as none. Nothing here throws: a cache that cannot be used only costs time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::gpu {

class DiskCache {
public:
    // Entries live in folder()/name with this suffix: DiskCache("simulator", ".so").
    DiskCache(const std::string& name, std::string suffix);

    // "" if there is none that is safe to use; then nothing is stored and nothing is found.
    static std::filesystem::path folder();

    // Everything that the payload depends on, in order. Lists that differ have keys that differ.
    static std::string key(const std::vector<std::string>& parts);

    std::optional<std::string> load(
        const std::string& key) const;  // nothing where there is none or a broken one

    // The file itself, verified, for what must be a file (dlopen). The payload starts at its first
    // byte; the seal behind it does not disturb ELF.
    std::optional<std::filesystem::path> file(const std::string& key) const;

    bool store(const std::string& key,
               std::string_view payload) const;  // false where nothing could be written
    std::filesystem::path path(const std::string& key) const;

private:
    std::filesystem::path folder_;
    std::string suffix_;
};

}  // namespace lanes::gpu
