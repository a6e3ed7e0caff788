#include "stream_text.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace xcpp_front {
namespace {

constexpr Milliseconds between_messages(50);  // at most 20 a second: clients fall behind with more
constexpr Milliseconds gathering(5);          // what is written in one go arrives as one message
constexpr std::size_t most_segments =
    8;  // streams that alternate faster than this are not kept in order

std::string megabytes(std::size_t bytes) {
    char text[32];
    const auto number = static_cast<double>(bytes);
    std::snprintf(text, sizeof text, bytes < 100'000 ? "%.0f kB" : "%.1f MB",
                  bytes < 100'000 ? number / 1e3 : number / 1e6);
    return bytes < 1000 ? std::to_string(bytes) + " bytes" : text;
}

}  // namespace

std::string& StreamText::segment_of(Stream stream, TimePoint now) {
    if (waiting_.empty()) waiting_since_ = now;
    if (!waiting_.empty() && waiting_.back().stream == stream) return waiting_.back().text;
    if (waiting_.size() >= most_segments) return waiting_[waiting_.size() - 2].text;
    waiting_.push_back({stream, {}});
    return waiting_.back().text;
}

void StreamText::add(Stream stream, std::string_view bytes, TimePoint now) {
    if (bytes.empty()) return;
    Count& so_far = count(stream);
    const std::size_t room = limit_ - std::min(so_far.shown, limit_);
    if (room == 0 || so_far.dropped > 0) {
        so_far.dropped += bytes.size();
        return;
    }
    std::string text = std::exchange(so_far.begun, {}).append(bytes);
    const std::size_t whole = whole_characters(text);
    so_far.begun = text.substr(whole);
    text.resize(whole);
    if (text.size() > room) {
        const std::size_t end = whole_characters(std::string_view(text).substr(0, room));
        so_far.dropped += text.size() - end;
        text.resize(end);
    }
    if (text.empty()) return;
    so_far.shown += text.size();
    segment_of(stream, now).append(text);
}

TimePoint StreamText::due() const {
    return waiting_.empty() ? never : std::max(waiting_since_ + gathering, next_);
}

void StreamText::flush(TimePoint now) {
    if (waiting_.empty()) return;
    next_ = now + between_messages * waiting_.size();
    std::vector<Segment> segments;
    segments.swap(waiting_);
    for (const auto& segment : segments) publish_(segment.stream, segment.text);
}

void StreamText::report_cut(TimePoint now) {
    std::size_t shown = 0;
    std::size_t dropped = 0;
    for (Count& count : counts_) {
        shown += count.shown;
        dropped += count.dropped;
        if (count.dropped > 0) count.shown = limit_;
        count.dropped = 0;
    }
    if (dropped == 0) return;
    flush(now);
    publish_(Stream::out,
             "\n[only the first " + megabytes(shown) + " of " + megabytes(shown + dropped) +
                 " of output are shown; XCPP_OUTPUT_LIMIT sets the limit, in bytes]\n");
}

void StreamText::end_cell(TimePoint now) {
    for (const Stream stream : {Stream::out, Stream::err}) {
        const std::string rest = std::exchange(count(stream).begun, {});
        if (!rest.empty() && count(stream).dropped == 0) segment_of(stream, now).append(rest);
    }
    flush(now);
    report_cut(now);
}

void StreamText::begin_cell() {
    for (Count& count : counts_) count.shown = count.dropped = 0;
}

}  // namespace xcpp_front
