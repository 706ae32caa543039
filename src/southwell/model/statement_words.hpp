#pragma once

#include <string>

#include "southwell/model/statement.hpp"

namespace southwell::model {

// The words that a statement has in every form: on a terminal and on a page.

/// Nine digits; "unknown" for NaN.
std::string number_text(double value);
/// What one use of a mechanism costs, in the words of its kind.
std::string cost_text(const privacy::Cost& cost);
std::string input_text(const PublicInput::Value& value);
std::string spent_text(const Statement& statement);
std::string fit_text(const Statement& statement);
/// What sums are divided by.
std::string divisor_text(const Statement& statement);
/// A step, with the part of the records that it ran on if that was not all.
std::string step_text(const MechanismUse& use);
std::string parts_text(const Statement& statement);
/// Of mechanisms of several plans; empty where there is one.
std::string plans_text(const Statement& statement);
/// How many runs there were, as far as anybody may know.
std::string runs_text(const privacy::RunLaw& law);
/// How often a guess can be right at most that tells two neighbouring data sets apart, either as
/// likely as the other: a number for people whom e to the epsilon tells nothing.
double right_guesses(double epsilon, double delta);
/// What a promise at this epsilon is worth, in whole sentences.
std::string strength_text(double epsilon);

}  // namespace southwell::model
