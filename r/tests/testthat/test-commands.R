program_or_skip <- function() if (!nzchar(Sys.which(getOption("breadboard.program", Sys.getenv("BREADBOARD", "breadboard"))))) skip("no program breadboard here")

logf <- rbind(c(0, 1, -0.5), c(0.3, -1, 2))

test_that("a table is a data frame in full precision", {
  program_or_skip()
  x <- tightness(toy = list(hill = c(0, 1, 2, 1, 0), valley = c(2, 1, 0, 1, 2)), T = c(10, 100))
  expect_equal(x$toy, c("hill", "hill", "valley", "valley"))
  expect_equal(x$T, c(10, 100, 10, 100))
  expect_equal(signif(x$J[c(1, 3)], 4), c(0.008012, 0.003189))
  expect_identical(attr(tightness(toy = matrix(0:1, 1), T = 2), "notes") != "", TRUE)
})

test_that("arrays keep their shape in both directions", {
  program_or_skip()
  p <- bb_export(toy = logf, T = 2, arrays = "p")$p
  expect_equal(p, exp(logf) / sum(exp(logf)), tolerance = 1e-14)
  cube <- array(sin(1:24), c(2, 3, 4))
  expect_identical(bb_export(toy = cube, T = 2, arrays = "log_f")$log_f, cube)
})

test_that("errors are conditions with the program's text", {
  program_or_skip()
  bad <- tryCatch(tightness(toy = "nothing"), breadboard_error = identity)
  expect_s3_class(bad, "breadboard_bad_input")
  expect_equal(bad$code, 2L)
  expect_match(conditionMessage(bad), "unknown toy \"nothing\"")
  expect_match(tryCatch(tightness(toi = "easy"), breadboard_error = conditionMessage), "unknown argument \"toi =\"")
  expect_match(breadboard(), "computes exactly")
  expect_error(breadboard("nonsense"), class = "breadboard_bad_input")
  expect_error(tightness(toy = function(x) x), class = "breadboard_bad_input")
  expect_error(tightness(toy = "easy", check = list(1)), class = "breadboard_bad_input")
})

test_that("another program gives no result", {
  skip_on_os("windows")
  old <- options(breadboard.program = "true")
  on.exit(options(old))
  expect_error(tightness(toy = "easy"), "is it breadboard", class = "breadboard_bad_input")
  options(breadboard.program = "echo")
  expect_error(expect_draws(0:1, law = c("0" = 1)), "is it breadboard", class = "breadboard_bad_input")
})

test_that("an interrupt ends the program", {
  program_or_skip()
  skip_on_os("windows")
  pid <- Sys.getpid()
  system2("sh", c("-c", shQuote(sprintf("sleep 0.5; kill -INT %d", pid))), wait = FALSE)
  T <- 1e5 + pid # which tells this command from others
  said <- tryCatch(tightness(toy = "ising:4x4:0.4", kernel = "flip", T = T), interrupt = identity)
  expect_s3_class(said, "breadboard_interrupted")
  expect_length(suppressWarnings(system2("pgrep", c("-f", sprintf("'[t]ightness -T %.0f'", T)), stdout = TRUE)), 0)
})

test_that("a kernel may be a function", {
  program_or_skip()
  skip_on_os("windows")
  asks <- function(chooser, logf, x) {
    y <- chooser$uniform(length(logf))
    if (chooser$flip(min(1, exp(logf[y] - logf[x])))) y else x
  }
  draws <- function(logf, x) {
    y <- sample(length(logf), 1)
    if (runif(1) < exp(logf[y] - logf[x])) y else x
  }
  for (kernel in list(asks, draws)) {
    x <- tightness(toy = logf, T = 10, kernel = kernel)
    expect_equal(signif(c(x$J, x$B), 6), c(0.0285176, 0.245586))
  }
  wrong <- function(chooser, logf, x) {
    y <- chooser$uniform(length(logf))
    if (chooser$flip(min(1, exp(2 * (logf[y] - logf[x]))))) y else x
  }
  fault <- tryCatch(kernel_check(wrong, toy = logf, beta = 1), breadboard_fault = identity)
  expect_match(conditionMessage(fault), "state 5 [1 2] gets +0.057", fixed = TRUE)
  expect_equal(fault$rows$verdict[fault$rows$finding == "invariance"], "fault")
  expect_error(tightness(toy = logf, T = 3, kernel = function(chooser, logf, x) 0), "none of the states 1 to 6")
  expect_error(tightness(toy = logf, T = 3, kernel = function(chooser, logf, x) stop("mine")), "mine")
  expect_error(tightness(toy = logf, T = 3, kernel = function(chooser, logf, x) sample(6, 1)), "generator")
  scan <- function(chooser, logf, x) { # it knows the grid, so that a wrong order of states is a fault
    at <- arrayInd(x, dim(logf))
    row <- exp(logf[at[1], ] - max(logf[at[1], ]))
    j <- chooser$choose(row / sum(row))
    column <- exp(logf[, j] - max(logf[, j]))
    at[1] + 2 * (j - 1) - at[1] + chooser$choose(column / sum(column))
  }
  expect_equal(kernel_check(scan, toy = logf, beta = 1)$verdict[1:2], c("pass", "pass"))
})

