#include "front/output/stream_text.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace {

using namespace xcpp_front;
using Sent = std::vector<std::pair<Stream, std::string>>;

constexpr Milliseconds ms(int count) { return Milliseconds(count); }

class StreamTextTest : public testing::Test {
protected:
    StreamText make(std::size_t limit = 1000) {
        return StreamText(limit, [this](Stream stream, const std::string& text) {
            sent_.emplace_back(stream, text);
        });
    }
    std::string all(Stream stream) const {
        std::string text;
        for (const auto& [from, part] : sent_)
            if (from == stream) text += part;
        return text;
    }

    Sent sent_;
    const TimePoint start_ = Clock::now();
};

TEST_F(StreamTextTest, GathersTinyWritesIntoOneMessage) {
    auto text = make();
    for (int turn = 0; turn < 10; ++turn) text.add(Stream::out, "x", start_);
    EXPECT_EQ(text.due(), start_ + ms(5));
    text.flush(start_ + ms(5));
    EXPECT_EQ(sent_, (Sent{{Stream::out, "xxxxxxxxxx"}}));
    EXPECT_EQ(text.due(), never);
}

TEST_F(StreamTextTest, SendsAtMostTwentyMessagesASecond) {
    auto text = make(1'000'000);
    for (int turn = 0; turn < 1000; ++turn) {
        const TimePoint now = start_ + ms(turn);
        text.add(turn % 2 == 0 ? Stream::out : Stream::err, "line\n", now);
        if (text.due() <= now) text.flush(now);
    }
    EXPECT_GT(sent_.size(), 10U);
    EXPECT_LE(sent_.size(), 21U + 7U);  // the last flush may hold several segments
    text.end_cell(start_ + ms(1000));
    EXPECT_EQ(all(Stream::out).size(), 2500U);
    EXPECT_EQ(all(Stream::err).size(), 2500U);
}

TEST_F(StreamTextTest, KeepsTheOrderOfTheStreams) {
    auto text = make();
    text.add(Stream::out, "a", start_);
    text.add(Stream::err, "b", start_);
    text.add(Stream::out, "c", start_);
    text.flush(start_);
    EXPECT_EQ(sent_, (Sent{{Stream::out, "a"}, {Stream::err, "b"}, {Stream::out, "c"}}));
}

TEST_F(StreamTextTest, CutsAtTheLimitAndSaysSoOnce) {
    auto text = make(100);
    for (int turn = 0; turn < 30; ++turn) text.add(Stream::out, "0123456789", start_);
    text.add(Stream::err, "what went wrong", start_);
    text.end_cell(start_);
    EXPECT_EQ(all(Stream::err), "what went wrong");
    EXPECT_EQ(sent_.front().second.size(), 100U);
    EXPECT_EQ(sent_.back(),
              (std::pair{Stream::out,
                         std::string("\n[only the first 115 bytes of 315 bytes of output are "
                                     "shown; XCPP_OUTPUT_LIMIT sets the limit, in bytes]\n")}));
    sent_.clear();
    text.end_cell(start_);
    EXPECT_TRUE(sent_.empty());
    text.begin_cell();
    text.add(Stream::out, "again", start_);
    text.end_cell(start_);
    EXPECT_EQ(sent_, (Sent{{Stream::out, "again"}}));
}

TEST_F(StreamTextTest, NeverCutsInsideACharacter) {
    auto text = make(5);
    text.add(Stream::out, "漢字", start_);  // six bytes
    text.end_cell(start_);
    EXPECT_EQ(sent_.front(), (std::pair{Stream::out, std::string("漢")}));
}

TEST_F(StreamTextTest, HoldsACutCharacterBackUntilTheCellEnds) {
    auto text = make();
    text.add(Stream::out, "a\xC3", start_);
    text.flush(start_);
    EXPECT_EQ(all(Stream::out), "a");
    text.add(Stream::out, "\xBC", start_);
    text.add(Stream::out, "\xE6", start_);
    text.end_cell(start_);
    EXPECT_EQ(all(Stream::out), "aü\xE6");
}

}  // namespace
