# Continuous random numbers of which only an interval is known: what runif and others return while a
# distribution is computed.
#
# A cell is the number as it was drawn, with its interval. A random number is a cell with the monotone
# operations that were applied to it. If it is compared with a number, the run takes both answers.

NO_FORM <- ", which has no closed form here; test the draws of the function with expect_draws"

# The kinds of cells: the distribution function, with the probability above for lower = FALSE, its
# inverse, and a place in the middle.
kind_of <- function(name, args = list()) {
  p <- getExportedValue("stats", paste0("p", name))
  q <- getExportedValue("stats", paste0("q", name))
  if (name == "unif") return(list(name = name, args = args, p = function(x, lower = TRUE) if (lower) x else 1 - x, q = function(x, lower = TRUE) if (lower) x else 1 - x,
    middle = 0.5, low = 0, high = 1))
  kind <- list(name = name, args = args,
    p = function(x, lower = TRUE) do.call(p, c(list(x), args, lower.tail = lower)),
    q = function(x, lower = TRUE) do.call(q, c(list(x), args, lower.tail = lower)))
  c(kind, list(middle = kind$q(0.5), low = kind$q(0), high = kind$q(1)))
}

# A new number of a kind; a plain run has a number of R.
fresh <- function(tree, kind, steps = list()) {
  if (!is.null(tree$plain)) return(run_steps(take(tree, "continuous"), steps))
  cell <- new.env()
  cell$tree <- tree
  cell$run <- tree$run
  cell$kind <- kind
  cell$low <- kind$low
  cell$high <- kind$high
  element(note(tree, cell), steps)
}

element <- function(cell, steps) {
  e <- new.env()
  e$cell <- cell
  e$steps <- steps
  e
}

# A vector of elements and plain numbers.
random <- function(elements) structure(elements, class = "breadboard_random")

alive <- function(cell) {
  if (!identical(cell$run, cell$tree$run)) refuse(cell$tree, "a random number of an earlier call is used: ", KEPT)
  if (isTRUE(cell$spent)) refuse(cell$tree, "a random number is compared again after its comparison with numbers of other distributions", NO_FORM)
}

# The probabilities between increasing places, by the tail that has more digits.
widths <- function(kind, ends) {
  n <- length(ends)
  low <- ends[-n]
  p <- kind$p(ends)
  found <- p[-1] - p[-n]
  above <- low >= kind$middle
  if (any(above)) {
    p <- kind$p(ends, FALSE)
    found[above] <- (p[-n] - p[-1])[above]
  }
  found
}

# Whether a cell is below t, which divides its interval.
is_below <- function(cell, t) {
  alive(cell)
  if (t <= cell$low || t >= cell$high) return(t >= cell$high)
  if (!is.null(cell$clock)) return(split_tied(cell, t))
  below <- decide(cell$tree, widths(cell$kind, c(cell$low, t, cell$high)) / widths(cell$kind, c(cell$low, cell$high))) == 1L
  if (below) cell$high <- t else cell$low <- t
  below
}

# The steps: what each does, its inverse, and whether it rises.
run_steps <- function(x, steps) {
  for (s in steps) x <- switch(s[[1]], times = x * s[[2]], plus = x + s[[2]], log = suppressWarnings(log(x)), exp = exp(x), log1p = suppressWarnings(log1p(x)),
    expm1 = expm1(x), power = if (x < 0) NaN else x^s[[2]])
  x
}

undo_steps <- function(t, steps) {
  for (s in rev(steps)) t <- switch(s[[1]], times = t / s[[2]], plus = t - s[[2]], log = exp(t), exp = log(pmax(t, 0)), log1p = expm1(t),
    expm1 = log1p(pmax(t, -1)), power = pmax(t, 0)^(1 / s[[2]]))
  t
}

rises <- function(steps) !length(steps) || sum(vapply(steps, function(s) s[[1]] %in% c("times", "power") && s[[2]] < 0, NA)) %% 2 == 0

