// The harness by which grading calls an answer: random arguments go in, values come back in binary
// through a file of its own. What the answer prints, and how it has set std::cout, changes nothing.
//
//   void lanes_probe(lanes::grading::Probe& probe) {  // exercises/sigmoid/probe.cpp
//       const auto x = probe.random<lanes::Matrix>({9, 14}, -6, 6);
//       probe.put(sigmoid(x));
//   }
//
// If an exercise has natural parts, each has its share of the points. All values are then in parts:
//
//   probe.part("small matrices", [&] { probe.put(matmul(a, b)); });
//
// parts_by_shape and parts_by_filter are parts that several exercises share.
//
// tools/grading/records.py reads the file and draws the same random numbers. The form of the file:
// "lanesprb"; for each value its NumPy type in 4 bytes ("<f4", "<i8", "|u1", filled up with zeros),
// the number of axes (uint32), the length of each axis (uint64) and the elements in row-major
// order; after the values of a part "part", the length of its name (uint32) and the name; "end" and
// a zero. All numbers are little-endian.
#pragma once

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanes::grading {

class Probe {
public:
    // `path`: an existing, empty file for the values.
    explicit Probe(std::uint64_t seed, const char* path = "")
        : seed_(seed), state_(seed), path_(path) {}

    std::uint64_t seed() const { return seed_; }

    // A case with its own share of the points. Its values are written at its end, so they count
    // even if a later part crashes: the usual case comes first. Its random numbers depend on the
    // seed and the name alone. An exception ends this part, not the others.
    template <class Work>
    void part(const std::string& name, Work&& work) {
        state_ = seed_;
        for (const char letter : name) state_ = (state_ ^ static_cast<unsigned char>(letter)) * 31;
        const std::size_t before = bytes_.size();
        try {
            work();
        } catch (const std::exception&) {
            bytes_.resize(before);
            if (!failed_) failed_ = std::current_exception();
            return;
        }
        bytes_ += "part";
        put_raw(static_cast<std::uint32_t>(name.size()));
        bytes_ += name;
        save();
    }

    // Three parts for an answer that takes matrices: call(rows, columns) calls it.
    template <class Call>
    void parts_by_shape(Call&& call) {
        const auto size = [this] { return static_cast<std::size_t>(integer(2, 40)); };
        part("square matrices", [&] {
            const std::size_t rows = size();
            call(rows, rows);
        });
        part("other shapes", [&] {
            for (int i = 0; i < 2; ++i) {
                const std::size_t rows = size();
                call(rows, rows + size());
                call(rows + size(), rows);
            }
        });
        part("one row or one column", [&] {
            call(size(), 1);
            call(1, size());
        });
    }

    // Two parts for an answer that takes a filter with odd numbers of rows and columns.
    template <class Call>
    void parts_by_filter(Call&& call) {
        const auto odd = [this] { return static_cast<std::size_t>(2 * integer(1, 3) + 1); };
        part("square filters", [&] {
            for (int i = 0; i < 2; ++i) {
                const std::size_t size = odd();
                call(size, size);
            }
        });
        part("filters of other shapes", [&] {
            call(1, odd());
            call(odd(), 1);
            call(3, 7);
            call(5, 3);
        });
    }

    // Writes the end, if no part has failed; else throws the first exception of a part.
    void finish() {
        if (failed_) std::rethrow_exception(failed_);
        bytes_.append("end\0", 4);
        save();
    }

    // A whole number from low to high, both included.
    std::int64_t integer(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
    }

    double uniform(double low, double high) {
        return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
    }

    // An array of random elements: whole numbers from low to high, or numbers between them.
    template <class Array>
    Array random(const typename Array::shape_type& shape, double low, double high) {
        using Element = typename Array::value_type;
        Array array = Array::from_shape(shape);
        for (Element& element : array)
            if constexpr (std::is_integral_v<Element>)
                element = static_cast<Element>(
                    integer(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)));
            else
                element = static_cast<Element>(uniform(low, high));
        return array;
    }

    // The numbers below `count`, each so many times, in a random order.
    std::vector<std::size_t> shuffled(std::size_t count, std::size_t times) {
        std::vector<std::size_t> numbers;
        for (std::size_t i = 0; i < count * times; ++i) numbers.push_back(i % count);
        for (std::size_t i = numbers.size(); i > 1; --i)
            std::swap(numbers[i - 1], numbers[next() % i]);
        return numbers;
    }

    // A number, a text, or an array with shape(), begin() and end().
    template <class Value>
    void put(const Value& value) {
        if constexpr (std::is_arithmetic_v<Value>) {
            put_head<Stored<Value>>(0);
            put_raw(static_cast<Stored<Value>>(value));
        } else {
            using Element = std::decay_t<decltype(*value.begin())>;
            const std::vector<std::uint64_t> shape = shape_of(value, 0);
            put_head<Stored<Element>>(shape.size());
            for (const std::uint64_t axis : shape) put_raw(axis);
            for (const Element element : value) put_raw(static_cast<Stored<Element>>(element));
        }
    }

private:
    // The form of a long double differs from machine to machine.
    template <class Number>
    using Stored = std::conditional_t<std::is_same_v<Number, long double>, double, Number>;

    std::uint64_t next() {  // splitmix64
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    template <class Array>
    static auto shape_of(const Array& array, int)
        -> decltype(array.shape(), std::vector<std::uint64_t>()) {
        return {array.shape().begin(), array.shape().end()};
    }
    template <class List>
    static std::vector<std::uint64_t> shape_of(const List& list, long) {
        return {list.size()};
    }

    template <class Element>
    void put_head(std::size_t axes) {
        static_assert(std::is_arithmetic_v<Element>, "a probe returns numbers and texts");
        const char kind = std::is_same_v<Element, char>       ? 'u'
                          : std::is_same_v<Element, bool>     ? 'b'
                          : std::is_floating_point_v<Element> ? 'f'
                          : std::is_signed_v<Element>         ? 'i'
                                                              : 'u';
        const char type[4] = {sizeof(Element) == 1 ? '|' : '<', kind,
                              static_cast<char>('0' + sizeof(Element)), '\0'};
        bytes_.append(type, sizeof type);
        put_raw(static_cast<std::uint32_t>(axes));
    }

    template <class Number>
    void put_raw(const Number& number) {
        char raw[sizeof number];
        std::memcpy(raw, &number, sizeof number);
        bytes_.append(raw, sizeof raw);
    }

    // Appends what is not in the file yet.
    void save() {
        const int file = open(path_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
        if (file < 0) throw std::runtime_error(std::string("run_probe: ") + std::strerror(errno));
        while (saved_ < bytes_.size()) {
            const ssize_t count = write(file, bytes_.data() + saved_, bytes_.size() - saved_);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) break;
            saved_ += static_cast<std::size_t>(count);
        }
        close(file);
    }

    std::uint64_t seed_;
    std::uint64_t state_;
    std::string path_;
    std::string bytes_ = "lanesprb";
    std::size_t saved_ = 0;
    std::exception_ptr failed_;
};

// Sees writes just outside of a result. The next request for the size of the block that was
// freed last gets that block: the blocks on both sides of it are filled and compared later. This
// holds for the small blocks of glibc's malloc; if the result is elsewhere, nothing is said.
//
//   lanes::grading::Fence fence(4 * rows * columns);
//   const lanes::Matrix c = matmul(a, b);
//   probe.put(fence.words(c.data()));
class Fence {
public:
    explicit Fence(std::size_t bytes) : bytes_(std::max(bytes, own_bytes)) {
        constexpr std::size_t largest = 1000;
        constexpr std::size_t most_blocks = 1 << 16;  // a heap has holes: they are filled first
        constexpr std::size_t kept_by_malloc = 8;     // blocks that were freed, one by one
        if (bytes == 0 || bytes > largest) return;
        blocks_.reserve(most_blocks);
        std::size_t usable = 0;
        while (blocks_.size() < most_blocks && middle_ == 0) {
            blocks_.push_back(static_cast<char*>(allocate(bytes)));
            usable = malloc_usable_size(blocks_.back());
            std::memset(blocks_.back(), 0x11, usable);
            const std::size_t last = blocks_.size() - 1;
            if (last > kept_by_malloc && is_next(last - 2, usable) && is_next(last - 1, usable))
                middle_ = last - 1;
        }
        if (middle_ == 0) return;
        begin_ = blocks_[middle_ - 1];
        before_.assign(begin_, blocks_[middle_ + 1] + usable);
        give_back(blocks_[middle_]);
    }
    Fence(const Fence&) = delete;
    Fence& operator=(const Fence&) = delete;
    ~Fence() {
        for (std::size_t i = 0; i < blocks_.size(); ++i)
            if (i != middle_ || middle_ == 0) give_back(blocks_[i]);
    }

    // What was written outside is undone.
    std::string words(const void* result) {
        bool is_intact = true;
        if (middle_ > 0 && result == blocks_[middle_])
            for (std::size_t i = 0; i < before_.size(); ++i) {
                const char* place = begin_ + i;
                const bool inside = place >= blocks_[middle_] && place < blocks_[middle_] + bytes_;
                if (inside || *place == before_[i]) continue;
                is_intact = false;
                begin_[i] = before_[i];
            }
        return is_intact ? "writes only to its result" : "writes outside of its result";
    }

private:
    // Through pointers that the compiler must read: it would leave out blocks that are not used.
    static inline void* (*volatile const allocate)(std::size_t) = std::malloc;
    static inline void (*volatile const give_back)(void*) = std::free;

    bool is_next(std::size_t i, std::size_t usable) const {
        const auto distance = static_cast<std::size_t>(blocks_[i + 1] - blocks_[i]);
        return distance == usable + sizeof(std::size_t) &&
               malloc_usable_size(blocks_[i]) == usable &&
               malloc_usable_size(blocks_[i + 1]) == usable;
    }

    static constexpr std::size_t own_bytes = 16;  // malloc writes to the start of a free block

    std::size_t bytes_;
    std::vector<char*> blocks_;
    std::size_t middle_ = 0;  // the block for the result; 0: there is none
    char* begin_ = nullptr;   // of the block before it
    std::vector<char> before_;
};

// The processes that this one has started and not waited for.
inline std::size_t children(int pid = getpid()) {
    std::size_t count = 0;
    const std::string folder = "/proc/" + std::to_string(pid) + "/task";
    for (const auto& thread : std::filesystem::directory_iterator(folder)) {
        std::ifstream file(thread.path() / "children");
        for (int child; file >> child;) ++count;
    }
    return count;
}

// How many memory mappings this process shares with others: has an answer given its memory back?
inline std::size_t shared_mappings() {
    std::size_t count = 0;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        count += line.find("rw-s") != std::string::npos ? 1 : 0;
    return count;
}

// Calls the probe and writes what it puts into an existing, empty file. After an exception of the
// answer the file holds the parts that were finished, and no end.
inline void run_probe(void (*probe)(Probe&), std::uint64_t seed, const char* path) {
    Probe values(seed, path);
    probe(values);
    values.finish();
}

}  // namespace lanes::grading
