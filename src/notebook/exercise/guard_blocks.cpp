#include "guard_blocks.hpp"

#include "base/thread_pool.hpp"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace lanes::notebook {

namespace {

// Called through pointers that the compiler must read: it would leave out a pair of malloc and free
// whose memory is not used, and assume that malloc never returns a block that was freed.
void* (*volatile const allocate)(std::size_t) = std::malloc;
void (*volatile const give_back)(void*) = std::free;

constexpr int poison = 0xff;  // as a float: not a number
constexpr int paint = 0x11;   // as a float: so small that whatever is added to it is seen

constexpr std::size_t most_stretches = 4;  // for the result and for temporaries of its size
constexpr std::size_t guard_bytes = 4096;  // on each side of a block, at least two blocks
constexpr std::size_t largest_gap = 16;    // between neighbours: no block fits in there

// Blocks up to this size have guards. Between blocks of the address sanitizer lie guards of its
// own, which may not be read.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LANES_WITH_ADDRESS_SANITIZER
#endif
#endif
#ifdef LANES_WITH_ADDRESS_SANITIZER
constexpr std::size_t largest_guarded = 0;
#else
constexpr std::size_t largest_guarded = 4096;
#endif

// A heap that was used for long has holes here and there. Only after they are filled do blocks come
// one after the other: the search for neighbours ends here.
constexpr std::size_t most_bytes = 32 << 20;
constexpr std::size_t most_blocks = 1 << 18;

// So many blocks are filled with not-a-numbers at least, whether guarded or not.
std::size_t fewest_blocks(std::size_t bytes) {
    constexpr std::size_t at_least = 16;
    constexpr std::size_t at_most = 4096;
    return std::clamp((std::size_t{4} << 20) / bytes, at_least, at_most);
}

}  // namespace

void GuardBlocks::Free::operator()(char* block) const { give_back(block); }

GuardBlocks::GuardBlocks(std::size_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    // When first asked, it reads files of the system: fopen would get a guarded block and leave its
    // bytes where a result of nearly the same size ends.
    static_cast<void>(max_threads());
    const std::size_t reach = std::max<std::size_t>(2, guard_bytes / bytes);  // blocks per side
    const std::size_t fewest = fewest_blocks(bytes);
    const std::size_t most = bytes > largest_guarded
                                 ? fewest
                                 : std::max(fewest, std::min(most_blocks, most_bytes / bytes));
    std::vector<Block> blocks;
    std::array<std::size_t, most_stretches> middles{};
    std::size_t found = 0;
    std::size_t run = 0;  // neighbours so far, one after the other
    while (blocks.size() < fewest || (blocks.size() < most && found < most_stretches)) {
        Block block(static_cast<char*>(allocate(bytes)));
        if (!block) return;
        const std::size_t usable = malloc_usable_size(block.get());
        std::memset(block.get(), poison, usable);
        const std::ptrdiff_t distance = blocks.empty() ? 0 : block.get() - blocks.back().get();
        const bool is_next =
            distance > 0 && distance <= static_cast<std::ptrdiff_t>(usable + largest_gap);
        // A hole may give a block that is a little larger: guards are blocks of one size.
        if (found == 0 && usable != usable_) {
            usable_ = usable;
            run = 0;
        }
        run = usable != usable_ ? 0 : run > 0 && is_next ? run + 1 : 1;
        blocks.push_back(std::move(block));
        if (run < 2 * reach + 1 || found == most_stretches) continue;
        middles[found++] = blocks.size() - 1 - reach;
        run = 0;
    }
    if (bytes > largest_guarded) return;  // frees all of them

    stretches_.reserve(found);
    for (std::size_t i = 0; i < found; ++i) {
        const std::size_t middle = middles[i];
        char* const begin = blocks[middle - reach].get();
        char* const end = blocks[middle + reach].get() + usable_;
        for (std::size_t guard = middle - reach; guard <= middle + reach; ++guard)
            if (guard != middle) std::memset(blocks[guard].get(), paint, usable_);
        char* const block = blocks[middle].release();
        std::memset(block + bytes, paint, usable_ - bytes);  // what rounding up has added
        stretches_.push_back({begin, end, block, std::vector<char>(begin, end)});
    }
    // All others stay allocated: the answer gets the guarded blocks. Nothing else may be freed from
    // here on.
    kept_ = std::move(blocks);
    if (found > 0 && can_free_blocks()) return;
    stretches_.clear();
    kept_.clear();
}

