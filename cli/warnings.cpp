#include "warnings.hpp"

#include <algorithm>

#include "southwell/model/guarantee.hpp"
#include "standard_streams.hpp"

namespace southwell::cli {

void tell_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) tell("southwell: warning: " + warning + "\n");
}

void warn_of(const model::Statement& statement) { tell_warnings(model::warnings_of(statement)); }

void warn_of(const model::Statement& statement, const model::Statement& planned) {
  std::vector<std::string> warnings = model::warnings_of(statement);
  const std::vector<std::string> told = model::warnings_of(planned);
  std::erase_if(warnings, [&](const std::string& warning) {
    return std::find(told.begin(), told.end(), warning) != told.end();
  });
  tell_warnings(warnings);
}

}  // namespace southwell::cli
