// Tells which files of the user's own the compiler reads: none of the system's, and none below the
// folders that were configured.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace xcpp_session {

// on_read is called, with the file's text, each time one is entered.
void watch_files(clang::CompilerInstance& compiler,
                 std::function<void(const std::string& file, std::string_view text)> on_read);

// Where the compiler searches for includes now.
std::vector<std::string> include_folders(clang::CompilerInstance& compiler);

// The compiler will pass over an #include of it.
void mark_as_read(clang::CompilerInstance& compiler, const std::string& file);

}  // namespace xcpp_session
