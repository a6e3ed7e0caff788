#include "message.hpp"

#include <openssl/crypto.h>
#include <openssl/hmac.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace xcpp_front {
namespace {

using nlohmann::json;

constexpr const char* delimiter = "<IDS|MSG>";

}  // namespace

Serializer::Serializer(const std::string& scheme, std::string key) : key_(std::move(key)) {
    if (key_.empty()) return;
    const std::string hmac = "hmac-";
    if (scheme.rfind(hmac, 0) == 0) hash_ = EVP_get_digestbyname(scheme.c_str() + hmac.size());
    if (hash_ == nullptr) throw std::runtime_error("signature scheme '" + scheme + "' is unknown");
}

std::string Serializer::signature(const std::string& signed_parts) const {
    if (hash_ == nullptr) return {};
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned int size = 0;
    HMAC(hash_, key_.data(), static_cast<int>(key_.size()),
         reinterpret_cast<const unsigned char*>(signed_parts.data()), signed_parts.size(),
         bytes.data(), &size);
    std::string text;
    for (unsigned int index = 0; index < size; ++index) {
        text += "0123456789abcdef"[bytes[index] >> 4];
        text += "0123456789abcdef"[bytes[index] & 15];
    }
    return text;
}

zmq::multipart_t Serializer::serialize(const Message& message) const {
    std::vector<std::string> texts;
    std::string signed_parts;
    for (const json* part :
         {&message.header, &message.parent_header, &message.metadata, &message.content}) {
        texts.push_back(part->dump(-1, ' ', false, json::error_handler_t::replace));
        signed_parts += texts.back();
    }
    zmq::multipart_t parts;
    for (const auto& identity : message.identities) parts.addstr(identity);
    parts.addstr(delimiter);
    parts.addstr(signature(signed_parts));
    for (const auto& text : texts) parts.addstr(text);
    for (const auto& buffer : message.buffers) parts.addstr(buffer);
    return parts;
}

Message Serializer::deserialize(const zmq::multipart_t& parts) const {
    Message message;
    std::size_t next = 0;
    while (next < parts.size() && parts.peekstr(next) != delimiter)
        message.identities.push_back(parts.peekstr(next++));
    if (parts.size() < next + 6) throw std::runtime_error("it is not a Jupyter message");
    const std::string received = parts.peekstr(++next);
    const std::string signed_parts = parts.peekstr(next + 1) + parts.peekstr(next + 2) +
                                     parts.peekstr(next + 3) + parts.peekstr(next + 4);
    const std::string expected = signature(signed_parts);
    if (hash_ != nullptr && (received.size() != expected.size() ||
                             CRYPTO_memcmp(received.data(), expected.data(), expected.size()) != 0))
        throw std::runtime_error("its signature is wrong");
    for (json* part :
         {&message.header, &message.parent_header, &message.metadata, &message.content})
        *part = json::parse(parts.peekstr(++next));
    if (!message.header.is_object() || !message.header.value("msg_type", json()).is_string() ||
        !message.content.is_object())
        throw std::runtime_error("its header has no type, or its content is not an object");
    while (++next < parts.size()) message.buffers.push_back(parts.peekstr(next));
    return message;
}

}  // namespace xcpp_front
