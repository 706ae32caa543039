# What the library itself links. What only the command line, tests or benchmarks need is found there.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(FastFloat REQUIRED CONFIG)  # headers only
find_package(Boost REQUIRED CONFIG)      # headers only: Boost.Math
find_package(hwy REQUIRED CONFIG)
find_package(Eigen3 REQUIRED CONFIG)  # headers only
find_package(nlohmann_json REQUIRED CONFIG)  # headers only
find_package(PkgConfig REQUIRED)
pkg_check_modules(sodium REQUIRED IMPORTED_TARGET libsodium)
