#include "notebook/cuda_cells/cuda_cells.hpp"

#include "base/checkout.hpp"
#include "lanes/base/error.hpp"
#include "lanes/gpu/program.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace lanes::notebook {
namespace {

std::string error_of(const std::string& arguments) {
    try {
        cuda_cell(arguments, "");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(CudaCells, TheTextIsAStringWithThePlaceOfTheCell) {
    const std::string cell = cuda_cell("text", "int x;\n");
    const std::string definition =
        "const std::string& text = lanes::keep_cuda_text(\"text\", \"#line \" + "
        "std::to_string(__LINE__ + 1) + \" \\\"\" __FILE__ \"\\\"\" "
        "R\"cuda(\nint x;\n)cuda\");\n";
    EXPECT_EQ(cell.substr(cell.find("const std::string& text")), definition);
    EXPECT_EQ(cell.find('\n'), cell.find("R\"cuda(") + 7) << "__LINE__ is that of the first line";
    const std::string strange = cuda_cell("text", "const char* s = \")cuda\", *t = \")cuda1\";");
    EXPECT_NE(strange.find("R\"cuda2(\nconst"), std::string::npos) << strange;
}

TEST(CudaCells, AWholeProgramIsRunWithItsArguments) {
    const std::string start =
        "#include \"lanes/gpu/whole_program.hpp\"\nif (const int status = "
        "lanes::run_cuda_program(std::string(__LINE__ - 1, '\\n') + R\"cuda(int main() {})cuda\", "
        "__FILE__, {";
    EXPECT_EQ(cuda_cell("", "int main() {}").find(start + "}))\n    throw "), 0u);
    EXPECT_EQ(cuda_cell("-- 1000 'a b' \"\"", "int main() {}")
                  .find(start + "R\"cuda(1000)cuda\", R\"cuda(a b)cuda\", R\"cuda()cuda\"}))"),
              0u);
    EXPECT_NE(error_of("-- 'a").find("is not closed"), std::string::npos);
}

TEST(CudaCells, ANameThatNoVariableCanHave) {
    for (const char* name : {"7up", "a b", "a-b", "int", "lanes", "\"text\""})
        EXPECT_EQ(error_of(name).find("'" + std::string(name) + "' cannot be the name"), 0u)
            << name;
    EXPECT_EQ(error_of("größe"), "");
}

// Tab offers what the simulator knows.
TEST(CudaCells, TheNamesExist) {
    const std::string names = device_names();
    const std::regex declared(
        R"(\n(?:extern |template <class T> )?(?:const )?(?:\w+ )+(\w+)[(; ])");
    std::set<std::string> found;
    for (std::sregex_iterator at(names.begin(), names.end(), declared), end; at != end; ++at)
        found.insert((*at)[1]);
    EXPECT_GT(found.size(), 100u);
    EXPECT_EQ(found.count("atomicAdd") + found.count("threadIdx") + found.count("float4"), 3u);
    found.erase("__syncthreads");  // refused without its parentheses
    std::string text = "namespace used {\n";
    for (const std::string& name : found)  // some are macros of the simulator
        text += "#ifndef " + name + "\nusing ::" + name + ";\n#endif\n";
    EXPECT_NO_THROW(Program(Device::simulator(), text + "}\n__global__ void f() {}\n"));
}

// Those of the runtime API are in the header that whole programs include.
TEST(CudaCells, TheNamesOfTheHostExist) {
    std::string header;
    for (const auto& folder : checkout_candidates()) {
        std::ifstream file(folder / "src/cuda_runtime/include/cuda_runtime.h");
        if (header.empty()) header.assign(std::istreambuf_iterator<char>(file), {});
    }
    const std::string names = host_names();
    const std::regex word("\\bcuda[A-Z]\\w*");
    int count = 0;
    for (std::sregex_iterator at(names.begin(), names.end(), word), end; at != end; ++at, ++count)
        EXPECT_TRUE(std::regex_search(header, std::regex("\\b" + at->str() + "\\b"))) << at->str();
    EXPECT_GT(count, 30);
}

}  // namespace
}  // namespace lanes::notebook
