#include "southwell/solvers/cd.hpp"

#include "southwell/privacy/random/uniform_index.hpp"

namespace southwell::solvers {

UniformCoordinates::UniformCoordinates(std::size_t size, privacy::RandomBits& bits)
    : size_(size), bits_(bits.stream(privacy::Purpose::selection, 0)) {}

std::size_t UniformCoordinates::next() { return privacy::uniform_index(size_, *bits_); }

PaperCdRelease::PaperCdRelease(double sigma, privacy::RandomBits& bits)
    : sigma_(sigma), bits_(bits.stream(privacy::Purpose::release, 0)) {}

}  // namespace southwell::solvers
