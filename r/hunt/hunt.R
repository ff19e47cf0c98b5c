# Compares law() of many functions with 1e5 draws of each, or as many as a minute has: Rscript hunt/hunt.R [DRAWS [NAME...]]
library(breadboard)
source(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "../tests/testthat/helper-functions.R"))
if (requireNamespace("vegan", quietly = TRUE)) {
  m <- matrix(c(1, 0, 1, 0, 1, 0, 1, 1, 0), 3)
  functions$vegan_swap <- list(function() simulate(vegan::nullmodel(m, "swap"), 1, burnin = 2), "refused")
  functions$vegan_r0 <- list(function() as.vector(simulate(vegan::nullmodel(matrix(c(1, 0, 1, 1), 2), "r0"), 1)), "law")
  functions$vegan_shuffle <- list(function() permute::shuffle(4), "law")
  functions$vegan_shuffle_set <- list(function() permute::shuffleSet(3, 2), "refused") # its value has the seed
  functions$vegan_rarefied <- list(function() vegan::rrarefy(c(2, 1, 2), 2), "refused")
}
if (requireNamespace("boot", quietly = TRUE)) functions$boot <- list(function() boot::boot(c(1, 2, 4), function(x, i) sum(x[i]), 1)$t[1], "law")
if (requireNamespace("MASS", quietly = TRUE)) functions$mvrnorm <- list(function() MASS::mvrnorm(1, c(0, 0), diag(2))[1] > 0, "refused")
if (requireNamespace("mgcv", quietly = TRUE)) functions$rig <- list(function() mgcv::rig(1, 1, 1) > 1, "refused")
words <- commandArgs(TRUE)
n <- if (length(words)) as.numeric(words[1]) else 1e5
if (length(words) > 1) functions <- functions[words[-1]]

# The probability of frequencies as far from the distribution as these, by a G test.
apart <- function(found, f) {
  set.seed(2)
  text <- function(v) if (inherits(v, "error")) paste("raises", conditionMessage(v)) else breadboard:::label_of(v)
  until <- proc.time()[[3]] + 60
  seen <- character()
  while (length(seen) < n && proc.time()[[3]] < until) seen <- c(seen, replicate(min(n, 1000), text(tryCatch(suppressWarnings(f()), error = identity))))
  n <- length(seen)
  seen <- table(seen)
  p <- breadboard:::with_errors(found) / (1 - found$remainder) # the unexplored part is small, or alike
  if (!all(names(seen) %in% names(p)) && found$remainder < 1e-9) return(0)
  counts <- ifelse(names(p) %in% names(seen), seen[names(p)], 0)
  if (length(p) == 1) return(if (counts == n) 1 else 0)
  g <- 2 * sum(ifelse(counts > 0, counts * log(counts / (n * p)), 0))
  pchisq(g, length(p) - 1, lower.tail = FALSE)
}

bad <- 0
for (name in names(functions)) {
  f <- functions[[name]][[1]]
  seconds <- system.time(found <- tryCatch(law(f, seconds = 4), error = identity))[[3]]
  is <- if (inherits(found, "breadboard_refused")) "refused" else if (inherits(found, "error")) "ERROR" else "law"
  p <- if (is == "law") apart(found, f) else NA
  ok <- is == functions[[name]][[2]] && (is.na(p) || p > 1e-6)
  bad <- bad + !ok
  cat(sprintf("%-4s %-24s %-8s %5.1f s %s\n", if (ok) "ok" else "BAD", name, is, seconds,
    if (is == "law") sprintf("%d branches, %d outcomes, p = %.3g, remainder %.2g", found$branches, length(found$p), p, found$remainder) else substr(conditionMessage(found), 1, 160)))
}
cat(length(functions), "functions,", bad, "not as expected\n")
quit(status = bad > 0)
