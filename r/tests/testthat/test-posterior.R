coin_model <- function(fault = "") {
  grid <- (1:5) / 6
  log_joint <- function(t, y) (if (fault == "no prior") 0 else log(6 - round(6 * t))) + (if (fault == "twice") 2 else 1) * dbinom(y, 3, t, log = TRUE)
  list(prior = function() sample(grid, 1, prob = 5:1), simulate = function(t) rbinom(1, 3, t), step = function(t, y) {
    new <- sample(grid, 1)
    if (log(runif(1)) < log_joint(new, y) - log_joint(t, y)) new else t
  })
}

mixture_model <- function(fault = "") {
  emits <- rbind(c(0.6, 0.3, 0.1), c(0.1, 0.3, 0.6))
  weights <- if (fault == "no weights") c(1, 1) else c(0.3, 0.7)
  list(prior = function() rbinom(2, 1, 0.7), simulate = function(z) vapply(z, function(k) sample(3L, 1, prob = emits[k + 1, ]), 1L), step = function(z, y) {
    for (i in 1:2) z[i] <- sample(0:1, 1, prob = weights * emits[, if (fault == "index") y[3 - i] else y[i]])
    z
  })
}

change_model <- function(fault = "") {
  n <- 4
  rates <- function(c) ifelse(if (fault == "off by one") seq_len(n) <= c + 1 else seq_len(n) <= c, 0.2, 0.7)
  list(prior = function() sample(n, 1), simulate = function(c) rbinom(n, 1, ifelse(seq_len(n) <= c, 0.2, 0.7)),
    posterior = function(y) sample(n, 1, prob = vapply(seq_len(n), function(c) prod(dbinom(y, 1, rates(c))), 1)))
}

hmm_model <- function(fault = "") {
  moves <- rbind(c(0.8, 0.2), c(0.3, 0.7))
  emits <- rbind(c(0.9, 0.1), c(0.2, 0.8))
  filtered <- function(y) {
    f <- list(0.5 * emits[, y[1]])
    for (v in y[-1]) f <- c(f, list(as.vector(f[[length(f)]] %*% moves) * emits[, v]))
    f
  }
  list(prior = function() {
    x <- sample(2, 1)
    for (i in 1:2) x <- c(x, sample(2, 1, prob = moves[x[length(x)], ]))
    x
  }, simulate = function(x) vapply(x, function(s) sample(2L, 1, prob = emits[s, ]), 1L), posterior = function(y) {
    f <- filtered(y)
    x <- sample(2, 1, prob = f[[3]])
    for (t in 2:1) x <- c(sample(2, 1, prob = f[[t]] * (if (fault == "transposed") moves[x[1], ] else if (fault == "no smoothing") 1 else moves[, x[1]])), x)
    x
  }, log_z = function(y) log(sum(filtered(y)[[3]])) + (if (fault == "biased") 0.001 else 0))
}

test_that("planted faults of posteriors are found, and right twins pass", {
  check <- function(model) do.call(expect_posterior, model)
  for (model in list(coin_model, mixture_model, change_model, hmm_model)) check(model())
  expect_failure(check(coin_model("no prior")), "prior^0 times likelihood^1, as if the prior were left out", fixed = TRUE)
  expect_failure(check(coin_model("twice")), "as if the likelihood were counted twice")
  expect_failure(check(mixture_model("no weights")), "data \\[(2,3|3,2)\\]: .*as if the prior were left out")
  expect_failure(check(mixture_model("index")), "for 6 of 9 data sets")
  expect_failure(check(change_model("off by one")), "SBC with 1000 runs would have found this")
  expect_failure(check(hmm_model("transposed")), "for 8 of 8 data sets")
  expect_failure(check(hmm_model("no smoothing")), "distance")
  expect_failure(check(hmm_model("biased")), "1.0010005 p(y)", fixed = TRUE)
  expect_failure(do.call(expect_posterior, c(coin_model("no prior"), list(data = 1))), "wrong for 1 of 1 data set")
  walk <- function(t, y) { # it leaves what is drawn of the prior, whose tail is cut
    u <- t + sample(c(-1, 1), 1)
    if (u >= 0 && log(runif(1)) < dpois(u, 1, TRUE) - dpois(t, 1, TRUE)) u else t
  }
  expect_posterior(function() rpois(1, 1), function(t) rbinom(1, 1, 0.5), walk)
  expect_posterior(function() rgeom(1, 0.5), function(t) rbinom(1, 1, 0.3), posterior = function(y) rgeom(1, 0.5))
  expect_error(expect_posterior(function() 1, function(t) 1), "nothing to test")
  expect_error(expect_posterior(function() 1, function(t) 1, function(t) t), "step = is function(t); it is called as step(theta, y)", fixed = TRUE, class = "breadboard_bad_input")
  expect_error(do.call(expect_posterior, c(coin_model(), list(data = 9))), "never makes these data")
})

test_that("a slow model says once what its questions take", {
  cost <- list(spent = 0, asked = 0, said = FALSE)
  expect_message(cost <- breadboard:::said_slow(cost, 2, c(prior = 10, simulate = 6), "step"), "about 118 seconds more for step (10 parameters, 6 data)", fixed = TRUE)
  expect_silent(breadboard:::said_slow(cost, 2, c(prior = 10, simulate = 6), "step"))
  expect_silent(breadboard:::said_slow(list(spent = 0, asked = 0, said = FALSE), 1.7, c(prior = 10, simulate = 5), "posterior"))
})
