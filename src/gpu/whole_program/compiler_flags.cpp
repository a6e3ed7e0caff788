#include "compiler_flags.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>

namespace lanes::gpu::whole_program {

Flags sorted_flags(const Words& given) {
    Flags flags;
    for (const std::string& flag : given) {
        const auto starts = [&](const char* with) { return flag.rfind(with, 0) == 0; };
        if (starts("-D") || starts("-U") || starts("-I"))
            flags.preprocessor.push_back(flag);
        else if (starts("-std="))
            flags.standard = flag, flags.device.push_back("--std=" + flag.substr(5));
        else if (starts("-l") || starts("-L"))
            flags.linker.push_back(flag);
        else if (flag == "-fopenmp")
            flags.compiler.push_back(flag), flags.linker.push_back(flag);
        else if (starts("-O") || flag == "-g" || starts("-W"))
            flags.compiler.push_back(flag);
        else if (!starts("-arch") && !starts("-gencode") && flag != "-lineinfo" && flag != "-G" &&
                 flag != "-use_fast_math" && flag != "-rdc=true")
            throw Error("run_cuda_program: the flag '", flag,
                        "' is not known. These are: -Ifolder, -DNAME=value, -UNAME, -std=c++17, "
                        "-O2, -fopenmp, -llibrary, -Lfolder; -arch, -gencode, -lineinfo, -G and "
                        "-use_fast_math are ignored.");
    }
    return flags;
}

std::vector<std::string> nvcc_flags(const BuildRequest& request,
                                    const std::filesystem::path& executable) {
    const auto starts = [](const std::string& flag, const char* with) {
        return flag.rfind(with, 0) == 0;
    };
    const auto given = [&](const char* with) {
        return std::any_of(request.flags.begin(), request.flags.end(),
                           [&](const std::string& flag) { return starts(flag, with); });
    };
    Words words;
    if (!given("-std=")) words.emplace_back("-std=c++17");
    if (!given("-O")) words.emplace_back("-O2");
    if (!given("-lineinfo") && !given("-G")) words.emplace_back("-lineinfo");
    if (!given("-arch") && !given("-gencode")) words.push_back("-arch=" + request.architecture);
    append(words, {"-o", executable.string()});
    for (const std::string& flag : request.flags)
        if (flag == "-fopenmp" || starts(flag, "-W"))
            append(words, {"-Xcompiler", flag});
        else
            words.push_back(flag);
    return words;
}

}  // namespace lanes::gpu::whole_program