test_that("a coupling may be a function", {
  program_or_skip()
  skip_on_os("windows")
  together <- function(chooser, logf, x, y) rep(chooser$choose(exp(logf) / sum(exp(logf))), 2)
  P <- t(matrix(exp(c(0, 1, 2)) / sum(exp(c(0, 1, 2))), 3, 3))
  expect_true(all(couple_check(together, toy = c(0, 1, 2), kernel = P, beta = 1)$verdict != "fault"))
})

test_that("draws are read by index, by coordinates and by label", {
  program_or_skip()
  set.seed(1)
  d <- sample(6, 20000, TRUE, exp(logf))
  at <- arrayInd(d, dim(logf))
  for (draws in list(d, at, data.frame(x0 = at[, 1], x1 = at[, 2]), data.frame(x1 = at[, 2], x0 = at[, 1]))) expect_equal(conform_draws(draws, toy = logf)$verdict[1], "pass")
  expect_equal(conform_draws((at[, 1] - 1) * 3 + at[, 2] - 1, toy = logf, base = 0)$verdict[1], "pass")
  expect_error(conform_draws(d, toy = t(logf)), class = "breadboard_fault")
  expect_error(conform_draws(d - 1, toy = logf), "R counts states from 1 to 6")
  expect_error(conform_draws(at - 1, toy = logf), "R counts from 1")
  expect_error(conform_draws(data.frame(x0 = at[, 1] - 1, x1 = at[, 2] - 1), toy = logf), class = "breadboard_bad_input")
  expect_error(conform_draws(c(1, NA), toy = logf), "NA")
  words <- c("b", "c", "a")[sample(3, 5000, TRUE, c(0.5, 0.3, 0.2))]
  for (draws in list(words, factor(words), data.frame(state = factor(words)))) {
    expect_equal(conform_draws(draws, law = c(a = 0.2, b = 0.5, c = 0.3))$verdict[1], "pass")
    expect_equal(conform_draws(draws, toy = log(c(c = 0.3, b = 0.5, a = 0.2)))$verdict[1], "pass")
  }
  expect_equal(conform_draws(sample(3, 5000, TRUE, c(0.5, 0.3, 0.2)), law = c(0.5, 0.3, 0.2))$verdict[1], "pass")
  for (law in list(list(a = 0.2, b = 0.5, c = 0.3), data.frame(state = c("a", "b", "c"), p = c(0.2, 0.5, 0.3)))) expect_equal(conform_draws(words, law = law)$verdict[1], "pass")
  expect_equal(conform_draws(sample(0:1, 5000, TRUE), law = c(0.5, 0.5), base = 0)$verdict[1], "pass")
  bits <- cbind(sample(2, 5000, TRUE), sample(2, 5000, TRUE))
  expect_equal(conform_draws(bits, law = c("1;1" = 0.25, "1;2" = 0.25, "2;1" = 0.25, "2;2" = 0.25))$verdict[1], "pass")
  expect_error(conform_draws(cbind(x = bits[, 1], x = bits[, 2]), law = c(0.5, 0.5)), "header", class = "breadboard_bad_input")
  for (bad in list(function(x) x, TRUE, c("a", "b"))) expect_error(conform_draws(words, law = bad), "law = is of class", class = "breadboard_bad_input")
  line <- target(c(b = log(5), a = log(2), c = log(3)), edges = cbind(c("a", "b"), c("b", "c")))
  expect_equal(conform_draws(words, toy = line)$verdict[1], "pass")
})

