# Races of exponential numbers: what is known of the order of cells, by rates.
#
# Independent numbers of one distribution are in the order of exponential numbers of equal rates. The
# loser of a race is exponential beyond the winner, so what is known of an order is a forest.

# A number as a function of T = E / rate with an exponential E, which numbers of the same shape have
# in common: the rate, the shape, and whether a small base value is a small T. NULL if it has none.
form <- function(e) {
  name <- e$cell$kind$name
  steps <- e$steps
  rate <- sign <- power <- 1
  dir <- 1
  if (name == "unif") {
    n <- length(steps)
    flip <- n > 1 && identical(steps[1:2], list(list("times", -1), list("plus", 1)))
    steps <- if (flip) steps[-(1:2)] else steps
    dir <- if (flip) 1 else -1
    first <- if (length(steps)) steps[[1]] else list("power", 1) # u is its own first power
    if (first[[1]] == "log") kind <- "power"
    else if (first[[1]] == "power" && first[[2]] > 0) {
      kind <- "exp"
      rate <- 1 / first[[2]]
    } else return()
    sign <- -1
    steps <- steps[-1]
  } else if (name == "exp") kind <- "power"
  else return()
  for (s in steps) {
    what <- paste(kind, s[[1]])
    if (what == "power times") {
      sign <- sign * base::sign(s[[2]])
      rate <- rate * abs(s[[2]])^(-1 / power)
    } else if (what == "power power" && sign > 0) {
      power <- power * s[[2]]
    } else if (what == "power log" && sign > 0) kind <- "log"
    else if (what == "log plus") rate <- rate * exp(-s[[2]] / power)
    else if (what == "log times") power <- power * s[[2]]
    else if (what == "log exp") kind <- "power"
    else if (what == "power exp") kind <- "exp"
    else if (what == "exp log") kind <- "power"
    else if (what == "exp power" && s[[2]] > 0) rate <- rate * s[[2]]^(-1 / power)
    else return()
  }
  list(rate = rate, dir = dir, shape = c(kind, sign, power), rises = sign * base::sign(power) > 0)
}

# Forms of several elements with the same steps or the same shape; NULL if they are no race.
# soonest says whether the smallest or the largest is to be the first.
forms_of <- function(all, largest) {
  alike <- all(vapply(all[-1], function(e) identical(e$steps, all[[1]]$steps) && same_kind(e$cell, all[[1]]$cell), NA))
  if (alike) {
    dir <- if (rises(all[[1]]$steps) == largest) -1 else 1
    known <- Filter(Negate(is.null), lapply(all, function(e) e$cell$clock))
    if (length(known)) dir <- known[[1]]$dir
    return(lapply(all, function(e) list(rate = 1, dir = dir, shape = "any", rises = (dir > 0) == rises(e$steps))))
  }
  forms <- lapply(all, form)
  if (any(vapply(forms, is.null, NA))) return()
  if (all(vapply(forms[-1], function(f) identical(f$shape, forms[[1]]$shape) && f$dir == forms[[1]]$dir, NA))) forms
}

same_kind <- function(a, b) a$kind$name == b$kind$name && identical(a$kind$args, b$kind$args)

# Whether an element is below another one.
race <- function(a, b) {
  tree <- a$cell$tree
  forms <- forms_of(list(a, b), FALSE)
  if (is.null(forms)) return(extreme_by_integrals(tree, list(a, b), FALSE) == 1)
  if (identical(forms[[1]]$shape, "any") && is.null(a$cell$clock) && is.null(b$cell$clock) && align(a$cell, b$cell)) return(less(a, b))
  enter(tree, list(a$cell, b$cell), forms)
  is_sooner(tree, a$cell, b$cell) == forms[[1]]$rises
}

# Splits two cells of one kind at each other's ends, and returns whether their intervals are apart.
align <- function(a, b) {
  for (pair in list(list(a, b), list(b, a))) for (t in c(pair[[1]]$low, pair[[1]]$high)) {
    if (t > pair[[2]]$low && t < pair[[2]]$high) is_below(pair[[2]], t)
  }
  a$low >= b$high || b$low >= a$high
}

