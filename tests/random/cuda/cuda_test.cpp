// Random CUDA kernels on the simulator with all checks, in its fast mode, and on a GPU if there is
// one: no finding, and the same results everywhere. cuda_programs.py makes the programs; README.md
// says how to run more of them.
#include "../programs.hpp"

#include "lanes/gpu.hpp"

#include <cstring>
#include <functional>
#include <iomanip>
#include <sstream>

namespace lanes_random {
namespace {

using lanes::Buffer;

template <class T>
struct Type {
    using type = T;
};

// Calls f with Type<T>, for the type of this name.
template <class F>
auto with_type(const std::string& name, F f) {
    if (name == "int") return f(Type<int>());
    if (name == "unsigned") return f(Type<unsigned>());
    if (name == "long long") return f(Type<long long>());
    if (name == "unsigned long long") return f(Type<unsigned long long>());
    if (name == "unsigned char") return f(Type<unsigned char>());
    if (name == "short") return f(Type<short>());
    if (name == "double") return f(Type<double>());
    if (name == "float") return f(Type<float>());
    throw lanes::Error("random CUDA kernels: the type '" + name + "' is not known");
}

// fill: "wide" has integers of all sizes, "small" those from -8 to 8; of floats see filled().
template <class T>
std::vector<T> values_for(const Json& argument) {
    const std::size_t count = argument[1];
    const std::string fill = argument[2];
    std::vector<T> values(count);
    if (fill == "zero") return values;
    if constexpr (std::is_floating_point_v<T>) {
        const Tensor floats = filled(Shape({count}), fill, argument[3]);
        const std::vector<float> numbers = floats.to_vector();
        return {numbers.begin(), numbers.end()};
    }
    const std::vector<std::uint32_t> words = hashed(argument[3], 2 * count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t wide = std::uint64_t{words[count + i]} << 32 | words[i];
        values[i] = fill == "wide" ? static_cast<T>(wide)
                                   : static_cast<T>(static_cast<int>(words[i] % 17) - 8);
    }
    return values;
}

// A result as the bits of its elements; every NaN has the same.
struct Result {
    std::string type;
    double tolerance = 0;
    std::vector<std::uint64_t> bits;
    std::vector<double> values;
};

template <class T>
Result result_of(const Buffer<T>& buffer, const Json& argument) {
    Result result{argument[0], argument[4], {}, {}};
    for (const T value : buffer.download()) {
        std::uint64_t bits = 0;
        if (value != value)
            bits = ~bits;
        else
            std::memcpy(&bits, &value, sizeof value);
        result.bits.push_back(bits);
        result.values.push_back(static_cast<double>(value));
    }
    return result;
}

// Launches one CUDA kernel. Throws if the simulator finds something.
std::vector<Result> launched(const lanes::Program& program, const std::string& name,
                             const Json& kernel) {
    const Device& device = program.device();
    const Json constants = kernel.value("constants", Json::object());
    for (const auto& [variable, argument] : constants.items())
        with_type(argument[0], [&, name = variable, &values = argument](auto type) {
            using T = typename decltype(type)::type;
            program.variable(name).upload(values_for<T>(values));
        });
    std::vector<lanes::gpu::Argument> arguments;
    std::vector<std::function<Result()>> results;
    for (const Json& argument : kernel.at("arguments")) {
        if (argument.is_number()) {
            arguments.push_back(lanes::gpu::argument(argument.get<int>()));
            continue;
        }
        with_type(argument[0], [&](auto type) {
            using T = typename decltype(type)::type;
            Buffer<T> buffer(device, argument[1].get<std::size_t>());
            if (argument[2] != "empty") buffer.upload(values_for<T>(argument));
            arguments.push_back(lanes::gpu::argument(buffer));
            if (argument.size() > 4)
                results.push_back([buffer, argument] { return result_of(buffer, argument); });
        });
    }
    lanes::LaunchConfig config;
    config.grid = {kernel["grid"][0].get<int>(), kernel["grid"][1].get<int>()};
    config.block = {kernel["block"][0].get<int>(), kernel["block"][1].get<int>()};
    config.shared_bytes = kernel.value("shared", 0);
    lanes::gpu::launch_arguments(program.kernel(name), config, arguments);
    std::vector<Result> found;
    for (const auto& result : results) found.push_back(result());
    return found;
}

bool close(double a, double b, double tolerance) {
    return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance;
}

// What differs, or "".
std::string difference(const std::vector<Result>& a, const std::vector<Result>& b) {
    std::ostringstream out;
    for (std::size_t k = 0; k < a.size(); ++k)
        for (std::size_t i = 0; i < a[k].bits.size(); ++i) {
            if (a[k].tolerance == 0 ? a[k].bits[i] == b[k].bits[i]
                                    : close(a[k].values[i], b[k].values[i], a[k].tolerance))
                continue;
            out << std::setprecision(17) << "result " << k << " (" << a[k].type << ")[" << i
                << "] is " << a[k].values[i] << " instead of " << b[k].values[i] << std::hex
                << ", bits 0x" << a[k].bits[i] << " instead of 0x" << b[k].bits[i];
            return out.str();
        }
    return "";
}

// FNV-1a of the bits, and the first of them; of an approximate result, some of its values instead.
Json stored(const Result& result) {
    if (result.tolerance == 0) {
        std::uint64_t hash = 0xcbf29ce484222325u;
        for (const std::uint64_t bits : result.bits) hash = (hash ^ bits) * 0x100000001b3u;
        std::vector<std::uint64_t> first = result.bits;
        first.resize(std::min<std::size_t>(3, first.size()));
        return {{"hash", hash}, {"first", first}};
    }
    Json values = Json::array();
    const std::size_t step = std::max<std::size_t>(1, result.values.size() / 8);
    for (std::size_t i = 0; i < result.values.size(); i += step) values.push_back(result.values[i]);
    return values;
}

std::string difference_from_stored(const std::vector<Result>& results, const Json& expected) {
    for (std::size_t k = 0; k < results.size(); ++k) {
        const Json found = stored(results[k]);
        bool same = found == expected[k];
        if (found.is_array() && found.size() == expected[k].size()) {
            same = true;
            for (std::size_t i = 0; i < found.size(); ++i)
                same = same && close(found[i], expected[k][i], results[k].tolerance);
        }
        if (!same)
            return "result " + std::to_string(k) + " is " + found.dump() + " instead of " +
                   expected[k].dump() + "\n";
    }
    return "";
}

// One program on each device: the simulator with all checks, without them, and a GPU if there is
// one.
class Execution {
public:
    explicit Execution(const Json& source) : kernels_(source.at("kernels")) {
        std::string text = source.at("header");
        for (const Json& kernel : kernels_) text += kernel.at("text").get<std::string>() + "\n";
        std::vector<Device> devices{"simulator", Device("simulator").fast()};
        if (Device::has_gpu()) devices.emplace_back("cuda:0");
        for (const Device& device : devices)
            programs_.emplace_back(device, text,
                                   lanes::ProgramOptions{"random.cu", source.at("flags")});
    }

