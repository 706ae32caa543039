#pragma once

#include <stdexcept>
#include <string>

namespace southwell {

// A message names the argument, what was given and what is accepted; never a record's value.

/// A parameter out of its range. Python sees a ValueError.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A public input that would be read from records. Declared, or allowed to leak, it is accepted.
class PrivacyLeak : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

/// A file that cannot be read, or data of a form that is not accepted.
class DataError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A budget that does not allow what was asked.
class BudgetError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// No noise scale within the limits of the mechanisms meets the budget.
class CalibrationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The operating system gave no entropy. Nothing private can be done.
class EntropyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace southwell