# Brings cells into the forest. Their intervals must be whole, or the same with equal rates.
enter <- function(tree, cells, forms) {
  ends <- function(cell) c(cell$low, cell$high)
  whole <- function(cell) cell$low == cell$kind$low && cell$high == cell$kind$high
  factors <- numeric()
  for (i in seq_along(cells)) {
    cell <- cells[[i]]
    if (is.null(cell$clock)) {
      free <- whole(cell) && all(vapply(cells, function(other) !is.null(other$clock) || whole(other), NA))
      same <- forms[[i]]$shape[1] == "any" && all(vapply(cells, function(other) is.null(other$clock) && identical(ends(other), ends(cell)), NA))
      if (!free && !same) refuse(tree, "the order of random numbers is asked for after a comparison with a number", NO_FORM)
    }
  }
  for (i in seq_along(cells)) {
    cell <- cells[[i]]
    form <- forms[[i]]
    if (is.null(cell$clock)) {
      cell$clock <- list(rate = form$rate, dir = form$dir, start = cell$low, end = cell$high)
      cell$total <- form$rate
    }
    if (is.null(cell$parent) && !identical(ends(cell), c(cell$clock$start, cell$clock$end)) && length(cells) > 1)
      refuse(tree, "the order of random numbers is asked for after a comparison with a number", NO_FORM)
    factors <- c(factors, cell$clock$rate / form$rate)
    if (cell$clock$dir != form$dir || abs(factors[i] / factors[1] - 1) > 1e-12)
      refuse(tree, "the order of random numbers is asked for again after they were changed in different ways", NO_FORM)
  }
}

# A cell and all that are known to be sooner, the first one first.
line_of <- function(cell) {
  line <- list(cell)
  while (!is.null(cell <- cell$parent)) line <- c(list(cell), line)
  line
}

is_sooner <- function(tree, a, b) repeat {
  p <- line_of(a)
  q <- line_of(b)
  n <- min(length(p), length(q))
  k <- which(!mapply(identical, p[seq_len(n)], q[seq_len(n)]))[1]
  if (is.na(k)) return(length(p) < length(q))
  if (k == 1 && !identical(p[[1]]$clock[c("start", "end")], q[[1]]$clock[c("start", "end")]))
    refuse(tree, "the order of random numbers is asked for after a comparison with a number", NO_FORM)
  settle(tree, list(p[[k]], q[[k]]))
}

# Which of some cells beyond the same one is first. The others then lie beyond it.
settle <- function(tree, cells) {
  totals <- vapply(cells, function(cell) cell$total, 1)
  first <- decide(tree, totals / sum(totals))
  for (i in seq_along(cells)) if (i != first) cells[[i]]$parent <- cells[[first]]
  cells[[first]]$total <- sum(totals)
  first
}

# The place of the smallest or the largest element. The first of n in one race is one choice.
place_of_extreme <- function(all, largest) {
  known <- which(!vapply(all, is.environment, NA))
  at <- setdiff(seq_along(all), known)
  if (length(at) > 1) {
    tree <- all[[at[1]]]$cell$tree
    cells <- lapply(all[at], function(e) e$cell)
    forms <- if (!any(duplicated(cells))) forms_of(all[at], largest)
    parents <- unique(lapply(cells, function(cell) cell$parent))
    spans <- unique(lapply(cells, function(cell) c(cell$low, cell$high)))
    if (!is.null(forms) && forms[[1]]$rises != largest && length(parents) == 1 && (length(spans) == 1 || !is.null(parents[[1]]))) {
      enter(tree, cells, forms)
      at <- at[settle(tree, cells)]
    } else if (is.null(forms) && all(vapply(cells, is_whole, NA)) && !any(duplicated(cells))) at <- at[extreme_by_integrals(tree, all[at], largest)]
  }
  best <- at[1]
  for (k in at[-1]) if (less(all[[k]], all[[best]]) != largest) best <- k
  for (k in known) if (is.na(best) || is.na(all[[k]]) || compare("<", all[[k]], all[[best]]) != largest && !identical(all[[k]], all[[best]])) best <- k
  best
}

is_whole <- function(cell) is.null(cell$clock) && cell$low == cell$kind$low && cell$high == cell$kind$high

