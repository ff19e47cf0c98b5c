test_that("a distribution is that of the formula", {
  found <- law(function() sample(3, 2, prob = c(0.5, 0.3, 0.2)))
  expect_equal(found$p[["1 2"]], 0.3, tolerance = 1e-15)
  expect_equal(found$p[["3 2"]], 0.2 * 0.3 / 0.8, tolerance = 1e-15)
  expect_equal(sum(found$p), 1, tolerance = 1e-15)
  rate <- c(1, 2, 3)
  expect_equal(law(function() which.min(rexp(3, rate)))$p[c("1", "2", "3")], c("1" = 1, "2" = 2, "3" = 3) / 6, tolerance = 1e-15)
  race <- law(function() order(rexp(3, rate)))
  expect_equal(race$p[["3 1 2"]], 3 / 6 * 1 / 3, tolerance = 1e-15)
  expect_equal(law(function() rnorm(1, 10, 2) < 9)$p[["TRUE"]], pnorm(-0.5), tolerance = 1e-15)
  expect_equal(law(function() rnorm(1) > 6)$p[["TRUE"]], pnorm(-6), tolerance = 1e-12)
  expect_equal(law(function() min(runif(3)) < 0.3)$p[["TRUE"]], 1 - 0.7^3, tolerance = 1e-15)
  expect_equal(law(function() max(rnorm(3)) < 0.3)$p[["TRUE"]], pnorm(0.3)^3, tolerance = 1e-14)
  expect_equal(law(function() min(rexp(2, c(1, 3))) > 0.5)$p[["TRUE"]], exp(-2), tolerance = 1e-14)
  expect_equal(law(function() { x <- runif(2); if (x[1] < 0.5) which.min(x) else 0 })$p, c("0" = 0.5, "1" = 0.375, "2" = 0.125), tolerance = 1e-15)
  pois <- law(function() rpois(1, 2))
  expect_equal(pois$p[["3"]], dpois(3, 2))
  expect_lt(pois$remainder, 1e-11)
  expect_error(mean(pois), "not known")
  expect_equal(mean(law(function() rpois(1, 2), cut = 0)), 2, tolerance = 1e-14)
  expect_equal(mean(law(function() 1e15 * (runif(1) < 1e-15))), 1, tolerance = 1e-14)
  expect_error(mean(law(function() { for (k in 1:15) if (runif(1) >= 0.1) return(0); 1e15 })), "not known")
})

test_that("what has the law, and what is refused", {
  few <- c("sample_order", "sample_weighted_replace", "bootstrap_median", "runif_find", "runif_cut", "runif_rank", "runif_power", "runif_keys", "runif_loop", "systematic", "residual",
    "rbinom_many", "rnbinom_mu", "rhyper", "rmultinom", "rexp_divided", "gumbel", "rgamma_scale", "error", "caught", "namespaced",
    "sum_of_two", "cumsum_exp", "returned", "seeded", "wishart", "assigned", "counted", "typed", "copied", "posterior_stratified")
  for (name in intersect(few, names(functions))) {
    found <- tryCatch(law(functions[[name]][[1]]), breadboard_refused = function(condition) "refused")
    expect_identical(if (is.character(found)) found else "law", functions[[name]][[2]], info = name)
    if (!is.character(found)) expect_equal(sum(found$p, found$raised, found$remainder), 1, tolerance = 1e-12, info = name)
  }
})

test_that("numbers of different distributions are integrated", {
  expect_equal(law(function() rnorm(1) < rnorm(1, 1, 2))$p[["TRUE"]], pnorm(1 / sqrt(5)), tolerance = 1e-12)
  expect_equal(law(function() which.max(rbeta(2, c(3, 5), c(4, 2))))$p[["2"]], 29 / 33, tolerance = 1e-12)
  expect_equal(law(function() which.max(c(0, 1) - log(-log(runif(2) + 1e-20) + 1e-20)))$p[["1"]], 1 / (1 + exp(1)), tolerance = 1e-12)
  expect_equal(law(function() which.min(-rnorm(2, c(0, 1e6))))$p, c("2" = 1))
  expect_error(law(function() { x <- rnorm(2, 0:1, 1:2); c(which.max(x), x[1] < 0) }), "compared again", class = "breadboard_refused")
})

