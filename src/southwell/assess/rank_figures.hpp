#pragma once

#include "southwell/assess/figure.hpp"
#include "southwell/assess/two_classes.hpp"

namespace southwell::assess {

// Figures of the order that margins put the records of two classes in.

/// The probability that a record of the second class has a higher margin than one of the first.
Figure auc(const TwoClasses& of);

/// From the highest threshold to the lowest, as curves that do not fall.
RocCurve roc(const TwoClasses& of);

/// How many times as often the second class is among the tenth of the records with the highest
/// margins as among all.
Figure lift(const TwoClasses& of);

}  // namespace southwell::assess