step <- function(e, name, arg = NULL) {
  if (!is.null(arg) && !is.finite(arg)) refuse(e$cell$tree, "a random number that is not known yet meets ", arg)
  if (name == "times" && arg == 0) return(0)
  if (name == "plus" && arg == 0 || name %in% c("times", "power") && arg == 1) return(e)
  last <- if (length(e$steps)) e$steps[[length(e$steps)]]
  if (name %in% c("times", "plus") && identical(last[[1]], name)) # one rounding, and 1 - (1 - u) is u again
    return(step(element(e$cell, e$steps[-length(e$steps)]), name, if (name == "times") last[[2]] * arg else last[[2]] + arg))
  element(e$cell, c(e$steps, list(list(name, arg))))
}

bounds <- function(e) {
  ends <- c(run_steps(e$cell$low, e$steps), run_steps(e$cell$high, e$steps))
  if (rises(e$steps)) ends else rev(ends)
}

# Whether an element is below a number, or another element.
less <- function(a, b) {
  if (is.environment(a) && is.environment(b)) return(less_of_two(a, b))
  if (!is.environment(a)) return(if (is.environment(b)) !less(b, a) else a < b)
  is_below(a$cell, undo_steps(b, a$steps)) == rises(a$steps)
}

less_of_two <- function(a, b) {
  alive(a$cell)
  alive(b$cell)
  p <- bounds(a)
  q <- bounds(b)
  if (p[2] <= q[1] || q[2] <= p[1]) return(p[2] <= q[1])
  if (identical(a$cell, b$cell)) {
    if (identical(a$steps, b$steps)) return(FALSE)
    refuse(a$cell$tree, "two numbers that are made of the same random number are compared", NO_FORM)
  }
  race(a, b)
}

compare <- function(op, a, b) {
  if (!is.environment(a) && !is.environment(b)) return(do.call(op, list(a, b)))
  for (x in list(a, b)) if (!is.environment(x) && !is.numeric(x) && !is.logical(x)) refuse((if (is.environment(a)) a else b)$cell$tree, "a random number is compared with what is no number")
  if (!is.environment(a) && is.na(a) || !is.environment(b) && is.na(b)) return(NA)
  same <- identical(a, b) || is.environment(a) && is.environment(b) && identical(a$cell, b$cell) && identical(a$steps, b$steps)
  switch(op, "==" = same, "!=" = !same, "<" = !same && less(a, b), "<=" = same || less(a, b), ">" = !same && !less(a, b), ">=" = same || !less(a, b))
}

arithmetic <- function(op, a, b) {
  if (!is.environment(a) && !is.environment(b)) return(do.call(op, list(a, b)))
  if (is.environment(a) && is.environment(b)) {
    if (op == "-" && identical(a$cell, b$cell) && identical(a$steps, b$steps)) return(0)
    refuse(a$cell$tree, "two random numbers are combined by ", op, NO_FORM)
  }
  n <- if (is.environment(a)) b else a
  if (!is.numeric(n) && !is.logical(n)) stop("non-numeric argument to binary operator")
  if (is.na(n)) return(NA_real_)
  if (is.environment(a)) switch(op, "+" = step(a, "plus", b), "-" = step(a, "plus", -b), "*" = step(a, "times", b), "/" = divided(a, b), "^" = powered(a, b),
    "%/%" = whole(divided(a, b)), "%%" = step(a, "plus", -b * whole(divided(a, b))))
  else switch(op, "+" = step(b, "plus", a), "-" = step(step(b, "times", -1), "plus", a), "*" = step(b, "times", a), "/" = step(powered(b, -1), "times", a),
    "^" = if (a > 0) step(step(b, "times", log(a)), "exp") else refuse(b$cell$tree, "a number that is not positive has a random exponent"),
    refuse(b$cell$tree, "a number is divided by a random number with ", op, NO_FORM))
}

# By the reciprocal, so that several products and quotients are one step.
divided <- function(e, n) if (n == 0) refuse(e$cell$tree, "a random number is divided by 0") else step(e, "times", 1 / n)

powered <- function(e, k) {
  if (k == 0) return(1)
  if (bounds(e)[1] >= 0 || !less(e, 0)) return(step(e, "power", k))
  if (k != trunc(k)) return(NaN)
  arithmetic("*", powered(step(e, "times", -1), k), if (k %% 2) -1 else 1)
}

