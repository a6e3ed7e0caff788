#include "watch_files.hpp"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <filesystem>
#include <memory>

namespace xcpp_session {
namespace {

namespace fs = std::filesystem;

// "/a/b/" for "/a/c/../b"
std::string folder_name(const std::string& folder) {
    std::error_code none;
    const std::string name = fs::canonical(folder, none).string();
    return none || name.empty() ? std::string() : name + (name.back() == '/' ? "" : "/");
}

class Watch : public clang::PPCallbacks {
public:
    Watch(clang::CompilerInstance& compiler,
          std::function<void(const std::string&, std::string_view)> on_read)
        : sources_(compiler.getSourceManager()), on_read_(std::move(on_read)) {
        for (const std::string& folder : include_folders(compiler))
            if (std::string name = folder_name(folder); !name.empty())
                configured_.push_back(std::move(name));
    }

    void FileChanged(clang::SourceLocation place, FileChangeReason reason,
                     clang::SrcMgr::CharacteristicKind kind, clang::FileID) override {
        if (reason != EnterFile || kind != clang::SrcMgr::C_User) return;
        const clang::FileID id = sources_.getFileID(place);
        const auto file = sources_.getFileEntryRefForID(id);
        if (!file) return;  // the text of a cell
        std::error_code none;
        const std::string name = fs::canonical(file->getName().str(), none).string();
        if (none ||
            std::any_of(configured_.begin(), configured_.end(), [&](const std::string& folder) {
                return name.compare(0, folder.size(), folder) == 0;
            }))
            return;
        const llvm::StringRef text = sources_.getBufferData(id);
        on_read_(name, {text.data(), text.size()});
    }

private:
    const clang::SourceManager& sources_;
    const std::function<void(const std::string&, std::string_view)> on_read_;
    std::vector<std::string> configured_;
};

}  // namespace

void watch_files(clang::CompilerInstance& compiler,
                 std::function<void(const std::string& file, std::string_view text)> on_read) {
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<Watch>(compiler, std::move(on_read)));
}

std::vector<std::string> include_folders(clang::CompilerInstance& compiler) {
    std::vector<std::string> folders;
    for (const clang::DirectoryLookup& folder :
         compiler.getPreprocessor().getHeaderSearchInfo().search_dir_range())
        if (folder.isNormalDir()) folders.push_back(folder.getName().str());
    return folders;
}

void mark_as_read(clang::CompilerInstance& compiler, const std::string& file) {
    const auto entry = compiler.getFileManager().getOptionalFileRef(file);
    if (!entry) return;
    compiler.getPreprocessor().markIncluded(*entry);
    compiler.getPreprocessor().getHeaderSearchInfo().MarkFileIncludeOnce(*entry);
}

}  // namespace xcpp_session
