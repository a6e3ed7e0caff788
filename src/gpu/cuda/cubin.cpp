#include "compiler.hpp"
#include "gpu/cache/disk_cache.hpp"
#include "gpu/source/flags.hpp"
#include "gpu/source/preprocessor.hpp"
#include "standard_headers.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cstdlib>

namespace lanes::gpu::cuda {

namespace {

std::string key_of(const CubinRequest& request) {
    std::vector<std::string> parts{"cubin 2", request.program.text, request.program.file,
                                   request.architecture, compiler_identity()};
    const auto add = [&parts](const std::string& heading, const std::vector<std::string>& list) {
        parts.push_back(heading + " " + std::to_string(list.size()));
        parts.insert(parts.end(), list.begin(), list.end());
    };
    add("flags", request.program.flags);
    add("names", request.name_expressions);
    std::vector<std::string> files;
    for (const IncludedFile& file :
         preprocess(request.program.text, request.program.flags).included)
        files.insert(files.end(), {file.path, file.content});
    add("files", files);
    std::vector<std::string> headers;
    for (const auto& [name, content] : standard_headers(request.program.flags))
        headers.insert(headers.end(), {name, content});
    add("headers", headers);
    return DiskCache::key(parts);
}

// Each string with its length before it; the image is the last one.
std::string packed(const Cubin& cubin) {
    std::string text;
    const auto add = [&text](const std::string& part) {
        text += std::to_string(part.size()) + ":" + part;
    };
    for (const auto& [name, lowered] : cubin.lowered_names) add(name), add(lowered);
    add(cubin.image);
    return text;
}

Cubin unpacked(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t colon = text.find(':', at),
                          length = std::strtoull(text.c_str() + at, nullptr, 10);
        parts.push_back(text.substr(colon + 1, length));
        at = colon + 1 + length;
    }
    Cubin cubin;
    for (std::size_t i = 0; i + 2 < parts.size(); i += 2)
        cubin.lowered_names[parts[i]] = parts[i + 1];
    cubin.image = parts.back();
    cubin.from_cache = true;
    return cubin;
}

int number_of(const std::string& architecture) {
    return architecture.compare(0, 3, "sm_") == 0 ? std::atoi(architecture.c_str() + 3) : 0;
}

}  // namespace

std::vector<std::string> name_expressions(const ProgramText& program,
                                          const Declarations& declarations) {
    std::vector<std::string> names = program.instances;
    for (const Signature& signature : declarations.signatures)
        if (!signature.is_template) names.push_back(signature.qualified_name());
    for (const Variable& variable : declarations.variables)
        names.push_back("&" + variable.qualified_name());
    std::sort(names.begin(), names.end());  // overloads give one name twice
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

Cubin cached_cubin(const CubinRequest& request) {
    const DiskCache cache("cubin", ".cubin");
    const std::string key = key_of(request);
    if (const auto payload = cache.load(key)) return unpacked(*payload);
    const Cubin cubin = compile_cubin(request);
    cache.store(key, packed(cubin));
    return cubin;
}

std::string architecture_for(const std::string& device_architecture) {
    const std::vector<std::string> known = supported_architectures();
    if (std::find(known.begin(), known.end(), device_architecture) != known.end())
        return device_architecture;
    const int wanted = number_of(device_architecture);
    std::string best;
    for (const std::string& name : known)
        if (number_of(name) / 10 == wanted / 10 && number_of(name) < wanted) best = name;
    if (best.empty())
        throw Error("Program: this NVRTC (",
                    compiler_identity().substr(0, compiler_identity().find(' ')), ") compiles for ",
                    known.front(), " to ", known.back(), ", the GPU is ", device_architecture,
                    wanted < number_of(known.front())
                        ? ". Install an older one: `pip install nvidia-cuda-nvrtc-cu12`."
                        : ". Install a newer one: `pip install --upgrade nvidia-cuda-nvrtc`.");
    return best;
}

Cubin compile_for_architecture(const std::string& text, const std::string& architecture,
                               const std::vector<std::string>& flags, const std::string& name) {
    CubinRequest request{{text, name, normal_flags(flags)}, architecture, {}};
    request.program.flags.push_back("--gpu-architecture=" + architecture);
    for (const Signature& signature : read_signatures(text, request.program.flags))
        if (!signature.is_template) request.name_expressions.push_back(signature.qualified_name());
    return compile_cubin(request);
}

}  // namespace lanes::gpu::cuda
