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
  pois <- law(function() rpois(1, 2))
  expect_equal(pois$p[["3"]], dpois(3, 2))
  expect_lt(pois$remainder, 1e-11)
  expect_error(mean(pois), "not known")
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

test_that("nothing of the session changes", {
  set.seed(3)
  seed <- .Random.seed
  old <- list(base::sample.int, stats::runif, getExportedValue("stats", "rexp"))
  law(function() sample(3)[1] + (runif(1) < 0.2))
  expect_error(law(function() runif(1)), class = "breadboard_refused")
  expect_error(law(function() law(function() sample(2, 1))))
  expect_identical(.Random.seed, seed)
  expect_identical(list(base::sample.int, stats::runif, getExportedValue("stats", "rexp")), old)
  expect_true(bindingIsLocked("runif", asNamespace("stats")))
})

test_that("a distribution has a mean, a distance and conditions", {
  die <- law(function() sample(6, 1))
  expect_equal(mean(die), 3.5)
  expect_equal(mean(die, function(x) c(x, x^2)), c(3.5, 91 / 6))
  expect_equal(distance(die, c("1" = 1)), 5 / 6)
  expect_equal(distance(die, die), 0)
  expect_equal(given(die, function(x) x > 4)$p, c("5" = 0.5, "6" = 0.5))
  expect_output(print(die), "0.166666667  6")
  expect_error(mean(law(function() sample(c("a", "b"), 1))), "no numbers")
  no <- law(function() if (runif(1) < 0.2) stop("no") else 1)
  expect_equal(no$raised, c(no = 0.2))
  expect_error(mean(no), "raises no")
  part <- law(function() { n <- 0; while (runif(1) < 0.5) n <- n + 1; n }, cut = 0.01)
  expect_equal(part$remainder, 1 - sum(part$p))
  expect_gt(part$remainder, 0.005)
})

test_that("expectations fail with what is wrong", {
  coin <- function() sample(c("heads", "tails"), 1)
  expect_law(coin, c(heads = 0.5, tails = 0.5))
  expect_failure(expect_law(coin, c(heads = 0.4, tails = 0.6)), "heads: 0.5, and not 0.4")
  expect_failure(expect_law(coin, c(heads = 1)), "tails: 0.5, and not 0")
})

test_that("outcomes with equal texts stay apart", {
  expect_length(law(function() if (runif(1) < 0.5) c("a b", "c") else c("a", "b c"))$p, 2)
  expect_length(law(function() if (runif(1) < 0.5) "1" else 1)$p, 2)
  expect_length(law(function() structure(0, unit = sample(2, 1)))$p, 2)
  expect_length(law(function() factor(sample(c("x", "y"), 1), levels = c("y", "x")))$p, 2)
})
