#include "hints_names.hpp"

#include "session/base/similar_words.hpp"

#include <clang/Tooling/Inclusions/StandardLibrary.h>

namespace xcpp_session {
namespace {

namespace stdlib = clang::tooling::stdlib;

std::string without_brackets(const stdlib::Header& header) {
    return header.name().drop_front().drop_back().str();
}

}  // namespace

std::string header_of_std_name(std::string_view name) {
    if (const auto symbol = stdlib::Symbol::named("std::", name))
        if (const auto headers = symbol->headers(); !headers.empty())
            return without_brackets(headers.front());
    return {};
}

std::string similar_std_name(std::string_view name) {
    std::vector<std::string> names;
    for (const stdlib::Symbol& symbol : stdlib::Symbol::all())
        if (symbol.scope() == "std::") names.push_back(symbol.name().str());
    const std::vector<std::string> near =
        name.size() < 3 ? std::vector<std::string>() : similar_words(name, names);
    return near.empty() ? std::string() : near[0];
}

const std::vector<std::string>& known_headers() {
    static const std::vector<std::string> headers = [] {
        std::vector<std::string> all = {"xtensor/xarray.hpp",
                                        "xtensor/xtensor.hpp",
                                        "xtensor/xview.hpp",
                                        "xtensor/xio.hpp",
                                        "xtensor/xmath.hpp",
                                        "xtensor/xrandom.hpp",
                                        "xtensor/xadapt.hpp",
                                        "xtensor/xbuilder.hpp",
                                        "xtensor/xsort.hpp",
                                        "xcpp/xdisplay.hpp",
                                        "xtensor-blas/xlinalg.hpp",
                                        "nlohmann/json.hpp",
                                        "omp.h",
                                        "unistd.h",
                                        "pthread.h"};
        for (const auto language : {stdlib::Lang::CXX, stdlib::Lang::C})
            for (const stdlib::Header& header : stdlib::Header::all(language))
                all.push_back(without_brackets(header));
        return all;
    }();
    return headers;
}

}  // namespace xcpp_session
