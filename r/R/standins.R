# What stands for the functions of R that draw, while a distribution is computed.

# Those whose values are 0 to a largest one, by their parameters; those that have no largest value; and
# continuous ones.
FINITE <- list(
  rbinom = function(size, ...) size, rhyper = function(k, ...) k,
  rwilcox = function(m, n) m * n, rsignrank = function(n) n * (n + 1) / 2)
ENDLESS <- c("rpois", "rgeom", "rnbinom")
CONTINUOUS <- c("runif", "rexp", "rnorm", "rgamma", "rbeta", "rt", "rchisq", "rf", "rweibull", "rcauchy", "rlogis", "rlnorm")

# The stand-ins by name, and copies of functions of base that draw by them.
stand_ins <- function(tree) {
  drawn <- c(names(FINITE), ENDLESS, CONTINUOUS)
  new <- c(stats::setNames(lapply(drawn, stand_in, tree = tree), drawn), list(rmultinom = multinomial(tree)))
  tree$real <- c(mget(names(new), asNamespace("stats")), mget(OF_BASE, baseenv()))
  new <- list2env(c(new, list(sample.int = sample_int(tree), set.seed = set_seed(tree), which.max = which_extreme(TRUE), which.min = which_extreme(FALSE), findInterval = find_interval(),
    "::" = function(pkg, name) rebased(tree, getExportedValue(as.character(substitute(pkg)), as.character(substitute(name)))),
    ":::" = function(pkg, name) rebased(tree, get(as.character(substitute(name)), asNamespace(as.character(substitute(pkg))), inherits = FALSE)),
    asNamespace = function(ns, ...) copy_of(tree, asNamespace(ns, ...)))), parent = baseenv())
  for (name in c("sample", "jitter")) {
    new[[name]] <- tree$real[[name]]
    environment(new[[name]]) <- new
  }
  new
}

OF_BASE <- c("sample", "jitter", "sample.int", "set.seed", "which.max", "which.min", "findInterval", "::", ":::", "asNamespace")

# A function with the arguments of the one that it stands for.
stand_in <- function(tree, name) {
  real <- getExportedValue("stats", name)
  f <- real
  body(f) <- quote(draw(environment()))
  environment(f) <- list2env(list(draw = function(frame) drawn(tree, name, real, frame)), parent = baseenv())
  f
}

# Draws with the arguments in a frame. What is no usual call is left to the function itself, which
# raises its error or returns what needs no draw.
drawn <- function(tree, name, real, frame) {
  if (name == "runif" && identical(frame$n, 1) && eval(quote(missing(min) && missing(max)), frame)) { # as most are
    if (is.null(tree$kinds$unif)) tree$kinds$unif <- kind_of("unif")
    one <- fresh(tree, tree$kinds$unif)
    return(if (is.environment(one)) random(list(one)) else one)
  }
  names <- names(formals(real))
  args <- list()
  for (n in names) if (!eval(call("missing", as.name(n)), frame)) args[[n]] <- get(n, frame)
  usual <- TRUE
  for (v in args) {
    if (inherits(v, "breadboard_random")) refuse(tree, name, " has a parameter that is a random number", NO_FORM)
    usual <- usual && is.numeric(v) && length(v) > 0
  }
  count <- args[[names[1]]]
  if (length(count) > 1) count <- length(count)
  if (!usual || !isTRUE(count >= 0)) return(do.call(real, args))
  params <- args[setdiff(names(args), names[1])]
  draws <- vector("list", count)
  for (i in seq_len(count)) {
    one <- own(tree, name, one_draw(tree, name, lapply(params, function(v) v[[(i - 1) %% length(v) + 1]])))
    if (is.null(one)) return(do.call(real, args))
    draws[i] <- one
  }
  if (name %in% CONTINUOUS) settled(draws) else as.integer(unlist(draws))
}

# An error of what stands for a function of R is none of the function that is followed.
own <- function(tree, name, expr) withCallingHandlers(expr, error = function(condition) {
  if (!is_limit(condition)) refuse(tree, name, " fails here: ", conditionMessage(condition))
})

