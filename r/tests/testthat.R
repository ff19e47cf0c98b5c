# The tests of the package: Rscript tests/testthat.R, with the program in BREADBOARD or in the PATH.
if (requireNamespace("testthat", quietly = TRUE)) {
  library(testthat)
  library(breadboard)
  test_check("breadboard", reporter = "check")
} else cat("SKIPPED: the tests; the package testthat is not installed\n")
