# Checks for testthat, and for scripts, in which a failure is an error.

# What is not explored may belong to any outcome, so that more of it than the tolerance is no pass.
expect_law <- function(.f, .expected, ..., tolerance = 1e-12) {
  its <- probabilities(.expected, ".expected")
  open <- c(0, if (inherits(.expected, "breadboard_law")) .expected$remainder)
  asked <- law_within(.f, ..., .tolerance = tolerance, .given = !missing(tolerance), .usual = KNOWN)
  found <- asked$law
  tolerance <- asked$tolerance
  at <- union(names(its), names(with_errors(found)))
  value <- function(p) ifelse(at %in% names(p), p[at], 0)
  p <- value(with_errors(found))
  q <- value(its)
  wrong <- p - q > tolerance + sum(open) | q - p > tolerance + found$remainder
  unknown <- found$remainder + sum(open)
  wrong <- which(wrong)[order(q[wrong] > 0 | p[wrong] == 0, -abs(p - q)[wrong])] # what is impossible first, then by size
  some <- utils::head(wrong, 20)
  if (length(wrong)) conclude(FALSE, c(sprintf("  %s: %s, and not %s", at[some], bounds_text(p[some], found$remainder, 12), bounds_text(q[some], sum(open), 12)),
    if (length(wrong) > 20) sprintf("  and %d more outcomes", length(wrong) - 20L)), "the distribution is another one:")
  else conclude(unknown <= tolerance, sprintf("open: outcomes of probability %.3g were not explored, which is more than tolerance = %g; a smaller cut = , or more most = or seconds = , leave less", unknown, tolerance))
  invisible(found)
}

# The distribution of .f, and the tolerance, which is an argument of .f if it has one of this name. The
# usual cut leaves a little more of a geometric distribution than the usual tolerance.
law_within <- function(.f, ..., .tolerance, .given, .usual) {
  own <- .given && is.function(.f) && "tolerance" %in% names(formals(args(.f)))
  if (!own && !(is.numeric(.tolerance) && isTRUE(.tolerance >= 0 && .tolerance < 1))) bad_input("tolerance = is ", deparse(.tolerance)[1], "; give a number from 0 to below 1")
  found <- function(...) {
    first <- law(.f, ...)
    if (first$remainder < 1e-14 || first$remainder > 1e-9 || "cut" %in% c(names(formals(args(.f))), ...names())) first else law(.f, ..., cut = 1e-15)
  }
  list(law = if (inherits(.f, "breadboard_law")) .f else if (own) found(..., tolerance = .tolerance) else found(...), tolerance = if (own) .usual else .tolerance)
}

expect_draws <- function(draws, toy = NULL, ..., states = NULL, log_f = NULL)
  expect_pass(breadboard("conform", "draws", draws, toy = own_target(toy, states, log_f, FALSE), ..., progress = FALSE))

expect_chain <- function(draws, toy = NULL, ..., states = NULL, log_f = NULL)
  expect_pass(breadboard("conform", "chain", draws, toy = own_target(toy, states, log_f, FALSE), ..., progress = FALSE))

expect_invariant <- function(kernel, toy = NULL, ..., states = NULL, log_f = NULL, beta = 1)
  expect_pass(breadboard("kernel", "check", kernel, toy = own_target(toy, states, log_f), beta = beta, ..., progress = FALSE))

# The mean of numbers or vectors, to a tolerance relative to the size of each number.
expect_mean <- function(.f, .expected, ..., tolerance = 1e-10) {
  asked <- law_within(.f, ..., .tolerance = tolerance, .given = !missing(tolerance), .usual = 1e-10)
  found <- asked$law
  means <- as.vector(mean(found))
  if (!is.numeric(.expected) || length(.expected) != length(means) || !all(is.finite(.expected))) bad_input(".expected = is ", deparse(.expected)[1], "; the mean has ", length(means), " numbers, which are finite")
  scale <- pmax(abs(.expected), as.vector(mean(found, abs)))
  said <- function(v) paste(sprintf("%.12g", v), collapse = ", ")
  conclude(isTRUE(all(is.finite(scale) & abs(means - .expected) <= asked$tolerance * scale)), sprintf("the mean is %s, and not %s, %s", said(means), said(as.vector(.expected)), sprintf(ngettext(found$branches, "as %d branch shows", "as %d branches show"), as.integer(found$branches))))
  invisible(found)
}

expect_vectors <- function(functions) {
  folder <- tempfile("breadboard-vectors-")
  on.exit(unlink(folder, recursive = TRUE))
  do.call(breadboard, c(list("vectors"), as.list(names(functions)), list(out = folder, progress = FALSE)))
  answers <- vapply(names(functions), function(name) {
    routine <- from_json(paste(readLines(file.path(folder, paste0(name, ".json"))), collapse = "\n"))
    answered <- vapply(routine$cases, function(case) {
      inputs <- Map(function(value, its) input_of(value, its$shape), unname(case$inputs), routine$inputs)
      answer <- caught(answer_text(suppressWarnings(do.call(functions[[name]], inputs)), routine$output))
      if (inherits(answer, "error")) answer <- json_text(paste("error:", conditionMessage(answer)))
      paste0(json_text(case$id), ": ", answer)
    }, "")
    paste0(json_text(name), ": {", paste(answered, collapse = ",\n"), "}")
  }, "")
  path <- file.path(folder, "answers.json")
  writeLines(paste0("{", paste(answers, collapse = ",\n"), "}"), path)
  expect_pass(breadboard("conform", "vectors", path, progress = FALSE))
}

# An input of a case: a number, a vector, or a matrix with the rows of the file.
input_of <- function(value, shape) {
  numbers <- function(v) as.numeric(unlist(v))
  if (shape == "matrix") do.call(rbind, lapply(value, numbers)) else numbers(value)
}

# An answer in JSON. Numbers that JSON does not have are texts.
answer_text <- function(value, shape) {
  list_of <- function(v) paste0("[", paste(vapply(as.numeric(v), function(x) if (is.finite(x)) number_text(x) else json_text(if (is.na(x)) "nan" else tolower(x)), ""), collapse = ","), "]")
  if (is.matrix(value)) return(paste0("[", paste(apply(value, 1, list_of), collapse = ","), "]"))
  text <- list_of(value)
  if (shape == "number" && length(value) == 1) substr(text, 2, nchar(text) - 1) else text
}

json_text <- function(text) paste0("\"", gsub("[\"\\\\[:cntrl:]]", " ", text), "\"")

expect_pass <- function(rows) {
  fault <- NULL
  rows <- tryCatch(rows, breadboard_fault = function(condition) {
    fault <<- condition
    condition$rows
  })
  if (!is.data.frame(rows)) bad_input(find_program(), " has printed no table; is it breadboard?")
  conclude(is.null(fault), if (!is.null(fault)) unique(c(strsplit(conditionMessage(fault), "\n")[[1]], sprintf("  %s", utils::head(fault$messages, -1)))))
  invisible(rows)
}

# An expectation of testthat while that runs a test, and else an error.
conclude <- function(ok, lines, head = NULL) {
  text <- paste(c(head, lines), collapse = "\n")
  if (requireNamespace("testthat", quietly = TRUE) && testthat::is_testing()) return(testthat::expect(ok, text))
  if (!ok) stop(structure(list(message = text, call = NULL), class = c("breadboard_fault", "breadboard_error", "error", "condition")))
}
