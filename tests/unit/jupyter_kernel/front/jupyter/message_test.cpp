#include "front/jupyter/message.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>

namespace {

using xcpp_front::Message;
using xcpp_front::Serializer;

Message example() {
    Message message;
    message.identities = {"one", "two"};
    message.header = {{"msg_type", "execute_request"}};
    message.content = {{"code", "6 * 7"}};
    message.buffers = {std::string("a\0b", 3), ""};
    return message;
}

TEST(Serializer, WritesThePartsInTheOrderOfTheProtocol) {
    const zmq::multipart_t parts = Serializer("hmac-sha256", "a key").serialize(example());
    ASSERT_EQ(parts.size(), 10U);
    const char* expected[] = {"one", "two", "<IDS|MSG>",
                              // Python: hmac.new(b"a key", b"".join(parts 4 to 7), "sha256")
                              "f6d19faa2e523ed88232c4d7b8105c13f6618cd669b1bd82dd5e0fb4a8486691",
                              R"({"msg_type":"execute_request"})", "{}", "{}",
                              R"({"code":"6 * 7"})"};
    for (std::size_t part = 0; part < 8; ++part) EXPECT_EQ(parts.peekstr(part), expected[part]);
    EXPECT_EQ(parts.peekstr(8), std::string("a\0b", 3));
    EXPECT_EQ(parts.peekstr(9), "");
}

TEST(Serializer, ReadsWhatItWrote) {
    for (const char* key : {"a key", ""}) {
        const Serializer serializer("hmac-sha512", key);
        const Message message = serializer.deserialize(serializer.serialize(example()));
        EXPECT_EQ(message.identities, example().identities);
        EXPECT_EQ(message.type(), "execute_request");
        EXPECT_EQ(message.content, example().content);
        EXPECT_EQ(message.buffers, example().buffers);
    }
}

TEST(Serializer, RefusesWhatNoClientSends) {
    const Serializer serializer("hmac-sha256", "a key");
    const auto refuses = [&](const std::function<void(zmq::multipart_t&)>& change) {
        zmq::multipart_t parts = serializer.serialize(example());
        change(parts);
        EXPECT_THROW(serializer.deserialize(parts), std::exception) << parts.str();
    };
    refuses([](auto& parts) { parts.at(2) = zmq::message_t(std::string("no delimiter")); });
    refuses([](auto& parts) {
        while (parts.size() > 7) parts.remove();
    });
    refuses([](auto& parts) { parts.clear(); });
    refuses([](auto& parts) { parts.at(3) = zmq::message_t(std::string("short")); });
    refuses([](auto& parts) { parts.at(7) = zmq::message_t(std::string("{}")); });

    Message message = example();
    message.content = nlohmann::json::array();
    EXPECT_THROW(serializer.deserialize(serializer.serialize(message)), std::exception);
    message = example();
    message.header = {{"msg_type", 1}};
    EXPECT_THROW(serializer.deserialize(serializer.serialize(message)), std::exception);
    const Serializer other("hmac-sha256", "another key");
    EXPECT_THROW(serializer.deserialize(other.serialize(example())), std::exception);
}

TEST(Serializer, NamesASchemeThatItDoesNotKnow) {
    try {
        Serializer("hmac-nothing", "a key");
        FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "signature scheme 'hmac-nothing' is unknown");
    }
}

}  // namespace
