#include "disassembly.hpp"

#include "code_lines.hpp"
#include "session/clang/diagnostics/diagnostics.hpp"

#include "llvm/Demangle/Demangle.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <algorithm>
#include <map>
#include <memory>

namespace xcpp_session {
namespace {

using llvm::cantFail;  // the object comes from our own compiler
using llvm::StringRef;
using llvm::object::ELFObjectFileBase;
using llvm::object::ELFSymbolRef;
using llvm::object::SectionRef;

// "f(int)" of "_ZN4__c21fEi", with what the compiler has appended: "f(int).omp_outlined". The
// version that SymbolVersions appends (".r5") is left out.
std::string readable(StringRef symbol) {
    auto [name, suffix] = symbol.split('.');
    if (suffix.starts_with("r") &&
        suffix.drop_front().take_front().find_first_of("0123456789") == 0)
        suffix = {};
    return without_generated_names(llvm::demangle(name.str())) +
           (suffix.empty() ? "" : "." + suffix.str());
}

// By address: the names that the linker puts in.
std::map<std::uint64_t, std::string> references_of(const ELFObjectFileBase& object,
                                                   const SectionRef& code) {
    std::map<std::uint64_t, std::string> names;
    for (const SectionRef& section : object.sections()) {
        const auto relocated = cantFail(section.getRelocatedSection());
        if (relocated == object.section_end() || *relocated != code) continue;
        for (const auto& relocation : section.relocations()) {
            const auto symbol = relocation.getSymbol();
            if (symbol == object.symbol_end()) continue;
            const StringRef name = cantFail(symbol->getName());
            if (!name.empty() && name[0] != '.') names[relocation.getOffset()] = readable(name);
        }
    }
    return names;
}

class Disassembler {
public:
    explicit Disassembler(const llvm::TargetMachine& machine)
        : subtarget_(*machine.getMCSubtargetInfo()),
          context_(machine.getTargetTriple(), machine.getMCAsmInfo(), machine.getMCRegisterInfo(),
                   &subtarget_),
          decoder_(machine.getTarget().createMCDisassembler(subtarget_, context_)),
          printer_(machine.getTarget().createMCInstPrinter(
              machine.getTargetTriple(), machine.getTargetTriple().isX86() ? 1 : 0,
              *machine.getMCAsmInfo(), *machine.getMCInstrInfo(), *machine.getMCRegisterInfo())) {
        printer_->setPrintBranchImmAsAddress(true);
    }

    // The instruction at the beginning of `bytes`, and its length in bytes.
    std::pair<std::string, std::uint64_t> read(llvm::ArrayRef<std::uint8_t> bytes,
                                               std::uint64_t offset) {
        llvm::MCInst instruction;
        std::uint64_t size = 0;
        std::string text;
        llvm::raw_string_ostream stream(text);
        if (decoder_->getInstruction(instruction, size, bytes, offset, llvm::nulls()) ==
            llvm::MCDisassembler::Fail)
            return {"(data)", std::max<std::uint64_t>(size, 1)};
        // On x86, jumps count from the end of the instruction.
        const bool from_end = subtarget_.getTargetTriple().isX86();
        printer_->printInst(&instruction, offset + (from_end ? size : 0), "", subtarget_, stream);
        std::replace(text.begin(), text.end(), '\t', ' ');
        return {StringRef(text).trim().str(), size};
    }

private:
    const llvm::MCSubtargetInfo& subtarget_;
    llvm::MCContext context_;
    std::unique_ptr<llvm::MCDisassembler> decoder_;
    std::unique_ptr<llvm::MCInstPrinter> printer_;
};

FunctionCode read_function(const ELFObjectFileBase& object, const ELFSymbolRef& symbol,
                           const ObjectPlaces& places, Disassembler& disassembler) {
    FunctionCode code{readable(cantFail(symbol.getName())), {}};
    const SectionRef section = *cantFail(symbol.getSection());
    const auto names = references_of(object, section);
    const std::uint64_t begin = cantFail(symbol.getAddress()), end = begin + symbol.getSize();
    const StringRef contents = cantFail(section.getContents());
    const llvm::ArrayRef<std::uint8_t> bytes(contents.bytes_begin(), contents.size());
    auto place = places.lower_bound({section.getIndex(), begin});
    LineOfCell line{0, 0};
    for (std::uint64_t address = begin, size = 0; address < end; address += size) {
        Instruction instruction;
        instruction.offset = address - begin;
        std::tie(instruction.text, size) =
            disassembler.read(bytes.slice(address, end - address), instruction.offset);
        for (; place != places.end() && place->first.first == section.getIndex() &&
               place->first.second <= address;
             ++place)
            if (place->second.cell > 0) line = place->second;
        instruction.cell = line.cell;
        instruction.line = line.line;
        const auto name = names.lower_bound(address);
        if (name != names.end() && name->first < address + size)
            instruction.refers_to = name->second;
        code.instructions.push_back(std::move(instruction));
    }
    return code;
}

}  // namespace

std::vector<FunctionCode> disassemble(const llvm::MemoryBuffer& buffer, const std::string& symbol,
                                      const llvm::TargetMachine& machine) {
    const auto file =
        cantFail(llvm::object::ObjectFile::createObjectFile(buffer.getMemBufferRef()));
    const auto& object = llvm::cast<ELFObjectFileBase>(*file);
    std::vector<ELFSymbolRef> found;
    bool defines = false;
    for (const ELFSymbolRef& candidate : object.symbols()) {
        const StringRef name = cantFail(candidate.getName());
        if (cantFail(candidate.getType()) != llvm::object::SymbolRef::ST_Function ||
            cantFail(candidate.getSection()) == object.section_end())
            continue;
        if (name == symbol) {
            defines = true;
            found.insert(found.begin(), candidate);
        } else if (name.starts_with(symbol + ".")) {
            found.push_back(candidate);
        }
    }
    if (!defines) return {};
    const ObjectPlaces places = read_places(object);
    Disassembler disassembler(machine);
    std::vector<FunctionCode> code;
    code.reserve(found.size());
    for (const ELFSymbolRef& one : found)
        code.push_back(read_function(object, one, places, disassembler));
    return code;
}

}  // namespace xcpp_session
