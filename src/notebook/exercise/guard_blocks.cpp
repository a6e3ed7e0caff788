#include "guard_blocks.hpp"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace lanes::notebook {

namespace {

// What glibc keeps of freed blocks for the thread that freed them: so many of each size up to this
// one, and the last that came is the first that goes.
constexpr std::size_t kept_by_thread = 7, largest_kept = 1032;
constexpr std::size_t words_of_allocator =
    2 * sizeof(void*);  // in a block that is free, from its beginning on
constexpr std::size_t header = sizeof(std::size_t);  // of a block, in front of it
constexpr std::size_t width = 16 << 10;              // bytes of a fence, at most
constexpr int soil = 0xff;                           // as a float, not a number
constexpr int paint = 0x11;  // as a float, so small that whatever is added to it is seen

struct Run {
    std::size_t first = 0, count = 0;
};

// The most blocks that lie one behind the other.
Run longest_run(const std::vector<char*>& blocks, std::size_t step) {
    Run longest, run;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (run.count > 0 && blocks[i] == blocks[i - 1] + step)
            ++run.count;
        else
            run = {i, 1};
        if (run.count > longest.count) longest = run;
    }
    return longest;
}

}  // namespace

void GuardBlocks::Free::operator()(char* block) const { std::free(block); }

// An allocator that is asked for a size takes free blocks of that size, whoever had them: so all of
// them are taken, and as they come back last, they are given out first.
GuardBlocks::GuardBlocks(std::size_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    constexpr std::size_t at_least = 16, at_most = 4096, most_bytes = 4 << 20;
    // A heap that was used for long is full of holes, one here and one there. Only when they are
    // filled do blocks come one behind the other.
    constexpr std::size_t enough = kept_by_thread * 24, blocks_for_enough = 1 << 18,
                          bytes_for_enough = 32 << 20;
    std::vector<Block> blocks;
    std::size_t wanted = std::clamp(most_bytes / bytes, at_least, at_most), run_length = 0,
                longest = 0;
    blocks.reserve(wanted);
    while (blocks.size() < wanted) {
        blocks.emplace_back(static_cast<char*>(std::malloc(bytes)));
        char* const block = blocks.back().get();
        if (!block) return;
        usable_ = malloc_usable_size(block);
        std::memset(block, soil, usable_);
        const bool next =
            blocks.size() > 1 && block == blocks[blocks.size() - 2].get() + usable_ + header;
        run_length = next ? run_length + 1 : 1;
        longest = std::max(longest, run_length);
        if (blocks.size() == wanted && usable_ <= largest_kept && longest < enough &&
            wanted < std::min(blocks_for_enough, bytes_for_enough / bytes))
            wanted += at_most;
    }
    if (usable_ > largest_kept) return;
    std::sort(blocks.begin(), blocks.end());
    std::vector<char*> places;
    places.reserve(blocks.size());
    for (const Block& block : blocks) places.push_back(block.get());
    const std::size_t step = usable_ + header;
    const Run run = longest_run(places, step);
    const std::size_t share = run.count / kept_by_thread, reach = std::min(share / 2, width / step);
    if (reach < 2) return;
    std::vector<bool> fence(blocks.size());
    std::array<std::size_t, kept_by_thread> middles{};
    // From here on nothing may ask for memory: it would get what is meant for the answer.
    kept_.reserve(2 * reach * kept_by_thread);
    stretches_.reserve(kept_by_thread);
    for (std::size_t i = 0; i < kept_by_thread; ++i) {
        const std::size_t middle = run.first + i * share + share / 2;
        middles[i] = middle;
        for (std::size_t at = middle - reach; at < middle + reach; ++at) fence[at] = at != middle;
        stretches_.push_back(
            {places[middle - reach], places[middle + reach - 1] + usable_, places[middle], {}});
    }
    for (const std::size_t middle : middles) {
        std::memset(places[middle] + bytes, paint, usable_ - bytes);  // what rounding up has left
        blocks[middle].reset();
    }
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (fence[i]) {
            std::memset(places[i], paint, usable_);
            kept_.push_back(std::move(blocks[i]));
        }
    blocks.clear();
    for (Stretch& stretch : stretches_)
        stretch.held.assign(stretch.begin, stretch.end);  // the headers of blocks with it
}

std::optional<std::ptrdiff_t> GuardBlocks::written(const void* result, std::size_t bytes) {
    std::optional<std::ptrdiff_t> found;
    for (Stretch& stretch : stretches_) {
        const bool is_result = stretch.block == result;
        char* const end =
            stretch.block +
            (is_result && bytes == bytes_ ? std::max(bytes_, words_of_allocator) : usable_);
        for (char* place = stretch.begin; place < stretch.end; ++place) {
            if (place == stretch.block) place = end;
            if (place >= stretch.end ||
                *place == stretch.held[static_cast<std::size_t>(place - stretch.begin)])
                continue;
            if (!found || (is_result && *found == elsewhere))
                found = is_result ? place - stretch.block : elsewhere;
            *place = stretch.held[static_cast<std::size_t>(place - stretch.begin)];
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
            "your function writes outside of the memory that it has asked for: behind the end of a "
            "matrix or a vector, or in front of it.",
            "Does a loop run to <= where < is meant, or over the rows of another matrix?");
    const auto size = static_cast<std::ptrdiff_t>(bytes_of_element),
               wide = static_cast<std::ptrdiff_t>(columns);
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
        "your function writes outside of its result: the last element of " + shape + " is " + last +
            ", and " + "(" + std::to_string(at / wide) + ", " + std::to_string(at % wide) +
            ") is written.",
        "Rows lie one behind the other, so an index that is too large reaches the next row, and in "
        "the end memory of others.\n"
        "Does a loop run to <= where < is meant, or over the rows or columns of another matrix?");
}

}  // namespace lanes::notebook
