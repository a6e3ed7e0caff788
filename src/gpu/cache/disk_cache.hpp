// Compiled programs that outlive the process: one file per key under
// ${LANES_CACHE:-${XDG_CACHE_HOME:-~/.cache}/lanes}. A file is written under another name and
// renamed, so that no process ever sees half a file. It carries a digest of its payload; a damaged
// file counts as missing. Nothing here throws: a cache that cannot be used only costs time. What it
// holds is executed: a folder or file that another user (but root) owns or may write is not used.
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

    // "" if no folder is safe to use; then nothing is stored and nothing is found.
    static std::filesystem::path folder();

    // Everything that the payload depends on, in order. Different lists have different keys.
    static std::string key(const std::vector<std::string>& parts);

    // Empty if there is none, or a damaged one.
    std::optional<std::string> load(const std::string& key) const;

    // The verified file itself, for uses that need a file (dlopen). The payload starts at the first
    // byte; the digest after it does not disturb ELF.
    std::optional<std::filesystem::path> file(const std::string& key) const;

    // Returns false if nothing could be written.
    bool store(const std::string& key, std::string_view payload) const;
    std::filesystem::path path(const std::string& key) const;

private:
    std::filesystem::path folder_;
    std::string suffix_;
};

}  // namespace lanes::gpu
