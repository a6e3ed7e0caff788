// Predictions: a number that a reader writes down before a measurement is shown beside the measured
// one. Predictions live as long as the session and are not graded.
//
//   lanes::predict("sectors per request", 4);
//   lanes::reveal("sectors per request", 32);
#pragma once

#include <optional>
#include <string>

namespace lanes {

// Predicting again replaces the prediction. Throws Error if the number is not finite.
void predict(const std::string& what, double number);
std::optional<double> predicted(const std::string& what);

// Shows both numbers, or says how to predict if there is no prediction. A number that differs from
// run to run has a unit, as in with_unit.
void reveal(const std::string& what, double measured, const std::string& unit = "");

}  // namespace lanes