# Which of independent elements of any distributions is the smallest or the largest. The probability
# of each is the integral of the distribution functions of the others over its own quantile; they
# must sum to one. Afterwards the numbers are compared no more.
extreme_by_integrals <- function(tree, all, largest) {
  cells <- lapply(all, function(e) e$cell)
  for (cell in cells) {
    alive(cell)
    if (!is_whole(cell)) refuse(tree, "two random numbers are compared that are made in different ways, after a comparison with a number", NO_FORM)
  }
  beyond <- function(e, x) {
    t <- pmin(pmax(undo_steps(x, e$steps), e$cell$kind$low), e$cell$kind$high)
    e$cell$kind$p(t, lower = rises(e$steps) == largest)
  }
  key <- lapply(all, function(e) list(e$cell$kind$name, e$cell$kind$args, e$steps))
  known <- Find(function(one) identical(one$key, key) && one$largest == largest, tree$integrals)
  p <- known$p
  if (is.null(p)) {
    p <- vapply(seq_along(all), function(i) {
      others <- function(u) {
        x <- vapply(all[[i]]$cell$kind$q(u), run_steps, 1, steps = all[[i]]$steps)
        Reduce(`*`, lapply(all[-i], beyond, x))
      }
      tryCatch(stats::integrate(others, 0, 1, rel.tol = 1e-12, abs.tol = 1e-13, subdivisions = 2000)$value, error = function(condition) if (is_limit(condition)) stop(condition) else NaN)
    }, 1)
    if (!isTRUE(abs(sum(p) - 1) < 1e-10)) refuse(tree, "an integral over random numbers of different distributions is not known to 1e-10; test the draws of the function with expect_draws")
    tree$integrals <- c(tree$integrals, list(list(key = key, largest = largest, p = p)))
  }
  first <- decide(tree, p / sum(p))
  x <- run_steps(cells[[first]]$kind$q(0.5), all[[first]]$steps)
  for (i in seq_along(all)) { # a place of each from which the witness of the run is drawn
    end <- if ((i == first) == (largest == rises(all[[i]]$steps))) "low" else "high"
    cells[[i]][[end]] <- min(max(undo_steps(x, all[[i]]$steps), cells[[i]]$kind$low), cells[[i]]$kind$high)
    cells[[i]]$spent <- TRUE
  }
  first
}

# The probability that a cell is not sooner than a base value.
survival <- function(cell, t) cell$kind$p(t, lower = cell$clock$dir < 0)

# Whether a cell of the forest is below t. Of those that are sooner than others only the first one
# has a distribution of its own.
split_tied <- function(cell, t) {
  if (!is.null(cell$parent) || cell$clock$start != cell$kind$low || cell$clock$end != cell$kind$high)
    refuse(cell$tree, "a random number is compared with a number after its order is known", NO_FORM)
  k <- cell$total / cell$clock$rate
  s <- vapply(c(cell$low, t, cell$high), survival, 1, cell = cell)^k
  below <- decide(cell$tree, c(abs(s[1] - s[2]), abs(s[2] - s[3])) / abs(s[1] - s[3])) == 1L
  if (below) cell$high <- t else cell$low <- t
  below
}

# A base value inside of what is known of a cell; NA if the interval has none that rounding leaves alone.
value_inside <- function(cell) {
  share <- cell$share
  kind <- cell$kind
  if (is.null(cell$clock)) {
    high <- cell$low >= kind$middle
    ends <- kind$p(c(cell$low, cell$high), lower = !high)
    x <- kind$q(ends[1] + share * (ends[2] - ends[1]), lower = !high)
  } else {
    late <- cell$clock$dir < 0
    ends <- sort(c(survival(cell, cell$clock$start), survival(cell, cell$clock$end)))
    x <- kind$q(ends[1] + (ends[2] - ends[1]) * exp(-time_inside(cell)), lower = late)
  }
  if (!is.na(x) && x > cell$low && x < cell$high && (cell$high - cell$low > 2e-15 * abs(x))) x else NA
}

# A time at which a cell of the forest may be, in units of its own rate.
time_inside <- function(cell) {
  line <- line_of(cell)
  gap <- function(cell) cell$share * cell$clock$rate / cell$total
  first <- line[[1]]
  span <- c(survival(first, first$clock$start), survival(first, first$clock$end))
  s <- (c(survival(first, first$low), survival(first, first$high)) - min(span)) / abs(diff(span))
  times <- sort(-log(s))
  time <- times[1] + min(gap(first), diff(times) / 2)
  for (k in seq_along(line)[-1]) time <- time * line[[k]]$clock$rate / line[[k - 1]]$clock$rate + gap(line[[k]])
  time
}