# The largest whole number that is not above an element. All cells of a finite range are one choice.
whole <- function(e) {
  ends <- bounds(e)
  if (any(is.infinite(ends))) return(whole_of_infinite(e))
  first <- floor(ends[1])
  n <- max(1, ceiling(ends[2]) - first)
  if (n > MOST_VALUES) refuse(e$cell$tree, "a random number becomes one of ", n, " whole numbers; at most ", MOST_VALUES, " are followed")
  first + cell_of(e, first + seq_len(n - 1)) - 1
}

whole_of_infinite <- function(e) {
  k <- floor(max(bounds(e)[1], min(0, bounds(e)[2])))
  if (less(e, k)) {
    while (less(e, k - 1)) k <- k - 1
    return(k - 1)
  }
  while (!less(e, k + 1)) k <- k + 1
  k
}

# In which of the parts between increasing numbers an element lies, from 1.
cell_of <- function(e, cuts) {
  cell <- e$cell
  alive(cell)
  up <- rises(e$steps)
  ends <- undo_steps(cuts, e$steps)
  if (!up) ends <- rev(ends)
  ends <- c(cell$low, pmin(pmax(ends, cell$low), cell$high), cell$high)
  n <- length(ends) - 1
  if (!is.null(cell$clock)) k <- 1 + sum(vapply(ends[-c(1, n + 1)], function(t) !is_below(cell, t), NA))
  else {
    chances <- widths(cell$kind, ends) / widths(cell$kind, c(cell$low, cell$high))
    k <- if (sum(chances > 0) > 1) decide(cell$tree, chances) else which.max(chances)
    cell$low <- ends[k]
    cell$high <- ends[k + 1]
  }
  if (up) k else n + 1 - k
}

# The methods of R.

COMPARISONS <- c("<", "<=", ">", ">=", "==", "!=")

elements <- function(x) if (inherits(x, "breadboard_random")) unclass(x) else as.list(x)

tree_of <- function(...) for (x in list(...)) for (e in elements(x)) if (is.environment(e)) return(e$cell$tree)

Ops.breadboard_random <- function(e1, e2) {
  if (missing(e2)) {
    e2 <- e1
    e1 <- if (.Generic == "-") 0 else if (.Generic == "+") return(e1) else refuse(tree_of(e2), "a random number is taken for a logical value")
  }
  a <- elements(e1)
  b <- elements(e2)
  if (length(a) == 1 && length(b) == 1 && .Generic %in% COMPARISONS) return(compare(.Generic, a[[1]], b[[1]]))
  n <- if (length(a) && length(b)) max(length(a), length(b)) else 0
  each <- function(f) lapply(seq_len(n), function(i) f(.Generic, a[[(i - 1) %% length(a) + 1]], b[[(i - 1) %% length(b) + 1]]))
  if (.Generic %in% COMPARISONS) return(vapply(each(compare), identity, NA))
  if (.Generic %in% c("&", "|")) refuse(tree_of(e1, e2), "a random number is taken for a logical value")
  settled(each(arithmetic))
}

# A vector of numbers if no element is random.
settled <- function(elements) if (length(elements) == 1 && is.environment(elements[[1]]) || any(vapply(elements, is.environment, NA))) random(elements) else as.numeric(unlist(elements))

Math.breadboard_random <- function(x, ...) {
  tree <- tree_of(x)
  f <- switch(.Generic, floor = whole, ceiling = function(e) whole(e) + 1, trunc = truncated,
    exp = , expm1 = function(e) step(e, .Generic),
    log = function(e, base = exp(1)) scaled(step(positive(e, 0), "log"), base), log2 = function(e) scaled(step(positive(e, 0), "log"), 2),
    log10 = function(e) scaled(step(positive(e, 0), "log"), 10), log1p = function(e) step(positive(e, -1), "log1p"), sqrt = function(e) powered(e, 0.5),
    abs = function(e) if (less(e, 0)) step(e, "times", -1) else e, sign = function(e) if (less(e, 0)) -1 else 1,
    refuse(tree, .Generic, " is taken of a random number", NO_FORM))
  settled(lapply(elements(x), function(e) if (is.environment(e)) f(e, ...) else do.call(.Generic, list(e, ...))))
}

scaled <- function(e, base) step(e, "times", 1 / log(base))