// Frees the blocks that are meant for the answer. Returns whether they can be guarded: tries
// whether the allocator hands them out again, and keeps its own data nowhere but at their start,
// both while they are free and while they are in use. Allocates nothing else.
bool GuardBlocks::can_free_blocks() {
    bool can = true;
    const auto look = [&] {
        for (const Stretch& stretch : stretches_)
            for (char* place = stretch.begin; place < stretch.end; ++place) {
                if (*place == stretch.held[static_cast<std::size_t>(place - stretch.begin)])
                    continue;
                const bool inside = place >= stretch.block && place < stretch.block + usable_;
                can = can && inside;
                if (inside)
                    own_bytes_ =
                        std::max(own_bytes_, static_cast<std::size_t>(place + 1 - stretch.block));
            }
    };
    std::array<char*, most_stretches> got{};
    for (const Stretch& stretch : stretches_) give_back(stretch.block);
    look();
    for (std::size_t i = 0; i < stretches_.size(); ++i)
        got[i] = static_cast<char*>(allocate(bytes_));
    look();
    for (const Stretch& stretch : stretches_)
        can = can && std::find(got.begin(), got.end(), stretch.block) != got.end();
    for (std::size_t i = 0; i < stretches_.size(); ++i) give_back(got[i]);
    return can;
}

// glibc keeps the size of a block, and a flag that says whether the block before it is free, in the
// word in front of each. Both may change in a stretch that does not hold the result: something else
// got its block, and freed it in another thread. Such a word is taken over, so that it is neither
// reported nor undone.
void GuardBlocks::accept_sizes_of_freed_block(Stretch& stretch) const {
    constexpr std::size_t smallest = 32;
    for (char* const place : {stretch.block - sizeof(std::size_t), stretch.block + usable_}) {
        char* const held = stretch.held.data() + (place - stretch.begin);
        std::size_t now, before;
        std::memcpy(&now, place, sizeof now);
        std::memcpy(&before, held, sizeof before);
        if (now >= smallest && now < before) std::memcpy(held, &now, sizeof now);
    }
}

// glibc writes the size of a block into the block's last word when another thread frees it. The
// answer may then get this block for its result, and the part of that word behind the result is not
// its doing.
bool GuardBlocks::is_size_of_freed_block(const Stretch& stretch, const char* place) const {
    const std::size_t size = usable_ + sizeof(std::size_t);
    const std::ptrdiff_t byte = place - (stretch.block + usable_ - sizeof size);
    if (byte < 0 || byte >= static_cast<std::ptrdiff_t>(sizeof size)) return false;
    return *place == reinterpret_cast<const char*>(&size)[byte];
}

std::optional<std::ptrdiff_t> GuardBlocks::written(const void* result, std::size_t bytes) {
    std::optional<std::ptrdiff_t> found;
    for (Stretch& stretch : stretches_) {
        const bool is_result = stretch.block == result;
        if (!is_result) accept_sizes_of_freed_block(stretch);
        char* const end =
            stretch.block + (is_result && bytes == bytes_ ? std::max(bytes_, own_bytes_) : usable_);
        for (char* place = stretch.begin; place < stretch.end; ++place) {
            if (place == stretch.block) place = end;
            if (place >= stretch.end) break;
            const char held = stretch.held[static_cast<std::size_t>(place - stretch.begin)];
            if (*place == held || (is_result && is_size_of_freed_block(stretch, place))) continue;
            if (!found || (is_result && *found == elsewhere))
                found = is_result ? place - stretch.block : elsewhere;
            *place = held;
        }
    }
    return found;
}

void poison_memory(std::size_t bytes) { const GuardBlocks poisoned(bytes); }

void judge_guard_blocks(Judge& judge, GuardBlocks& guards, const void* result, std::size_t rows,
                        std::size_t columns, std::size_t bytes_of_element) {
    const auto written = guards.written(result, rows * columns * bytes_of_element);
    if (!written) return;
    if (*written == GuardBlocks::elsewhere || rows * columns == 0)
        judge.fail(
            "your function writes outside the memory that it has allocated: past the end of a "
            "matrix or a vector, or before its start.",
            "Does a loop run to <= where < is meant, or over the rows of another matrix?");
    const auto size = static_cast<std::ptrdiff_t>(bytes_of_element);
    const auto wide = static_cast<std::ptrdiff_t>(columns);
    const std::string shape = std::to_string(rows) + "x" + std::to_string(columns);
    const std::string last =
        "(" + std::to_string(rows - 1) + ", " + std::to_string(columns - 1) + ")";
    if (*written < 0)
        judge.fail("your function writes in front of its result, " +
                       std::to_string((size - 1 - *written) / size) +
                       (*written >= -size ? " element" : " elements") + " before (0, 0).",
                   "An index is negative.");
    const std::ptrdiff_t at = *written / size;
    judge.fail(
        "your function writes outside its result: the last element of " + shape + " is " + last +
            ", and " + "(" + std::to_string(at / wide) + ", " + std::to_string(at % wide) +
            ") is written.",
        "Rows lie one after the other, so an index that is too large reaches the next row, and in "
        "the end other memory.\n"
        "Does a loop run to <= where < is meant, or over the rows or columns of another matrix?");
}

}  // namespace lanes::notebook