test_that("hostile arguments are R's own errors, or refused", {
  raises <- function(f, text) expect_identical(law(f)$raised, stats::setNames(1, text))
  raises(function() sample(3, 3, prob = c(0, 0.5, 0.5)), "too few positive probabilities")
  raises(function() sample(2, 1, prob = c(-1, 2)), "negative probability")
  raises(function() runif(-1), "invalid arguments")
  expect_identical(law(function() rexp(1, 0))$p, c("NaN" = 1))
  expect_identical(law(function() rexp(1, Inf))$p, c("0" = 1))
  expect_identical(law(function() runif(1) < NA)$p, c("NA" = 1))
  expect_identical(law(function() rbinom(1, NA, 0.5))$p, c("NA" = 1))
  over <- law(function() sort(log(runif(3)) / c(1.4, 2, 1.7))[1] < 0.4) # rounding makes the probability larger than 1
  expect_equal(over$p, c("TRUE" = 1), tolerance = 1e-15)
  tiny <- law(function() sample(2, 1, prob = c(1e-320, 1)))
  expect_equal(tiny$remainder, 1e-320)
  refused <- function(f, ...) expect_error(law(f, ...), class = "breadboard_refused")
  refused(function() 1e-20 * runif(1) + 1 > 1) # true of real numbers, and of no double
  refused(function() rnorm(1, 1e300) > 1e300)
  refused(function() sample(1e6, 1) > 5)
  refused(function() rbinom(1, 3, runif(1)))
  refused(function() sort(runif(3))[2] < 0.5)
  refused(function() { x <- rexp(2, 1:2); if (x[1] < 0.5) which.min(x) else 0 })
  refused(function() new.env())
  none <- law(function() sum(runif(100) < 0.5), most = 50)
  expect_equal(none$remainder, 1)
  expect_output(print(none), "1 +is not explored")
})

test_that("nothing of the session changes", {
  set.seed(3)
  seed <- .Random.seed
  path <- search()
  parent <- parent.env(environment())
  above <- parent.env(parent)
  law(function() sample(3)[1] + (runif(1) < 0.2))
  expect_error(law(function() runif(1)), class = "breadboard_refused")
  expect_error(law(function() law(function() sample(2, 1))))
  expect_identical(.Random.seed, seed)
  expect_identical(search(), path)
  expect_identical(parent.env(parent), above)
})

test_that("functions of packages are followed, and what cannot be is refused with what to do", {
  die <- stats::setNames(rep(1 / 6, 6), 1:6)
  expect_law(stats::rbinom, c("0" = 0.5, "1" = 0.5), 1, 1, 0.5)
  expect_law(sample, die, 6, 1)
  expect_law(sapply, c("TRUE TRUE" = 0.25, "TRUE FALSE" = 0.25, "FALSE TRUE" = 0.25, "FALSE FALSE" = 0.25), 1:2, function(i) runif(1) < 0.5)
  expect_law(function() do.call("sample", list(6, 1)), die)
  expect_law(compiler::cmpfun(function() base::sample(6, 1)), die)
  expect_law(function() apply(matrix(1:6, 1), 1, FUN = sample, size = 1), die)
  faces <- local({
    roll <- function() sample(6, 1)
    list(roll = roll)
  }, new.env(parent = globalenv())) # as in a script
  expect_law(faces$roll, die)
  own <- evalq(local({
    draw <- function(...) UseMethod("draw")
    draw.default <- function(x) sample(x, 1)
    function(x) draw(x)
  }), new.env(parent = asNamespace("stats"))) # as in a test of a package
  expect_law(own, die, 6)
  expect_identical(parent.env(parent.env(environment(own))), asNamespace("stats"))
  if (requireNamespace("purrr", quietly = TRUE)) expect_law(function() sum(purrr::map_dbl(1:2, ~ rbinom(1, 1, 0.5))), c("0" = 0.25, "1" = 0.5, "2" = 0.25))
  stored <- stats::rnorm
  expect_error(law(function() stored(1) < 0), "draw in the function itself, as in x <- runif(4)", fixed = TRUE, class = "breadboard_refused")
})