    std::size_t size() const { return kernels_.size(); }
    std::string device() const { return programs_.back().device().name(); }

    // What is wrong with a CUDA kernel; "" if nothing. Appends the last device's results to values.
    std::string result(std::size_t number, Json& values) const {
        const Json& kernel = kernels_[number];
        const std::string name = programs_[0].kernel_names().at(number);
        std::string wrong;
        std::vector<std::vector<Result>> results;
        for (const lanes::Program& program : programs_) {
            const std::string where = program.device().description() + ": ";
            try {
                results.push_back(launched(program, name, kernel));
                if (const std::string text = difference(results.back(), results[0]); !text.empty())
                    wrong += where + "unlike the checked simulator, " + text + "\n";
            } catch (const lanes::Error& error) {
                wrong += where + error.what() + "\n";
                break;
            }
        }
        if (wrong.empty() && kernel.contains("expected"))
            wrong = difference_from_stored(results[0], kernel.at("expected"));
        values.push_back(Json::array());
        if (wrong.empty())
            for (const Result& result : results.back()) values.back().push_back(stored(result));
        if (wrong.empty()) return "";
        Json launch = kernel;
        launch.erase("text");
        return name + ": " + wrong + launch.dump() + "\n" + kernel.at("text").get<std::string>();
    }

private:
    const Json& kernels_;
    std::vector<lanes::Program> programs_;
};

class RandomCuda : public testing::TestWithParam<std::size_t> {};

TEST_P(RandomCuda, GivesTheSameOnEveryDevice) {
    const Execution execution(programs_of("cuda/cuda").at(GetParam()));
    Json values = Json::array();
    for (std::size_t k = 0; k < execution.size(); ++k)
        if (const std::string wrong = execution.result(k, values); !wrong.empty())
            ADD_FAILURE() << wrong;
    if (const char* const folder = std::getenv("LANES_RANDOM_VALUES")) {
        std::ofstream out(folder + ("/" + std::to_string(GetParam())) + ".json");
        out << Json{{"device", execution.device()}, {"values", values}}.dump(1) << '\n';
        ASSERT_TRUE(out.good()) << "LANES_RANDOM_VALUES: " << folder << " cannot be written";
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, RandomCuda,
                         testing::Range<std::size_t>(0, programs_of("cuda/cuda").size()));

}  // namespace
}  // namespace lanes_random
