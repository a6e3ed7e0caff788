#include "axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace lanes::notebook {

namespace {

// 1, 2 or 5 times a power of ten, at least `about`.
double nice_step(double about) {
    const double power = std::pow(10, std::floor(std::log10(about)));
    for (const double times : {1.0, 2.0, 5.0})
        if (times * power >= about * (1 - 1e-9)) return times * power;
    return 10 * power;
}

std::string superscript(int number) {
    static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = number < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(number))) text += digits[digit - '0'];
    return text;
}

std::string with_commas(std::string text) {
    const std::size_t point = std::min(text.find('.'), text.size()), first = text[0] == '-' ? 1 : 0;
    for (std::size_t at = point; at > first + 3;) text.insert(at -= 3, ",");
    return text;
}

std::string fixed(double value, int decimals) {
    char buffer[400];
    std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
    return with_commas(buffer);
}

// "2×10⁶": for numbers that would be long otherwise.
std::string scientific(double value, int exponent, int decimals) {
    if (value == 0) return "0";
    const std::string mantissa = fixed(value / std::pow(10, exponent), decimals);
    return (mantissa == "1" ? "10" : mantissa + "×10") + superscript(exponent);
}

std::vector<Tick> linear_ticks(double low, double high, double step) {
    const double largest = std::max(std::fabs(low), std::fabs(high));
    const int of_step = static_cast<int>(std::floor(std::log10(step) + 1e-9)),
              exponent = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
    const bool is_long = exponent >= 7 || exponent <= -5;
    std::vector<Tick> ticks;
    for (double number = std::ceil(low / step - 1e-6); number <= high / step + 1e-6; ++number) {
        const double value = number == 0 ? 0 : number * step;
        ticks.push_back({value, is_long ? scientific(value, exponent, exponent - of_step)
                                        : fixed(value, std::max(0, -of_step))});
    }
    return ticks;
}

std::string log_label(double value, bool is_long) {
    const int exponent = static_cast<int>(std::floor(std::log10(value) + 1e-9));
    return is_long ? scientific(value, exponent, 0) : fixed(value, std::max(0, -exponent));
}

// Powers of ten, with 2 and 5 between them where there is room.
std::vector<Tick> decade_ticks(double low, double high, std::size_t wanted) {
    const int first = static_cast<int>(std::floor(std::log10(low) - 1e-9)),
              last = static_cast<int>(std::ceil(std::log10(high) + 1e-9));
    const double decades = std::log10(high / low);
    const bool between = 3 * decades <= 1.8 * static_cast<double>(wanted);
    const int stride =
        std::max(1, static_cast<int>(std::ceil(decades / (1.5 * static_cast<double>(wanted)))));
    const bool is_long = high >= 1e5 || low < 1e-3 * (1 - 1e-9);
    std::vector<Tick> ticks;
    for (int exponent = first; exponent <= last; ++exponent) {
        if (exponent % stride != 0) continue;
        for (const double times : {1.0, 2.0, 5.0}) {
            const double value = times * std::pow(10, exponent);
            if ((times == 1 || between) && value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
                ticks.push_back({value, log_label(value, is_long)});
        }
    }
    return ticks;
}

std::vector<Tick> power_of_two_ticks(double low, double high, std::size_t wanted) {
    const int first = static_cast<int>(std::ceil(std::log2(low) - 1e-9)),
              last = static_cast<int>(std::floor(std::log2(high) + 1e-9));
    const int stride = std::max(
        1, static_cast<int>(std::ceil((last - first + 1) / (1.6 * static_cast<double>(wanted)))));
    std::vector<Tick> ticks;
    for (int exponent = first; exponent <= last; exponent += stride) {
        const double value = std::exp2(exponent);
        ticks.push_back({value, value >= 1e7 || exponent < -6
                                    ? "2" + superscript(exponent)
                                    : fixed(value, std::max(0, -exponent))});
    }
    return ticks;
}

double linear_step(double low, double high, const AxisWishes& wishes) {
    const double step =
        nice_step((high - low) / static_cast<double>(std::max<std::size_t>(wishes.ticks, 2)));
    return wishes.whole_numbers ? std::max(step, 1.0) : step;
}

std::vector<Tick> ticks_of(double low, double high, const AxisWishes& wishes) {
    if (wishes.log) {
        auto ticks = wishes.powers_of_two ? power_of_two_ticks(low, high, wishes.ticks)
                                          : decade_ticks(low, high, wishes.ticks);
        if (ticks.size() >= 2) return ticks;
    }
    return linear_ticks(low, high, linear_step(low, high, wishes));
}

}  // namespace

double Axis::place(double value) const {
    return log ? (std::log(value) - std::log(low)) / (std::log(high) - std::log(low))
               : (value - low) / (high - low);
}

Axis fixed_axis(double low, double high, const AxisWishes& wishes) {
    return {wishes.log, low, high, ticks_of(low, high, wishes)};
}

Axis make_axis(double low, double high, const AxisWishes& wishes) {
    if (wishes.log) {
        if (low == high) low /= 2, high *= 2;
        const double room = std::pow(high / low, 0.03);
        if (wishes.tight) return fixed_axis(low / room, high * room, wishes);
        // out to the next 1, 2 or 5
        const auto down = [](double value) {
            const double power = std::pow(10, std::floor(std::log10(value) + 1e-9));
            return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
        };
        return fixed_axis(down(low), 1 / down(1 / high), wishes);
    }
    if (low == high) {
        const double room = low == 0 ? 1 : std::fabs(low) * 0.1;
        low -= room, high += room;
    }
    if (wishes.tight) {
        const double room = 0.025 * (high - low);
        return fixed_axis(low - room, high + room, wishes);
    }
    const double step = linear_step(low, high, wishes);
    return fixed_axis(std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step,
                      wishes);
}

}  // namespace lanes::notebook