test_that("a distribution has a mean, a distance and conditions", {
  die <- law(function() sample(6, 1))
  expect_equal(mean(die), 3.5)
  expect_equal(mean(die, function(x) c(x, x^2)), c(3.5, 91 / 6))
  expect_equal(distance(die, c("1" = 1)), 5 / 6)
  expect_equal(distance(die, die), 0)
  expect_equal(given(die, function(x) x > 4)$p, c("5" = 0.5, "6" = 0.5))
  expect_equal(mean(die, function(x) x > 4), 1 / 3)
  expect_equal(law(die, function(x) c(x %% 2, 7))$p, c("1 7" = 0.5, "0 7" = 0.5))
  expect_equal(law(law(function() if (runif(1) < 0.2) stop("no") else 1), identity)$raised, c(no = 0.2))
  expect_error(law(die, 3), "takes a function g", class = "breadboard_bad_input")
  expect_mean(die, 3.5)
  expect_mean(function(n) c(rbinom(1, n, 0.5), 1e-9), c(1, 1e-9), 2)
  expect_failure(expect_mean(die, 3.5 + 1e-8), "the mean is 3.5, and not 3.50000001, as 6 branches show")
  expect_error(expect_mean(die, c(1, 2)), "the mean has 1 numbers", class = "breadboard_bad_input")
  expect_error(expect_mean(die, Inf), "which are finite", class = "breadboard_bad_input")
  expect_failure(expect_mean(function() c(1e15, 1) * sample(2, 1), c(1.5e15, 1.6)), "1.5, and not")
  expect_failure(expect_mean(function() sample(c(1, Inf), 1), 1), "the mean is Inf")
  expect_error(expect_mean(function() sample(c(1, NaN), 1), 1), "an outcome is NA or NaN", class = "breadboard_bad_input")
  expect_mean(function(tolerance) runif(1) < tolerance, 0.25, tolerance = 0.25)
  for (tolerance in c(NA, Inf, 1)) {
    expect_error(expect_mean(die, 3, tolerance = tolerance), "tolerance = is", class = "breadboard_bad_input")
    expect_error(expect_law(die, c("1" = 1), tolerance = tolerance), "tolerance = is", class = "breadboard_bad_input")
  }
  expect_mean(function() rgeom(1, 0.5), 1)
  expect_mean(function() { n <- rgeom(1, 0.5); if (n == 53) Sys.sleep(1.2); n }, 1) # known however slow the machine is
  expect_law(function() rgeom(1, 0.5), stats::setNames(dgeom(0:60, 0.5), 0:60))
  expect_error(expect_mean(function() rgeom(1, 0.5), 1, cut = 1e-12), "not known", class = "breadboard_bad_input")
  expect_output(print(die), "0.166666667  6")
  expect_error(mean(law(function() sample(c("a", "b"), 1))), "no numbers")
  no <- law(function() if (runif(1) < 0.2) stop("no") else 1)
  expect_equal(no$raised, c(no = 0.2))
  expect_error(mean(no), "raises no")
  part <- law(function() { n <- 0; while (runif(1) < 0.5) n <- n + 1; n }, cut = 0.01)
  expect_equal(part$remainder, 1 - sum(part$p))
  expect_gt(part$remainder, 0.005)
})