test_that("the axes of a target have the names and values of R's", {
  program_or_skip()
  table <- data.frame(alpha = c(0.5, 0.5, 1.5, 1.5), beta = c(1, 2, 1, 2), lp = c(-2, -1, 0, -3))
  labelled <- array(c(-2, 0, -1, -3), c(2, 2), dimnames = list(alpha = c(0.5, 1.5), beta = 1:2))
  for (toy in list(table, labelled, target(exp(labelled), probabilities = TRUE))) {
    rows <- samplers_errors(toy = toy, kernel = "metropolis", start = "target", "function" = "alpha*beta", N = 10)
    expect_equal(rows$mean, 1.34250217713, tolerance = 1e-10)
  }
  expect_error(target(data.frame(alpha = "a")), "a column lp or prob")
})

test_that("chains of coda and posterior are read", {
  program_or_skip()
  set.seed(2)
  at <- arrayInd(sample(6, 4000, TRUE, exp(logf)), dim(logf))
  colnames(at) <- c("x0", "x1")
  half <- list(at[1:2000, ], at[2001:4000, ])
  three <- aperm(array(unlist(half), c(2000, 2, 2), list(NULL, colnames(at), NULL)), c(1, 3, 2))
  chains <- list(three)
  if (requireNamespace("coda", quietly = TRUE)) chains <- c(chains, list(coda::mcmc.list(lapply(half, coda::mcmc)), coda::mcmc(at)))
  if (requireNamespace("posterior", quietly = TRUE)) chains <- c(chains, list(posterior::as_draws_array(three), posterior::as_draws_df(three)))
  for (chain in chains) {
    expect_true(all(conform_chain(chain, toy = logf)$verdict != "fault"))
    expect_lt(max(abs(samplers_diagnose(chain, toy = logf)$mean_error)), 4)
  }
})

test_that("figures and texts are the program's", {
  program_or_skip()
  x <- tightness(toy = logf, T = c(10, 100))
  expect_match(plot(x), "figure[34][.]svg$")
  expect_match(tightness(toy = logf, T = 10, format = "latex"), "begin{tabular}", fixed = TRUE)
  expect_output(print(x), "toy = array")
})

test_that("JSON is read as it is written", {
  read <- breadboard:::from_json
  expect_equal(read("[1,-2.5e-3,null]"), c(1, -0.0025, NA))
  expect_equal(read("{\"a\":[],\"b\":{\"c\":[[1],[\"x\"]]},\"d\":true,\"e\":\"\\u00e9\\\"\\\\\\/\"}"), list(a = list(), b = list(c = list(1, list("x"))), d = TRUE, e = "\u00e9\"\\/"))
  table <- breadboard:::table_of("[{\"a\":1,\"b\":\"NaN\",\"c\":\"+Inf\",\"d\":\"x\"},{\"a\":null,\"b\":2,\"c\":\"-Inf\",\"d\":\"NaN\"}]")
  expect_equal(table$a, c(1, NA))
  expect_equal(table$b, c(NaN, 2))
  expect_equal(table$c, c(Inf, -Inf))
  expect_equal(table$d, c("x", "NaN"))
})

test_that("plain functions are tested", {
  log_sum_exp <- function(v) if (max(v) == -Inf) -Inf else max(v) + log(sum(exp(v - max(v))))
  tau <- function(x, y) cor(x, y, method = "kendall")
  expect_equal(expect_vectors(list(log_sum_exp = log_sum_exp, kendall_tau = tau, kl = function(p, q) sum(ifelse(p == 0, 0, p * log(p / q)))))$verdict, rep("pass", 3))
  expect_warning(expect_vectors(list(tv = function(p, q) sum(abs(p - q)))), "another definition: the whole sum")
  expect_failure(expect_vectors(list(log_sum_exp = function(v) log(sum(exp(v))))), "known mistake: exponentials are taken without")
  rows <- function(initial, transition, likelihood) {
    for (t in seq_len(nrow(likelihood))) {
      p <- (if (t > 1) drop(p %*% transition) else initial) * likelihood[t, ]
      p <- p / sum(p)
      likelihood[t, ] <- p
    }
    likelihood
  }
  expect_equal(expect_vectors(list(hmm_filter = rows))$verdict, "pass")
})
