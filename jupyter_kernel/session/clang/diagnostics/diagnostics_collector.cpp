#include "diagnostics_collector.hpp"

#include "diagnostics_picture.hpp"
#include "session/base/cell_names.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Type.h>
#include <clang/Basic/DiagnosticFrontend.h>
#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/SmallString.h>

#include <algorithm>
#include <utility>

namespace xcpp_session {
namespace {

// As clang's interpreter calls the file in which all inputs are included.
constexpr std::string_view input_file = "<<< inputs >>>";

Level level_of(clang::DiagnosticsEngine::Level level) {
    if (level >= clang::DiagnosticsEngine::Error) return Level::error;
    return level == clang::DiagnosticsEngine::Warning ? Level::warning : Level::note;
}

// The author of a static_assert has said it in words: the condition before them, with its templates
// written out, is not what the user needs.
std::string words_of(const clang::Diagnostic& info, std::string text) {
    if (info.getID() != clang::diag::err_static_assert_requirement_failed || info.getNumArgs() < 3)
        return text;
    const bool has_words =
        info.getRawArg(1) == 0 && info.getArgKind(2) == clang::DiagnosticsEngine::ak_std_string;
    return has_words && !info.getArgStdStr(2).empty()
               ? "static assertion failed: " + info.getArgStdStr(2)
               : text;
}

// Of -Wunused-value only the comma in a[i, j] is a mistake: cells show values.
bool is_noise(const clang::Diagnostic& info, llvm::StringRef text) {
    if (text.starts_with("expression result unused") ||
        text.contains("function declared with pure attribute") ||
        text.contains("function declared with const attribute"))
        return true;
    if (!text.starts_with("left operand of comma operator")) return false;
    if (!info.hasSourceManager() || info.getLocation().isInvalid()) return true;
    const clang::SourceManager& sources = info.getSourceManager();
    const clang::SourceLocation place = sources.getExpansionLoc(info.getLocation());
    const llvm::StringRef buffer = sources.getBufferData(sources.getFileID(place));
    const llvm::StringRef before = buffer.take_front(sources.getFileOffset(place));
    const std::size_t bracket = before.find_last_of("[](){};");
    return bracket == llvm::StringRef::npos || before[bracket] != '[';
}

// A type of a cell: its declaration, and the number in the name of the cell's namespace.
struct CellType {
    const clang::TagDecl* declaration;
    int unit;
};

int unit_of(const clang::Decl* declaration) {
    for (const clang::DeclContext* context = declaration->getDeclContext(); context;
         context = context->getParent()) {
        const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context);
        if (!space || !space->isInline()) continue;
        if (const int unit = unit_of_namespace_name(space->getName())) return unit;
    }
    return 0;
}

// Those that the type is made of: P, for std::vector<P*>&.
void add_cell_types(clang::QualType type, std::vector<CellType>& found, int depth = 0) {
    if (type.isNull() || depth > 8) return;
    type = type.getCanonicalType().getNonReferenceType();
    while (!type->getPointeeType().isNull()) type = type->getPointeeType().getCanonicalType();
    if (const auto* array = type->getAsArrayTypeUnsafe())
        return add_cell_types(array->getElementType(), found, depth + 1);
    const clang::TagDecl* tag = type->getAsTagDecl();
    if (!tag) return;
    if (const int unit = unit_of(tag)) found.push_back({tag->getCanonicalDecl(), unit});
    if (const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(tag))
        for (const clang::TemplateArgument& argument : made->getTemplateArgs().asArray())
            if (argument.getKind() == clang::TemplateArgument::Type)
                add_cell_types(argument.getAsType(), found, depth + 1);
}

}  // namespace

// Two types of one name, of two runs of a cell: who reads "no known conversion from 'P' to 'P'"
// wants to know.
void DiagnosticCollector::add_redefined(Finding& finding, const clang::Diagnostic& info) const {
    std::vector<CellType> types;
    for (unsigned i = 0; i < info.getNumArgs(); ++i)
        if (info.getArgKind(i) == clang::DiagnosticsEngine::ak_qualtype)
            // NOLINTNEXTLINE(performance-no-int-to-ptr): clang stores the pointer as a number
            add_cell_types(clang::QualType::getFromOpaquePtr((void*)info.getRawArg(i)), types);
    const auto cell_of = [&](const clang::TagDecl* declaration) {
        return cell_of_file_name(
            place_of(info.getSourceManager(), declaration->getLocation()).file);
    };
    for (const CellType& first : types)
        for (const CellType& second : types) {
            if (first.unit >= second.unit ||
                first.declaration->getDeclName() != second.declaration->getDeclName())
                continue;
            finding.redefined = {first.declaration->getNameAsString(), cell_of(first.declaration),
                                 cell_of(second.declaration),
                                 types.back().declaration == first.declaration};
            return;
        }
}

void DiagnosticCollector::begin(int cell, std::string cell_text) {
    cell_ = cell;
    cell_text_ = std::move(cell_text);
    const std::string_view text = llvm::StringRef(cell_text_).rtrim();
    last_line_ = static_cast<unsigned>(std::count(text.begin(), text.end(), '\n')) + 1;
    at_end_of_input_ = 0;
    findings_.clear();
}