test_that("what is not explored is no agreement", {
  flips <- function() { n <- 0; while (runif(1) < 0.5) n <- n + 1; n }
  part <- law(flips, cut = 0.05)
  open <- function(p, ...) expect_failure(expect_law(part, p, ...), "open: outcomes of probability 0.")
  open(c("0" = 0.5, "1" = 0.25, "2" = 0.125, "3" = 0.125))
  open(c("0" = 0.5, "1" = 0.25, "2" = 0.125, "3" = 0.0625, "4" = 0.0625))
  open(part)
  expect_failure(expect_law(function() sum(sample.int(9, 9, TRUE) == 1) %% 2, c("0" = .3, "1" = .7), most = 50), "open")
  expect_failure(expect_law(part, c("0" = 0.4, "1" = 0.6)), "0: 0.5 to 0.5625, and not 0.4")
  expect_law(part, c("0" = 0.5, "1" = 0.25, "2" = 0.125, "3" = 0.125), tolerance = 0.07)
  expect_law(function() rpois(1, 2), stats::setNames(dpois(0:40, 2), 0:40))
  expect_output(print(part), "0.125 to 0.1875 2")
  expect_equal(part["0"], c("0" = NA_real_))
  expect_equal(as.data.frame(part)[1, ], data.frame(outcome = 0, least = 0.5, most = 0.5625))
})

test_that("a function has its own arguments, outcomes and time limits", {
  own <- function(seconds, check = 1, cut = 2, most = 3, f = 4, e = 5, tolerance = 6) paste(seconds, check, cut, most, f, e, tolerance, sample(2, 1))
  expect_setequal(names(law(own, seconds = -1, check = "x", cut = "y", most = 0, f = 7, e = 8)$p), c("-1 x y 0 7 8 6 1", "-1 x y 0 7 8 6 2"))
  for (name in c("g", "given", "u", "tol")) do.call(expect_law, c(list(eval(call("function", as.pairlist(stats::setNames(alist(x = ), name)), as.name(name))), c("3" = 1)), stats::setNames(list(3), name)))
  expect_law(function() sample(c("", "a"), 1), c("\"\"" = 0.5, a = 0.5))
  expect_law(own, c("9 1 2 3 4 8 0.1 1" = 0.5, "9 1 2 3 4 8 0.1 2" = 0.5), 9, e = 8, tolerance = 0.1)
  expect_setequal(names(law(function() sample(c("NA", NA), 1))$p), c("NA", "<NA>"))
  expect_length(law(function() list("a\rcharacter b", c("a", "b"))[[sample(2, 1)]])$p, 2)
  expect_length(law(function() rep(sample(2, 1), 6000))$p, 2)
  expect_error(law(function() { setTimeLimit(elapsed = 0.05, transient = TRUE); Sys.sleep(0.2); for (i in 1:9) Sys.sleep(0.1); sample(2, 1) }), "elapsed time limit")
  expect_error(law(function() { x <- list(sample(2, 1)); for (i in 1:50000) x <- list(x); x }), "too many lists", class = "breadboard_refused")
  for (bad in list(c(a = NA, b = 1), c(a = 0.5, a = 0.5), c(0.5, b = 0.5), list(a = "x"), c(a = Inf), numeric(), c(0.5, 0.5), matrix(1)))
    expect_error(expect_law(function() 1, bad), "give each outcome once", class = "breadboard_bad_input")
})

