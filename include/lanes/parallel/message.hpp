// What can travel between processes: trivially copyable values, std::string, and std::vector of
// trivially copyable values. Anything else holds addresses, which mean nothing in another process.
// For a type of your own write a specialisation of Message (lanes/mlp/batch_job.hpp has one).
//
//   std::string scratch;
//   const std::vector<int> sent{1, 2, 3};
//   const std::string bytes(lanes::Message<std::vector<int>>::bytes(sent, scratch));
//   const std::vector<int> received = lanes::Message<std::vector<int>>::from(bytes);
#pragma once

#include "lanes/base/error.hpp"

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lanes {

// bytes: the bytes of a value. They stay valid as long as the value and `scratch`, which is memory
// for types that must be serialised first. from: the value of such bytes.
template <class T>
struct Message {
    static_assert(!std::is_pointer_v<T>,
                  "a pointer means nothing in another process: send what it points to");
    static_assert(std::is_trivially_copyable_v<T>,
                  "only trivially copyable values, std::string and std::vector of such values "
                  "travel between processes");

    static std::string_view bytes(const T& value, std::string& /*scratch*/) {
        return {reinterpret_cast<const char*>(&value), sizeof(T)};
    }
    static T from(const std::string& bytes) {
        LANES_REQUIRE(bytes.size() == sizeof(T), "queue: a message of ", bytes.size(),
                      " bytes where ", sizeof(T),
                      " were expected. Put and get messages of one type.");
        T value;
        std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof(T));
        return value;
    }
};

template <>
struct Message<std::string> {
    static std::string_view bytes(const std::string& value, std::string& /*scratch*/) {
        return value;
    }
    static std::string from(std::string bytes) { return bytes; }
};

template <class T>
struct Message<std::vector<T>> {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>,
                  "only vectors of trivially copyable values travel between processes");

    static std::string_view bytes(const std::vector<T>& value, std::string& /*scratch*/) {
        return {reinterpret_cast<const char*>(value.data()), value.size() * sizeof(T)};
    }
    static std::vector<T> from(const std::string& bytes) {
        LANES_REQUIRE(bytes.size() % sizeof(T) == 0, "queue: a message of ", bytes.size(),
                      " bytes where a multiple of ", sizeof(T),
                      " was expected. Put and get messages of one type.");
        std::vector<T> value(bytes.size() / sizeof(T));
        if (!bytes.empty())
            std::memcpy(static_cast<void*>(value.data()), bytes.data(), bytes.size());
        return value;
    }
};

}  // namespace lanes
