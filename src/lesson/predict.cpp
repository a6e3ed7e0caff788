#include "lanes/lesson/predict.hpp"

#include "lanes/base/error.hpp"
#include "lanes/notebook/table.hpp"

#include <cmath>
#include <map>

namespace lanes {
namespace {

std::map<std::string, double>& predictions() {
    static std::map<std::string, double> all;
    return all;
}

}  // namespace

void predict(const std::string& what, double number) {
    LANES_REQUIRE(std::isfinite(number), "predict '", what, "': ", number,
                  " is not a number that can be compared. Write down a finite one.");
    predictions()[what] = number;
}

std::optional<double> predicted(const std::string& what) {
    const auto found = predictions().find(what);
    if (found == predictions().end()) return std::nullopt;
    return found->second;
}

void reveal(const std::string& what, double measured, const std::string& unit) {
    const auto before = predicted(what);
    const auto text = [&](double number) {
        return unit.empty() ? compact(number) : with_unit(number, unit);
    };
    Table table({"", "predicted", "measured"});
    table.row(what, before ? text(*before) : "-", text(measured));
    if (!before)
        table.note("Before the measurement, lanes::predict(\"" + what +
                   "\", …) keeps your prediction.");
    table.show();
}

}  // namespace lanes