std::vector<Finding> DiagnosticCollector::take() {
    at_end_of_input_ = 0;
    return std::exchange(findings_, {});
}

SourcePlace DiagnosticCollector::place_of(const clang::SourceManager& sources,
                                          clang::SourceLocation location) const {
    if (location.isInvalid()) return {};
    const clang::PresumedLoc presumed = sources.getPresumedLoc(sources.getExpansionLoc(location));
    if (presumed.isInvalid()) return {};
    SourcePlace place{presumed.getFilename(), presumed.getLine(), presumed.getColumn()};
    if (cell_of_file_name(place.file) != cell_ || cell_ == 0) return place;
    if (place.line > last_line_) return end_of_cell();  // in what we wrote after the cell's text
    if (map_column) place.column = map_column(place.line, place.column);
    place.column = std::min(place.column, width_of(place.line) + 1);
    return place;
}

unsigned DiagnosticCollector::width_of(unsigned line) const {
    return static_cast<unsigned>(line_of(cell_text_, line).size());
}

SourcePlace DiagnosticCollector::end_of_cell() const {
    if (cell_ == 0) return {};
    return {cell_file_name(cell_), last_line_, width_of(last_line_) + 1};
}

DiagnosticCollector::Places DiagnosticCollector::places_of(
    const clang::SourceManager& sources, const clang::CharSourceRange& range) const {
    const clang::CharSourceRange characters = clang::Lexer::getAsCharRange(
        sources.getExpansionRange(range), sources, clang::LangOptions());
    return {place_of(sources, characters.getBegin()), place_of(sources, characters.getEnd())};
}

void DiagnosticCollector::add_ranges(Finding& finding, const clang::Diagnostic& info) const {
    const clang::SourceManager& sources = info.getSourceManager();
    for (const clang::CharSourceRange& range : info.getRanges()) {
        if (range.isInvalid()) continue;
        const auto [first, last] = places_of(sources, range);
        if (first.file != finding.place.file || last.file != first.file || first.line > last.line)
            continue;
        // Of a range over several lines the line of the finding is shown.
        if (first.line > finding.place.line || last.line < finding.place.line) continue;
        const unsigned from = first.line == finding.place.line ? first.column : 1;
        const unsigned to = last.line == finding.place.line ? last.column - 1 : 100000;
        if (from <= to) finding.ranges.push_back({from, to});
    }
}

void DiagnosticCollector::add_fixits(Finding& finding, const clang::Diagnostic& info) const {
    const clang::SourceManager& sources = info.getSourceManager();
    for (const clang::FixItHint& fix : info.getFixItHints()) {
        if (fix.isNull() || !fix.RemoveRange.isValid()) continue;
        const auto [first, last] = places_of(sources, fix.RemoveRange);
        if (first.file == finding.place.file && first.line == finding.place.line &&
            first.line == last.line)
            finding.fixits.push_back({{first.column, last.column - 1}, fix.CodeToInsert});
    }
}

void DiagnosticCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                           const clang::Diagnostic& info) {
    clang::DiagnosticConsumer::HandleDiagnostic(
        level, info);  // counts: a parse with errors is a failed one
    if (level <= clang::DiagnosticsEngine::Ignored || level == clang::DiagnosticsEngine::Remark)
        return;
    llvm::SmallString<256> text;
    info.FormatDiagnostic(text);
    if (is_noise(info, llvm::StringRef(text))) return;
    Finding finding;
    finding.level = level_of(level);
    finding.message = without_generated_names(words_of(info, std::string(text)));
    if (info.hasSourceManager() && info.getLocation().isValid()) {
        const clang::SourceManager& sources = info.getSourceManager();
        const clang::SourceLocation location = sources.getExpansionLoc(info.getLocation());
        finding.place = place_of(sources, location);
        bool unreadable = false;
        const unsigned line = sources.getExpansionLineNumber(location, &unreadable);
        if (!unreadable)
            finding.source_line = line_of(sources.getBufferData(sources.getFileID(location)), line);
        finding.in_system_header = sources.isInSystemHeader(location);
        add_ranges(finding, info);
        add_fixits(finding, info);
        add_redefined(finding, info);
    }
    const bool end_of_input = finding.place.file == input_file;
    // The text ended where more was expected. The user knows no such file.
    if (end_of_input) finding.place = end_of_cell();
    if (finding.level == Level::note) {
        if (!findings_.empty()) findings_.back().notes.push_back(std::move(finding));
        return;
    }
    const bool too_many = info.getID() == clang::diag::fatal_too_many_errors;
    const bool repeated = end_of_input && at_end_of_input_ > 0 && finding.level >= Level::error;
    if (end_of_input && finding.level >= Level::error) ++at_end_of_input_;
    if (!too_many && !repeated) findings_.push_back(std::move(finding));
    if (level >= clang::DiagnosticsEngine::Error && after_error) after_error();
    if (!too_many && !repeated) return;
    if (give_up) give_up();
    throw ParserLost("the compiler lost its way in this text");
}

}  // namespace xcpp_session
