#include <cstdio>

#include "southwell/core/exp.hpp"
#include "southwell/core/version.hpp"
#include "southwell/data/generate.hpp"
#include "southwell/data/read.hpp"
#include "southwell/data/write.hpp"

int main(int, char** argv) {
  southwell::core::ThreadPool pool(2);
  const auto made = southwell::data::generate(southwell::data::Synthetic::log1,
                                              {.records = 20, .features = 5, .seed = 1}, pool);
  southwell::data::write(argv[1], made.dataset, pool);
  southwell::data::ReadOptions options;
  options.target = "target";
  const auto back = southwell::data::read(argv[1], options);
  std::printf("southwell %s: %zu x %zu, exp(0) = %g\n", southwell::kVersion, back.records(),
              back.features(), southwell::core::exp(0.0));
  return back.target == made.dataset.target ? 0 : 1;
}