positive <- function(e, least) if (bounds(e)[1] < least && less(e, least)) refuse(e$cell$tree, "the logarithm is taken of a random number that may be negative") else e

truncated <- function(e) if (bounds(e)[1] < 0 && less(e, 0)) whole(e) + 1 else whole(e)

round.breadboard_random <- function(x, digits = 0, ...) settled(lapply(elements(x), function(e) {
  if (is.environment(e)) whole(step(step(e, "times", 10^digits), "plus", 0.5)) / 10^digits else round(e, digits)
}))

Summary.breadboard_random <- function(..., na.rm = FALSE) {
  all <- unlist(lapply(list(...), elements), recursive = FALSE)
  pick_one <- function(largest) all[[place_of_extreme(all, largest)]]
  out <- switch(.Generic, max = list(pick_one(TRUE)), min = list(pick_one(FALSE)), range = list(pick_one(FALSE), pick_one(TRUE)),
    refuse(tree_of(...), "the ", .Generic, " is taken of random numbers", NO_FORM))
  settled(out)
}

"[.breadboard_random" <- function(x, ...) {
  out <- unclass(x)[...]
  out[vapply(out, is.null, NA)] <- NA_real_
  settled(out)
}
"[[.breadboard_random" <- function(x, ...) settled(list(unclass(x)[[...]]))
"[<-.breadboard_random" <- function(x, ..., value) {
  out <- unclass(x)
  out[...] <- elements(value)
  settled(out)
}
"[[<-.breadboard_random" <- function(x, ..., value) {
  x[...] <- value
  x
}
c.breadboard_random <- function(...) settled(unlist(lapply(list(...), elements), recursive = FALSE))
rep.breadboard_random <- function(x, ...) random(rep(unclass(x), ...))
as.vector.breadboard_random <- function(x, mode = "any") x
is.na.breadboard_random <- function(x) vapply(unclass(x), function(e) !is.environment(e) && is.na(e), NA)
is.nan.breadboard_random <- is.infinite.breadboard_random <- function(x) vapply(unclass(x), function(e) !is.environment(e) && match.fun(.Generic)(e), NA)
is.finite.breadboard_random <- function(x) vapply(unclass(x), function(e) is.environment(e) || is.finite(e), NA)
is.numeric.breadboard_random <- function(x) TRUE
as.integer.breadboard_random <- function(x, ...) as.integer(vapply(elements(x), function(e) if (is.environment(e)) truncated(e) else trunc(e), 1))
cut.breadboard_random <- function(x, breaks, labels = NULL, include.lowest = FALSE, right = TRUE, ...) {
  if (length(breaks) < 2) refuse(tree_of(x), "cut has a number of breaks, which depends on the random numbers; give the breaks")
  breaks <- sort(breaks)
  k <- vapply(elements(x), place_among, 1, cuts = breaks)
  middle <- (breaks[-1] + breaks[-length(breaks)])[pmin(pmax(k, 1), length(breaks) - 1)] / 2
  cut.default(ifelse(k < 1 | k >= length(breaks), NA, middle), breaks, labels, include.lowest, right, ...)
}

# How many of increasing numbers are below an element.
place_among <- function(e, cuts) if (is.environment(e)) cell_of(e, cuts) - 1 else sum(cuts <= e)

# Ranks, with which order, sort and rank do what they do with numbers.
xtfrm.breadboard_random <- function(x) {
  left <- seq_along(x)
  ranks <- numeric(length(x))
  for (k in seq_along(x)) {
    at <- place_of_extreme(unclass(x)[left], FALSE)
    ranks[left[at]] <- k
    left <- left[-at]
  }
  ranks
}

# What is not followed. The text of each says what to do instead.
not_followed <- function(why) {
  force(why)
  function(x, ...) refuse(tree_of(x), why)
}
as.double.breadboard_random <- as.numeric.breadboard_random <-
  not_followed("the value is taken of a random number of which only an interval is known; compare it, or take floor() or log() of it, as it is")
as.character.breadboard_random <- format.breadboard_random <- print.breadboard_random <- not_followed("a random number of which only an interval is known becomes a text")
as.logical.breadboard_random <- not_followed("a random number is taken for a logical value")
mean.breadboard_random <- not_followed(paste0("a mean is taken of random numbers", NO_FORM))