test_that("distributions of R sum to one, or are refused", {
  for (f in list(function() rbinom(1, 1000, 0.5) > 500, function() rbinom(1, 5, 1e-300), function() rpois(1, 0), function() rpois(1, 1000), function() rgeom(1, 1e-320),
    function() rhyper(1, 2e9, 5, 20), function() rmultinom(1, 3, c(1e-320, 1e-320)), function() rnbinom(1, 1e-10, 0.5), function() rnbinom(1, 0, 0.5), function() sample(2, 1, prob = c(5e-324, 5e-324)))) {
    found <- suppressWarnings(law(f))
    expect_equal(sum(found$p) + found$remainder, 1, tolerance = 1e-12)
    expect_length(found$raised, 0)
  }
  for (f in list(function() rbinom(1, 3e9, 0.5), function() rhyper(1, 1e9, 1e9, 1e9), function() rmultinom(1, 3e9, c(0.5, 0.5)), function() rsignrank(1, 1e5), function() rwilcox(1, 1e5, 1e5)))
    expect_error(law(f), "at most 1e+05 are followed", fixed = TRUE, class = "breadboard_refused")
  expect_error(law(function() rnbinom(1, 1e10, mu = 3)), "sum to 0.99999996", class = "breadboard_refused")
})

test_that("expectations fail with what is wrong", {
  coin <- function() sample(c("heads", "tails"), 1)
  expect_law(coin, c(heads = 0.5, tails = 0.5))
  expect_failure(expect_law(coin, c(heads = 0.4, tails = 0.6)), "heads: 0.5, and not 0.4")
  expect_failure(expect_law(coin, c(heads = 1)), "tails: 0.5, and not 0")
  uneven <- function() sample(30, 1, prob = c(rep(1, 28), 9, 3))
  expect_failure(expect_law(uneven, stats::setNames(c(rep(1 / 29, 29), 0), 1:30)), "another one:\n  30: 0.075, and not 0\n  29: 0.225, and not 0.0344827586207\n(.*\n){18}  and 10 more outcomes$")
})

test_that("outcomes with equal texts stay apart", {
  expect_length(law(function() if (runif(1) < 0.5) c("a b", "c") else c("a", "b c"))$p, 2)
  expect_length(law(function() if (runif(1) < 0.5) "1" else 1)$p, 2)
  expect_setequal(names(law(function() table(sample(c("a", "b"), 2, TRUE)))$p), c("1 1", "a=2", "b=2"))
  expect_length(law(function() structure(0, unit = sample(2, 1)))$p, 2)
  expect_length(law(function() factor(sample(c("x", "y"), 1), levels = c("y", "x")))$p, 2)
})

test_that("a distribution has the methods of R", {
  found <- law(function() rbinom(1, 10, 0.3))
  expect_equal(found[c("3", "11")], c("3" = dbinom(3, 10, 0.3), "11" = 0))
  expect_equal(sum(found[]), 1)
  probs <- c(0, 0.01, 0.25, 0.5, 0.9, 1)
  expect_equal(quantile(found, probs, names = FALSE), qbinom(probs, 10, 0.3))
  expect_equal(names(quantile(found, c(0.025, 0.5))), c("2.5%", "50.0%"))
  expect_equal(median(found), 3)
  expect_equal(unclass(summary(found))[c("Mean", "SD", "Max.")], c(Mean = 3, SD = sqrt(2.1), Max. = 10))
  expect_equal(as.data.frame(found)$outcome[1:2], c(3, 2))
  expect_output(print(found, digits = 3), "0.267 +3")
  letters <- law(function() sample(c("x", "y"), 1, prob = c(0.9, 0.1)))
  expect_equal(summary(letters), c(x = 0.9, y = 0.1))
  expect_equal(summary(law(function() rgeom(1, 0.5), cut = 0.1))$most[1], 0.625)
  expect_error(quantile(letters), "no numbers", class = "breadboard_bad_input")
  expect_error(quantile(found, 1.5), "from 0 to 1", class = "breadboard_bad_input")
  fails <- law(function() if (runif(1) < 0.2) stop("no") else 1)
  expect_equal(fails["raises no"], c("raises no" = 0.2))
  expect_equal(as.data.frame(fails)$probability, c(0.8, 0.2))
  expect_error(median(fails), class = "breadboard_bad_input")
})

