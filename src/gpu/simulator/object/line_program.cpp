#include "line_program.hpp"

#include <cstring>
#include <vector>

namespace lanes::gpu::simulator {
namespace {

// Reads numbers from the front of a byte sequence; 0 past its end.
class Reader {
public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {}

    bool ended() const { return bytes_.empty(); }
    std::string_view take(std::size_t count) {
        const std::string_view taken = bytes_.substr(0, count);
        bytes_.remove_prefix(taken.size());
        return taken;
    }
    template <class T>
    T number() {
        T value{};
        const std::string_view taken = take(sizeof value);
        if (taken.size() == sizeof value) std::memcpy(&value, taken.data(), taken.size());
        return value;
    }
    std::uint8_t byte() { return number<std::uint8_t>(); }
    std::uint64_t unsigned_leb() {
        std::uint64_t value = 0;
        unsigned shift = 0;
        for (std::uint8_t part = 0x80; part & 0x80 && !ended(); shift += 7) {
            part = byte();
            if (shift < 64) value |= std::uint64_t(part & 0x7f) << shift;
        }
        return value;
    }
    std::int64_t signed_leb() {
        std::uint64_t value = 0;
        unsigned shift = 0;
        std::uint8_t part = 0x80;
        for (; part & 0x80 && !ended(); shift += 7) {
            part = byte();
            if (shift < 64) value |= std::uint64_t(part & 0x7f) << shift;
        }
        if (shift < 64 && (part & 0x40)) value |= ~std::uint64_t(0) << shift;
        return static_cast<std::int64_t>(value);
    }

private:
    std::string_view bytes_;
};

struct Header {
    std::uint8_t instruction_bytes = 1;
    std::int8_t line_base = 0;
    std::uint8_t line_range = 1, opcode_base = 1;
    std::vector<std::uint8_t> lengths;  // number of arguments of each standard opcode
};

void run(Reader program, const Header& header, LineProgram& rows) {
    std::uintptr_t address = 0;
    LineColumn at{1, 0};
    const auto emit = [&] { rows[address] = at; };
    const auto advance = [&](std::uint64_t steps) { address += steps * header.instruction_bytes; };
    while (!program.ended()) {
        const std::uint8_t code = program.byte();
        if (code >= header.opcode_base) {
            const int special = code - header.opcode_base;
            advance(static_cast<std::uint64_t>(special / header.line_range));
            at.line += header.line_base + special % header.line_range;
            emit();
            continue;
        }
        switch (code) {
            case 0: {  // extended
                const std::uint64_t length = program.unsigned_leb();
                Reader rest(program.take(length));
                const std::uint8_t kind = rest.byte();
                if (kind == 1) {  // end of a sequence
                    rows[address] = {};
                    address = 0;
                    at = {1, 0};
                } else if (kind == 2) {
                    address = rest.number<std::uint64_t>();
                }
                break;
            }
            case 1:
                emit();
                break;
            case 2:
                advance(program.unsigned_leb());
                break;
            case 3:
                at.line += static_cast<int>(program.signed_leb());
                break;
            case 5:
                at.column = static_cast<int>(program.unsigned_leb());
                break;
            case 8:
                advance(static_cast<std::uint64_t>((255 - header.opcode_base) / header.line_range));
                break;
            case 9:
                address += program.number<std::uint16_t>();
                break;
            default:
                for (std::uint8_t i = 0;
                     code <= header.lengths.size() && i < header.lengths[code - 1U]; ++i)
                    program.unsigned_leb();
        }
    }
}

}  // namespace

LineProgram read_line_program(std::string_view section) {
    LineProgram rows;
    Reader all(section);
    while (!all.ended()) {
        std::uint64_t bytes = all.number<std::uint32_t>();
        const bool wide = bytes == 0xffffffff;
        if (wide) bytes = all.number<std::uint64_t>();
        Reader unit(all.take(bytes));
        const auto version = unit.number<std::uint16_t>();
        if (version < 2 || version > 5) continue;
        if (version == 5) unit.take(2);  // sizes of addresses and of segment selectors
        Reader head(unit.take(wide ? unit.number<std::uint64_t>() : unit.number<std::uint32_t>()));
        Header header;
        header.instruction_bytes = head.byte();
        if (version >= 4) head.byte();  // maximum operations per instruction
        head.byte();                    // whether rows begin as statements
        header.line_base = head.number<std::int8_t>();
        header.line_range = head.byte();
        header.opcode_base = head.byte();
        for (int code = 1; code < header.opcode_base; ++code) header.lengths.push_back(head.byte());
        if (header.line_range > 0 && header.opcode_base > 0) run(unit, header, rows);
    }
    return rows;
}

}  // namespace lanes::gpu::simulator
