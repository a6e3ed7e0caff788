// What a cell prints, on its way to the client: whole UTF-8 characters, gathered into few messages,
// limited per cell. Knows no pipes and no clock.
#pragma once

#include "front/base/clock.hpp"
#include "front/base/utf8.hpp"

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace xcpp_front {

enum class Stream { out, err };

class StreamText {
public:
    using Publish = std::function<void(Stream stream, const std::string& text)>;

    // limit: bytes of text that one cell may show on each stream. One that floods stdout can still
    // say on stderr what went wrong.
    StreamText(std::size_t limit, Publish publish) : limit_(limit), publish_(std::move(publish)) {}

    void add(Stream stream, std::string_view bytes, TimePoint now);
    // When gathered text should go out; never: there is none.
    TimePoint due() const;
    void flush(TimePoint now);
    // Ends a cell: nothing is held back any more, and one line says how much was left out.
    void end_cell(TimePoint now);
    void begin_cell();

private:
    struct Segment {
        Stream stream;
        std::string text;
    };

    struct Count {
        std::string begun;  // the first bytes of a character, at most three
        std::size_t shown = 0;
        std::size_t dropped = 0;
    };

    Count& count(Stream stream) { return counts_[static_cast<std::size_t>(stream)]; }
    std::string& segment_of(Stream stream, TimePoint now);
    void report_cut(TimePoint now);

    std::size_t limit_;
    Publish publish_;
    std::array<Count, 2> counts_;
    std::vector<Segment> waiting_;
    TimePoint waiting_since_ = never;
    TimePoint next_ = TimePoint::min();  // no message before this time, unless order asks for it
};

}  // namespace xcpp_front