# A list of one draw, or the number of a discrete one; NULL if the parameters have no such
# distribution.
one_draw <- function(tree, name, params) {
  of <- substring(name, 2)
  density <- function(x) suppressWarnings(do.call(getExportedValue("stats", paste0("d", of)), c(list(x), params)))
  if (name %in% CONTINUOUS) return(continuous(tree, of, params))
  largest <- if (!name %in% ENDLESS) do.call(FINITE[[name]], params)
  if (isTRUE(is.finite(largest))) followed(tree, largest + 1)
  if (anyNA(density(0)) || name == "rnbinom" && params$size == 0 || any(!is.finite(unlist(params)))) return(NULL)
  if (name %in% ENDLESS) {
    tail <- function(x) do.call(getExportedValue("stats", paste0("p", of)), c(list(x), params, lower.tail = FALSE))
    return(endless(tree, list(name, params), density, tail))
  }
  pick(tree, density(0:largest)) - 1
}

# A continuous draw. The scale and the place of a distribution are steps, so that draws with other
# scales can race.
continuous <- function(tree, of, params) {
  if (any(!is.finite(unlist(params)))) return(NULL)
  param <- function(name, default) if (is.null(params[[name]])) default else params[[name]]
  moves <- switch(of, unif = c(param("max", 1) - param("min", 0), param("min", 0)), exp = c(1 / param("rate", 1), 0), norm = c(param("sd", 1), param("mean", 0)))
  if (!is.null(moves)) params <- list()
  if (!is.null(moves) && (moves[1] <= 0 || !is.finite(moves[1]))) return(NULL)
  key <- paste(c(of, names(params), unlist(params)), collapse = " ")
  kind <- tree$kinds[[key]]
  if (is.null(kind)) {
    kind <- suppressWarnings(kind_of(of, params))
    if (!isTRUE(kind$q(0.25) < kind$q(0.75))) return(NULL)
    tree$kinds[[key]] <- kind
  }
  list(fresh(tree, kind, c(if (!is.null(moves) && moves[1] != 1) list(list("times", moves[1])), if (!is.null(moves) && moves[2] != 0) list(list("plus", moves[2])))))
}

sample_int <- function(tree) {
  real <- base::sample.int
  function(n, size = n, replace = FALSE, prob = NULL, useHash = FALSE) {
    if (inherits(n, "breadboard_random") || inherits(size, "breadboard_random") || inherits(prob, "breadboard_random"))
      refuse(tree, "sample has an argument that is a random number", NO_FORM)
    right <- is.numeric(n) && length(n) == 1 && is.finite(n) && n >= 1 && is.numeric(size) && length(size) == 1 && is.finite(size) && size >= 0 && isTRUE(replace %in% c(TRUE, FALSE))
    n <- if (right) trunc(n) else n
    weighted <- !is.null(prob)
    right <- right && (replace || size <= n) && (!weighted || is.numeric(prob) && length(prob) == n && all(is.finite(prob)) && all(prob >= 0) && sum(prob > 0) >= if (replace) 1 else size)
    if (!right) return(real(n, size, replace, prob))
    if (size > 0) followed(tree, n)
    if (!weighted) prob <- rep(1, n)
    left <- seq_len(n)
    out <- integer(size)
    for (i in seq_len(size)) {
      k <- pick(tree, prob / sum(prob))
      out[i] <- left[k]
      if (!replace) {
        left <- left[-k]
        prob <- prob[-k]
      }
    }
    out
  }
}

# The cells of a table, one binomial number after the other.
multinomial <- function(tree) {
  real <- stats::rmultinom
  function(n, size, prob) {
    if (any(vapply(list(n, size, prob), inherits, NA, "breadboard_random"))) refuse(tree, "rmultinom has a parameter that is a random number", NO_FORM)
    right <- isTRUE(n >= 1) && isTRUE(size >= 0) && is.numeric(prob) && length(prob) > 0 && all(is.finite(prob)) && all(prob >= 0) && sum(prob) > 0 && sum(prob) < Inf
    if (!right || length(n) > 1) return(real(n, size, prob))
    one <- function() {
      out <- integer(length(prob))
      followed(tree, size + 1)
      left <- as.integer(size)
      rest <- rev(cumsum(rev(prob)))
      for (j in seq_along(prob)) {
        out[j] <- if (left == 0) 0L else if (j == length(prob) || rest[j + 1] == 0) left else pick(tree, stats::dbinom(0:left, left, prob[j] / rest[j])) - 1L
        left <- left - out[j]
      }
      out
    }
    matrix(unlist(lapply(seq_len(n), function(i) own(tree, "rmultinom", one()))), length(prob), dimnames = if (!is.null(names(prob))) list(names(prob), NULL))
  }
}

