// What may travel between processes: trivially copyable values, std::string, and std::vector of trivially copyable values. Everything else holds addresses,
// which mean nothing in another process: write it into one of these.
#pragma once

#include "lanes/base/error.hpp"

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace lanes {

namespace detail {

template <class T>
struct Message {
    static_assert(!std::is_pointer_v<T>, "a pointer means nothing in another process: send what it points to");
    static_assert(std::is_trivially_copyable_v<T>, "only trivially copyable values, std::string and std::vector of such values travel between processes");

    static const void* data(const T& value) { return &value; }
    static std::size_t size(const T&) { return sizeof(T); }
    static T from(const std::string& bytes) {
        LANES_REQUIRE(bytes.size() == sizeof(T), "queue: a message of ", bytes.size(), " bytes where ", sizeof(T),
                      " were expected. Put and get messages of one type.");
        T value;
        std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof(T));
        return value;
    }
};

template <>
struct Message<std::string> {
    static const void* data(const std::string& value) { return value.data(); }
    static std::size_t size(const std::string& value) { return value.size(); }
    static std::string from(std::string bytes) { return bytes; }
};

template <class T>
struct Message<std::vector<T>> {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>, "only vectors of trivially copyable values travel between processes");

    static const void* data(const std::vector<T>& value) { return value.data(); }
    static std::size_t size(const std::vector<T>& value) { return value.size() * sizeof(T); }
    static std::vector<T> from(const std::string& bytes) {
        LANES_REQUIRE(bytes.size() % sizeof(T) == 0, "queue: a message of ", bytes.size(), " bytes where a multiple of ", sizeof(T),
                      " was expected. Put and get messages of one type.");
        std::vector<T> value(bytes.size() / sizeof(T));
        if (!bytes.empty()) std::memcpy(static_cast<void*>(value.data()), bytes.data(), bytes.size());
        return value;
    }
};

}  // namespace detail

}  // namespace lanes
