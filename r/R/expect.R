# Checks for testthat, and for scripts, in which a failure is an error.

expect_law <- function(f, expected, ..., tolerance = 1e-12) {
  found <- if (inherits(f, "breadboard_law")) f else law(f, ...)
  its <- if (inherits(expected, "breadboard_law")) expected$p else expected
  if (is.null(names(its))) bad_input("expected = has no names; give the outcomes as names, as in c(heads = 0.5, tails = 0.5)")
  at <- union(names(its), names(with_errors(found)))
  value <- function(p) ifelse(at %in% names(p), p[at], 0)
  p <- value(with_errors(found))
  q <- value(its)
  wrong <- q - p < -tolerance | q - p > tolerance + found$remainder
  conclude(!any(wrong), sprintf("  %s: %.12g, and not %.12g", at[wrong], p[wrong], q[wrong]), "the distribution is another one:")
  invisible(found)
}

expect_draws <- function(draws, ...) expect_pass(conform_draws(draws, ..., progress = FALSE))

expect_chain <- function(draws, ...) expect_pass(conform_chain(draws, ..., progress = FALSE))

expect_invariant <- function(kernel, toy, ..., beta = 1) expect_pass(kernel_check(kernel, toy = toy, beta = beta, ..., progress = FALSE))

expect_pass <- function(rows) {
  fault <- NULL
  rows <- tryCatch(rows, breadboard_fault = function(condition) {
    fault <<- condition
    condition$rows
  })
  if (!is.data.frame(rows)) bad_input(find_program(), " has printed no table; is it breadboard?")
  conclude(is.null(fault), if (!is.null(fault)) c(conditionMessage(fault), sprintf("  %s", utils::head(fault$messages, -1))))
  invisible(rows)
}

# An expectation of testthat while that runs a test, and else an error.
conclude <- function(ok, lines, head = NULL) {
  text <- paste(c(head, lines), collapse = "\n")
  if (requireNamespace("testthat", quietly = TRUE) && testthat::is_testing()) return(testthat::expect(ok, text))
  if (!ok) stop(structure(list(message = text, call = NULL), class = c("breadboard_fault", "breadboard_error", "error", "condition")))
}