which_extreme <- function(largest) {
  real <- if (largest) base::which.max else base::which.min
  function(x) if (inherits(x, "breadboard_random")) place_of_extreme(unclass(x), largest) else real(x)
}

find_interval <- function() {
  real <- base::findInterval
  function(x, vec, rightmost.closed = FALSE, all.inside = FALSE, left.open = FALSE) {
    if (inherits(vec, "breadboard_random")) refuse(tree_of(vec), "findInterval has random numbers as ends of intervals", NO_FORM)
    if (!inherits(x, "breadboard_random")) return(real(x, vec, rightmost.closed, all.inside, left.open))
    k <- as.integer(vapply(elements(x), place_among, 1, cuts = vec))
    if (all.inside) pmin(pmax(k, 1L), length(vec) - 1L) else k
  }
}

set_seed <- function(tree) function(seed, ...) refuse(tree, "set.seed is called: what the function draws then is no random choice")

# Evaluates an expression while functions of the user find the stand-ins: on the search path before the
# packages, and in the environments of closures before their package.
with_stand_ins <- function(tree, expr) {
  if (ATTACHED %in% search()) bad_input("breadboard::law is called while another call runs, in the function itself")
  seed_now() # in a fresh session there is no state of the generator, and no stand-in makes one
  packages <- setdiff(grep("^package:", search(), value = TRUE), paste0("package:", c("base", "datasets", "graphics", "grDevices", "methods", "utils")))
  jit <- compiler::enableJIT(0) # compiled code calls which.max by another way
  first <- attach(NULL, name = ATTACHED, warn.conflicts = FALSE)
  on.exit({
    detach(ATTACHED, character.only = TRUE)
    for (hook in tree$hooks) parent.env(hook$inner) <- hook$space
    compiler::enableJIT(jit)
  })
  for (package in packages) bind_later(tree, first, as.environment(package))
  for (name in setdiff(names(tree$stand_ins), names(first))) first[[name]] <- tree$stand_ins[[name]]
  for (hook in tree$hooks) parent.env(hook$inner) <- copy_of(tree, hook$space)
  force(expr)
}

ATTACHED <- "breadboard::law"

# A function that finds the stand-ins: what stands for it, or a copy with a copy of its namespace. The
# environment of a closure inside of a package is hooked, so that it lies within such a copy.
rebased <- function(tree, f) {
  if (!is.function(f) || is.primitive(f) || isS4(f)) return(f)
  for (name in names(tree$real)) if (identical(f, tree$real[[name]])) return(tree$stand_ins[[name]])
  inner <- NULL
  space <- environment(f)
  while (!identical(space, globalenv()) && !identical(space, emptyenv()) && !isNamespace(space) && !startsWith(environmentName(space), "package:")) {
    inner <- space
    space <- parent.env(space)
  }
  if (is.null(inner)) environment(f) <- if (isNamespace(space)) copy_of(tree, space) else space # and it is not compiled
  else if (isNamespace(space) && is.null(inner[["::"]]) && !any(vapply(tree$hooks, function(hook) identical(hook$inner, inner), NA))) { # copies have it
    tree$hooks <- c(tree$hooks, list(list(inner = inner, space = space)))
    if (ATTACHED %in% search()) parent.env(inner) <- copy_of(tree, space)
  }
  f
}

# A copy of a namespace, in which functions find copies of those that it has or imports, and the stand-ins
# before base.
copy_of <- function(tree, space) {
  name <- environmentName(space)
  if (name == "base") return(space)
  if (is.null(tree$copies[[name]])) {
    tree$copies[[name]] <- copy <- new.env(parent = list2env(as.list(tree$stand_ins), parent = space))
    copy$.__S3MethodsTable__. <- new.env()
    copy$.packageName <- name # makes it the place of this table
    bind_later(tree, copy$.__S3MethodsTable__., space$.__S3MethodsTable__.)
    bind_later(tree, copy, space)
    bind_later(tree, copy, parent.env(space))
  }
  tree$copies[[name]]
}

# Binds what is in an environment, rebased when it is first used.
bind_later <- function(tree, to, from) {
  names <- setdiff(grep("^[.]__", names(from), value = TRUE, invert = TRUE), names(to))
  lapply(names, function(name) delayedAssign(name, rebased(tree, get(name, from, inherits = FALSE)), assign.env = to))
}
