// The messages of the Jupyter protocol, and their form as parts of a ZeroMQ message:
//
//   identities...  <IDS|MSG>  signature  header  parent_header  metadata  content  buffers...
#pragma once

#include <openssl/evp.h>
#include <nlohmann/json.hpp>
#include <zmq_addon.hpp>

#include <string>
#include <vector>

namespace xcpp_front {

struct Message {
    std::vector<std::string> identities;  // of the client; of a message on iopub, its topic
    nlohmann::json header = nlohmann::json::object();
    nlohmann::json parent_header = nlohmann::json::object();
    nlohmann::json metadata = nlohmann::json::object();
    nlohmann::json content = nlohmann::json::object();
    std::vector<std::string> buffers;

    std::string type() const { return header.value("msg_type", ""); }
};

class Serializer {
public:
    // scheme: "hmac-" and the name of a hash function. Without a key nothing is signed. Throws
    // std::runtime_error if the scheme is unknown.
    Serializer(const std::string& scheme, std::string key);

    // Bytes that are not UTF-8 are replaced.
    zmq::multipart_t serialize(const Message& message) const;
    // Throws std::exception if the parts are no Jupyter message or the signature is wrong.
    Message deserialize(const zmq::multipart_t& parts) const;

private:
    std::string signature(const std::string& signed_parts) const;

    const EVP_MD* hash_ = nullptr;  // null: nothing is signed
    std::string key_;
};

}  // namespace xcpp_front
