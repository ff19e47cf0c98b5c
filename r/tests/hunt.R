# Compares law() of many functions with 1e5 draws of each: Rscript tests/hunt.R [DRAWS [NAME...]]
library(breadboard)
source(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "functions.R"))
words <- commandArgs(TRUE)
n <- if (length(words)) as.numeric(words[1]) else 1e5
if (length(words) > 1) functions <- functions[words[-1]]

# The probability of frequencies as far from the distribution as these, by a G test.
apart <- function(found, f) {
  set.seed(2)
  text <- function(v) if (inherits(v, "error")) paste("raises", conditionMessage(v)) else breadboard:::label_of(v)
  seen <- table(replicate(n, text(tryCatch(suppressWarnings(f()), error = identity))))
  p <- breadboard:::with_errors(found)
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
