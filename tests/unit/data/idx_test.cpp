#include "lanes/data/idx.hpp"

#include "files.hpp"
#include "lanes/base.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace {

using files::Bytes;
using files::Folder;

std::string complaint(const std::string& path) {
    try {
        lanes::read_idx(path);
    } catch (const lanes::Error& error) {
        return error.what();
    }
    return "";
}

void expect_complaint(const std::string& path, const std::vector<std::string>& parts) {
    const std::string text = complaint(path);
    for (const std::string& part : parts)
        EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
    EXPECT_NE(text.find(path), std::string::npos) << text;
}

TEST(ReadIdx, ReadsPlainAndPackedFiles) {
    const Folder folder;
    const Bytes values = files::some_values(24), bytes = files::idx({2, 3, 4}, values);
    for (const std::string& path :
         {folder.write("plain", bytes), folder.write_packed("packed.gz", bytes)}) {
        const lanes::IdxArray array = lanes::read_idx(path);
        EXPECT_EQ(array.shape, (std::vector<std::size_t>{2, 3, 4}));
        EXPECT_EQ(array.values, values);
    }
    EXPECT_TRUE(lanes::read_idx(folder.write("none", files::idx({0, 28, 28}, {}))).values.empty());
}

TEST(ReadIdx, NamesTheFileTheByteAndTheRemedy) {
    const Folder folder;
    const Bytes values = files::some_values(24), whole = files::idx({2, 3, 4}, values);
    expect_complaint(folder.path("absent"), {"is not a file", "LANES_DATA"});
    expect_complaint(folder.path(), {"is not a file"});
    expect_complaint(folder.write("empty", {}),
                     {"byte 0: the file ends here", "header goes on to byte 4", "get it again"});
    expect_complaint(folder.write("short", Bytes(whole.begin(), whole.begin() + 10)),
                     {"byte 10: the file ends here", "goes on to byte 12"});
    expect_complaint(folder.write("text", {'h', 'e', 'l', 'l', 'o'}), {"byte 0: 104", "two zeros"});
    Bytes floats = whole;
    floats[2] = 13;
    expect_complaint(folder.write("floats", floats),
                     {"byte 2: values of type 13", "unsigned bytes"});
    Bytes axes = whole;
    axes[3] = 200;
    expect_complaint(folder.write("axes", axes), {"byte 3: 200 axes"});
    Bytes longer = whole;
    longer.push_back(7);
    expect_complaint(folder.write("longer", longer), {"byte 40: the file goes on", "(2, 3, 4)"});
}

TEST(ReadIdx, SaysWhereAFileWasCutOff) {
    const Folder folder;
    const Bytes whole = files::idx({2, 3, 400}, files::some_values(2400));
    const std::string packed = folder.write_packed("whole.gz", whole);
    expect_complaint(folder.write("plain", Bytes(whole.begin(), whole.begin() + 40)),
                     {"byte 12", "(2, 3, 400)", "more bytes than this file can hold"});
    Bytes half = files::read(packed);
    half.resize(half.size() - 12);
    expect_complaint(folder.write("half.gz", half),
                     {"(after decompression)", "ends too early", "Get the file again"});
    Bytes wrong_sum = files::read(packed);
    wrong_sum[wrong_sum.size() - 6] ^= 1;
    expect_complaint(folder.write("sum.gz", wrong_sum), {"damaged"});
    expect_complaint(folder.write_packed("fewer.gz", Bytes(whole.begin(), whole.end() - 5)),
                     {"byte 2411", "goes on to byte 2416"});
}

TEST(ReadIdx, AllocatesNothingThatTheFileCannotFill) {
    const Folder folder;
    const Bytes huge = files::idx({0xffffffff, 0xffffffff, 0xffffffff}, files::some_values(100));
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    expect_complaint(folder.write("huge", huge), {"more bytes than this file can hold"});
    expect_complaint(folder.write_packed("huge.gz", huge), {"more bytes than this file can hold"});
    getrusage(RUSAGE_SELF, &after);
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 * 1024);  // KiB
}

// Each file is a complete one with a few bytes changed, removed, doubled or cut off. It is read, or
// refused by an Error with its name; nothing else happens.
TEST(ReadIdx, SurvivesDamagedFiles) {
    const Folder folder;
    const Bytes plain = files::idx({5, 4, 3}, files::some_values(60)),
                packed = files::read(folder.write_packed("whole.gz", plain));
    lanes::Rng rng(2026);
    int refused = 0, read = 0;
    for (int round = 0; round < 2000; ++round) {
        Bytes bytes = round % 2 ? packed : plain;
        for (auto change = rng.integer(1, 4); change > 0 && !bytes.empty(); --change) {
            const auto place =
                bytes.begin() + rng.integer(0, static_cast<std::int64_t>(bytes.size()) - 1);
            switch (rng.integer(0, 5)) {
                case 0:
                    *place = static_cast<unsigned char>(rng.integer(0, 255));
                    break;
                case 1:
                    *place ^= static_cast<unsigned char>(1 << rng.integer(0, 7));
                    break;
                case 2:
                    *place = rng.integer(0, 1) ? 0xff : 0;
                    break;
                case 3:
                    bytes.erase(place);
                    break;
                case 4:
                    bytes.insert(place, static_cast<unsigned char>(rng.integer(0, 255)));
                    break;
                default:
                    bytes.erase(place, bytes.end());
            }
        }
        const std::string path = folder.write("damaged", bytes);
        try {
            const lanes::IdxArray array = lanes::read_idx(path);
            std::size_t count = 1;
            for (const std::size_t length : array.shape) count *= length;
            EXPECT_EQ(array.values.size(), count);
            ++read;
        } catch (const lanes::Error& error) {
            EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
            ++refused;
        }
    }
    EXPECT_GT(refused, 1000);
    EXPECT_GT(read, 50);  // a changed pixel of an uncompressed file cannot be detected
}

}  // namespace