test_that("a quantile is given only if the unexplored outcomes cannot change it", {
  found <- law(function() rgeom(1, 0.5), cut = 1e-3)
  expect_gt(found$remainder, 0)
  expect_equal(quantile(found, c(0.1, 0.3, 0.6, 0.9), names = FALSE), qgeom(c(0.1, 0.3, 0.6, 0.9), 0.5))
  at <- sum(found$p) # the distribution function at the largest outcome found
  expect_error(quantile(found, at + 1e-9), "not known", class = "breadboard_bad_input")
  expect_error(quantile(found, 0), "not known", class = "breadboard_bad_input")
  edge <- 0.75 + found$remainder # 1 if the unexplored outcomes are small, else 2
  expect_error(quantile(found, edge - 1e-9), "not known", class = "breadboard_bad_input")
  expect_equal(quantile(found, edge + 1e-9, names = FALSE), 2)
  expect_true(is.na(found["40"]))
})

test_that("what the order of the first calls decides is refused", {
  numbered <- function() { seen <- integer(); function() { k <- sample.int(4, 1); if (!k %in% seen) seen <<- c(seen, k); match(k, seen) } }
  known <- new.env()
  by_environment <- function() { k <- as.character(sample.int(4, 1)); if (is.null(known[[k]])) known[[k]] <- length(ls(known)) + 1L; known[[k]] }
  of <- function(seen, index = "s") function() { k <- sample.int(4, 1); if (!k %in% seen()[[index]]) seen(c(seen()[[index]], k)); match(k, seen()[[index]]) }
  held <- function(space) of(function(s) if (missing(s)) space else assign("s", s, space))
  classed <- structure(list2env(list(s = integer())), class = "R6")
  object <- methods::setRefClass("Numbered", fields = list(s = "numeric"), methods = list(number = function(k) { if (!k %in% s) s <<- c(s, k); match(k, s) }), where = environment())$new()
  listed <- list(list(e = list2env(list(s = integer()))))
  in_options <- of(function(s) if (missing(s)) list(s = getOption("breadboard.numbered")) else options(breadboard.numbered = s))
  by_helper <- local({ number <- local({ seen <- integer(); function(k) { if (!k %in% seen) seen <<- c(seen, k); match(k, seen) } }); function() number(sample.int(4, 1)) })
  by_object <- function() object$number(sample.int(4, 1))
  by_list <- of(function(s) if (missing(s)) listed[[1]]$e else assign("s", s, listed[[1]]$e))
  for (f in list(numbered(), by_environment, in_options, by_helper, held(classed), by_object, by_list)) expect_error(law(f), "keeps a state", class = "breadboard_refused")
  expect_error(law(function(e) { k <- sample.int(4, 1); if (!k %in% e$s) e$s <- c(e$s, k); match(k, e$s) }, list2env(list(s = integer()))), "keeps a state", class = "breadboard_refused")
  options(breadboard.numbered = NULL)
  squares <- new.env()
  calls <- 0
  memo <- function() { calls <<- calls + 1; k <- as.character(sample.int(4, 1)); if (is.null(squares[[k]])) squares[[k]] <- as.integer(k)^2; squares[[k]] }
  expect_equal(names(law(memo)$p), c("1", "4", "9", "16"))
  expect_equal(c(length(ls(squares)), calls > 4), c(4, 1))
  expect_equal(names(law((function(n) function() sample.int(2, 1))(stop("never")))$p), c("1", "2"))
})

test_that("outcomes that are TRUE and FALSE stay so in a data frame", {
  expect_identical(as.data.frame(law(function() runif(1) < 0.25)), data.frame(outcome = c(FALSE, TRUE), probability = c(0.75, 0.25)))
  expect_identical(as.data.frame(law(function() if (runif(1) < 0.25) TRUE else 2))$outcome, c(2, 1))
  expect_identical(as.data.frame(law(function() if (runif(1) < 0.25) TRUE else 1))$outcome, c("1", "TRUE"))
})
