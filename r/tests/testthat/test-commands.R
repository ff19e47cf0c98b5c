logf <- rbind(c(0, 1, -0.5), c(0.3, -1, 2))

test_that("a table is a data frame in full precision", {
  program_or_skip()
  x <- tightness(toy = list(hill = c(0, 1, 2, 1, 0), valley = c(2, 1, 0, 1, 2)), T = c(10, 100))
  expect_equal(x$toy, c("hill", "hill", "valley", "valley"))
  expect_equal(x$T, c(10, 100, 10, 100))
  expect_equal(signif(x$J[c(1, 3)], 4), c(0.008012, 0.003189))
  expect_identical(attr(tightness(toy = matrix(0:1, 1), T = 2), "notes") != "", TRUE)
})

test_that("what has a name in a list has it in the table", {
  program_or_skip()
  x <- tightness(toy = list(hill = c(0, 1, 2)), T = 3, schedule = list(own = c(0, 0.3, 1)), initial = c(flat = "uniform"), kernel = list(mine = array(diag(3), c(3, 3, 2))))
  expect_equal(unlist(unclass(x)[c("toy", "schedule", "initial", "kernel")]), c(toy = "hill", schedule = "own", initial = "flat", kernel = "mine"))
  expect_equal(tightness(toy = c(a = "easy", "hard"), T = 3)$toy, c("a", "hard"))
  expect_equal(tightness(toy = "easy", T = 3, T = 5)$T, c(3, 5))
  expect_equal(kernel_check(list(mine = diag(3)), toy = c(0, 1, 2), beta = 1)$kernel[1], "mine")
})

test_that("arrays keep their shape in both directions", {
  program_or_skip()
  p <- export(toy = logf, T = 2, arrays = "p")$p
  expect_equal(p, exp(logf) / sum(exp(logf)), tolerance = 1e-14)
  cube <- array(sin(1:24), c(2, 3, 4))
  expect_identical(export(toy = cube, T = 2, arrays = "log_f")$log_f, cube)
})

test_that("errors are conditions with the program's text", {
  program_or_skip()
  bad <- tryCatch(tightness(toy = "nothing"), breadboard_error = identity)
  expect_s3_class(bad, "breadboard_bad_input")
  expect_equal(bad$code, 2L)
  expect_match(conditionMessage(bad), "unknown toy \"nothing\"")
  expect_match(bad$hint, "^choices: easy")
  expect_match(tryCatch(tightness(toi = "easy"), breadboard_error = conditionMessage), "unknown argument \"toi =\"; did you mean toy =?; see breadboard_help(\"tightness\")", fixed = TRUE)
  expect_match(breadboard(), "computes exactly")
  expect_error(breadboard("tightnes"), "did you mean tightness?", fixed = TRUE, class = "breadboard_bad_input")
  expect_error(breadboard("conform", "draw"), "did you mean draws", class = "breadboard_bad_input")
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
  said <- tryCatch(tightness(toy = "ising:4x4:0.4", kernel = "flip", T = T, time = "1h"), interrupt = identity)
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
  expect_match(conditionMessage(fault), "state 6 [2 3] gets +0.057", fixed = TRUE)
  expect_equal(fault$rows$verdict[fault$rows$finding == "invariance"], "fault")
  expect_error(kernel_check(wrong, toy = c(a = 1, b = 2, c = 0), beta = 1), "between states a and b")
  expect_error(kernel_check(wrong, toy = c(1, 2, 0), beta = 1), "between states 1 and 2")
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

metropolis <- function(log_f, x) {
  y <- sample(length(log_f), 1)
  if (runif(1) < exp(log_f[y] - log_f[x])) y else x
}
rows <- function(log_f) {
  n <- length(log_f)
  P <- outer(seq_len(n), seq_len(n), function(x, y) pmin(1, exp(log_f[y] - log_f[x])) / n)
  P + diag(1 - rowSums(P))
}

test_that("a step that takes no log f is followed once", {
  was <- options(test.p = c(1, 3))
  on.exit(options(was))
  answer <- kernel_answer(function(x) sample(2, 1, prob = getOption("test.p")))
  first <- answer$within(answer$row(c(0, 1), 0))
  options(test.p = c(1, 1))
  expect_identical(answer$within(answer$row(c(0, 2), 0)), first)
})

test_that("a kernel has one form everywhere", {
  program_or_skip()
  skip_on_os("windows")
  weather <- c(sun = 0, rain = 1, snow = -0.5)
  named <- function(log_f) structure(rows(log_f), dimnames = list(names(log_f), names(log_f)))
  forms <- list(metropolis, rows, function(x, log_f = NULL, scale = 2) metropolis(log_f, x), function(x) names(weather)[metropolis(weather, match(x, names(weather)))], function(logf) data.frame(rows(logf)),
    function(log_f, x) unname(named(log_f)[x, ]), function(log_f, x) rev(named(log_f)[x, ]), function(log_f) named(log_f)[c(3, 1, 2), c(2, 1, 3)])
  for (kernel in forms) expect_equal(unname(transition(kernel, weather)), unname(rows(weather)), tolerance = 1e-14)
  expect_equal(dimnames(transition("barker", weather)), list(from = names(weather), to = names(weather)))
  expect_equal(rownames(transition(rows, logf))[2:3], c("2 1", "1 2"))
  for (kernel in list(rows, function(log_f, x) rows(log_f)[x, ])) expect_equal(signif(tightness(toy = logf, T = 10, kernel = kernel)$J, 6), 0.0285176)
  refused <- list("function(l, x); give step(x) or step(log_f, x)" = function(l, x) x, "function(x, rng); give" = function(x, rng) x, "function(); give" = function() 1,
    "function(..., na.rm); give" = sum, "no matrix with a row" = function(log_f) 1:3, "none of the states sun, rain, snow; x is such" = function(x) "hail", "goes to NULL" = function(x) NULL,
    "from the state sun the kernel returns c(0.5, 0.6, 0)" = function(x) c(0.5, 0.6, 0), "names the states a, b, c, and they are sun" = function(x) c(a = 1, b = 0, c = 0))
  for (text in names(refused)) expect_error(kernel_check(refused[[text]], toy = weather, beta = 1), text, fixed = TRUE, class = "breadboard_bad_input")
  expect_error(kernel_check(function(x) 1, toy = c("0" = 0, "1" = 0), beta = 1), "goes to 1, which is none of the states 0, 1", class = "breadboard_bad_input") # a name or an index?
})

test_that("states may be any objects, and failures name them", {
  program_or_skip()
  skip_on_os("windows")
  walk <- function(states, beta) function(x) { # on a ring
    at <- function(x) which(vapply(states, function(s) isTRUE(all.equal(s, x, check.attributes = FALSE)), NA))
    y <- states[[(at(x) + sample(c(0, length(states) - 2), 1)) %% length(states) + 1]]
    if (runif(1) < exp(beta * (at(y) - at(x)))) y else x
  }
  for (case in list(list(list(c(0, 0), c(0, 1), c(1, 1)), "c(1, 1)"), list(c(10, 20, 30), "30"), list(list("a", 1, "1"), "1 #1"), list(list(list(k = 1), list(k = 2), list(k = "z")), "list(k = \"z\")"),
    list(factor(c("lo", "mid", "hi")), "hi"), list(list(NULL, TRUE, NA), "NA"), list(list(matrix(1:4, 2), 1:4, 5L), "5"), list(c(u = 1, v = 2, w = 3), "3"), list(1:3 / 3, "1"))) {
    states <- as.list(case[[1]])
    expect_invariant(walk(states, 1), states = case[[1]], log_f = 1:3)
    said <- tryCatch(kernel_check(walk(states, 2), toy = target(1:3, states = case[[1]]), beta = 1), breadboard_fault = conditionMessage)
    expect_match(said, paste("state", case[[2]], "gets +"), fixed = TRUE)
  }
  expect_error(kernel_check(function(x) 1, toy = target(c(0, 0), states = c(10, 20)), beta = 1), "from the state 10 the kernel goes to 1, which is none of the states 10, 20", class = "breadboard_bad_input")
  for (bad in list(list(1, 1L), list(1, new.env()), diag(2), 1:3)) expect_error(target(c(0, 1), states = bad), "given twice|be compared|is a table|has 3 states", class = "breadboard_bad_input")
  for (call in expression(expect_invariant(rows), expect_invariant(rows, states = 1:2), expect_invariant(rows, "easy", log_f = 1:2))) expect_error(eval(call), "give a toy, or log_f", class = "breadboard_bad_input")
  expect_error(expect_invariant(function(log_f, x) if (log_f[x] == -Inf) stop("no way") else x, log_f = c(0, -Inf)), "from the state 2, with probability 1: no way")
})

test_that("a kernel that hides what it keeps by the order of the questions is refused", {
  program_or_skip()
  skip_on_os("windows")
  flat <- c(0, 1, 0.5)
  forms <- list(function(stuck) function(log_f, x) if (stuck(x)) x else metropolis(log_f, x), function(stuck) function(x) if (stuck(x)) x else metropolis(flat, x),
    function(stuck) function(log_f, x) if (stuck(x)) as.numeric(1:3 == x) else rows(log_f)[x, ], function(stuck) function(chooser, log_f, x) if (stuck(x)) x else chooser$choose(rows(log_f)[x, ]))
  memories <- list(function() { last <- 0; function(x) { before <- last; last <<- x; x < before } }, function() { most <- 0; function(x) { most <<- max(most, x); x < most } },
    function() { last <- 0; function(x) { before <- last; last <<- x; before && abs(x - before) > 1 } }, function() { first <- NULL; function(x) { if (is.null(first)) first <<- x; x == first } })
  for (form in forms) {
    for (memory in memories) for (door in list(function(kernel) transition(kernel, flat), function(kernel) expect_invariant(kernel, flat)))
      expect_error(door(form(memory())), "keeps a state", class = "breadboard_bad_input")
    if (length(formals(form(identity))) > 1) expect_invariant(form(function(x) FALSE), c(0, -700, -350))
    expect_invariant(form(local({ calls <- 0; function(x) { calls <<- calls + 1; FALSE } })), flat)
  }
})

test_that("a table shows the columns that fit", {
  program_or_skip()
  x <- tightness(toy = c("easy", "barrier"), T = c(10, 100)) # texts of some rows are missing
  old <- options(width = 60)
  on.exit(options(old))
  said <- utils::capture.output(print(x))
  expect_match(said[2], "^ +toy +T +J +B +[a-zA-Z_]+$")
  expect_match(paste(said, collapse = " "), "left out for 60 columns: kl_q_p, ")
  expect_true(all(nchar(said[-1][!startsWith(said[-1], "#")]) <= 60))
})

test_that("draws are read by index, by coordinates and by label", {
  program_or_skip()
  set.seed(1)
  d <- sample(6, 20000, TRUE, exp(logf))
  at <- arrayInd(d, dim(logf))
  for (draws in list(d, at, data.frame(x0 = at[, 1], x1 = at[, 2]), data.frame(x1 = at[, 2], x0 = at[, 1]))) expect_equal(conform_draws(draws, toy = logf)$verdict[1], "pass")
  expect_equal(conform_draws((at[, 1] - 1) * 3 + at[, 2] - 1, toy = logf, base = 0)$verdict[1], "pass")
  expect_error(conform_draws(d, toy = t(logf)), class = "breadboard_fault")
  expect_error(conform_draws(d - 1, toy = logf), "R counts from 1 to 6")
  expect_error(conform_draws(at - 1, toy = logf), "R counts from 1 to 2, 3")
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
  expect_error(conform_draws(cbind(x = bits[, 1], x = bits[, 2]), law = c(0.5, 0.5)), "column = x=ROLE", class = "breadboard_bad_input")
  for (bad in list(function(x) x, TRUE, c("a", "b"))) expect_error(conform_draws(words, law = bad), "law = is of class", class = "breadboard_bad_input")
  line <- target(c(b = log(5), a = log(2), c = log(3)), edges = cbind(c("a", "b"), c("b", "c")))
  expect_equal(conform_draws(words, toy = line)$verdict[1], "pass")
  at <- sample(3, 4000, TRUE, c(0.5, 0.3, 0.2))
  chain <- rep(1:4, each = 1000)
  for (labels in list(c(2, 3, 1), c(0, 2, 1), c(0, 1, 2), c(0.1, 5e5, -3))) { # numbers are the labels, and no indices
    toy <- stats::setNames(log(c(0.5, 0.3, 0.2)), sprintf("%g", labels))
    forms <- list(identity, function(d) data.frame(state = d, chain = chain), function(d) matrix(d, 1000), function(d) unname(split(d, chain)))
    for (form in forms) {
      expect_draws(form(labels[at]), toy)
      expect_failure(expect_draws(form(labels[c(2, 3, 1)][at]), toy))
    }
  }
  grid <- arrayInd(sample(6, 4000, TRUE, exp(logf)), dim(logf))
  expect_draws(split(grid, row(grid)), logf)
  expect_error(conform_draws(grid[rep(1:2, 2), c(1, 2, 1)], toy = logf), "has 3 coordinates", class = "breadboard_bad_input")
  if (requireNamespace("posterior", quietly = TRUE)) {
    expect_draws(posterior::rvar(grid), logf)
    expect_failure(expect_draws(posterior::rvar(sample(3, 4000, TRUE)), c(0, 1, 2)))
    expect_error(expect_chain(posterior::as_draws_df(data.frame(state = at))[4000:1, ], c(0, 1, 2), kernel = "heatbath"), "found \"3999\", and 4000 before it", class = "breadboard_bad_input")
  }
})

test_that("the axes of a target have the names and values of R's", {
  program_or_skip()
  table <- data.frame(alpha = c(0.5, 0.5, 1.5, 1.5), beta = c(1, 2, 1, 2), lp = c(-2, -1, 0, -3))
  labelled <- array(c(-2, 0, -1, -3), c(2, 2), dimnames = list(alpha = c(0.5, 1.5), beta = 1:2))
  for (toy in list(table, labelled, target(exp(labelled), probabilities = TRUE))) {
    rows <- breadboard("samplers", "errors", toy = toy, kernel = "metropolis", start = "target", "function" = "alpha*beta", N = 10)
    expect_equal(rows$mean, 1.34250217713, tolerance = 1e-10)
  }
  expect_error(tightness(toy = data.frame(alpha = 1:3), T = 2), "no column is called lp", class = "breadboard_bad_input")
  line <- target(log(c("1" = 0.5, "2" = 0.3, "3" = 0.2)), edges = cbind(1, 2)) # 3 has no neighbours
  expect_equal(colSums(transition("metropolis", line))[["3"]], 1)
  expect_error(target(c("1" = 0), edges = cbind(1, 2)), "edges = has the state 2, for which values = has no value", class = "breadboard_bad_input")
})

test_that("a path may be log f of each stage", {
  program_or_skip()
  between <- c(0, 0.2, 0.6, 1)
  geometric <- tightness(toy = logf, T = 4, schedule = between)$J
  stages <- outer(between, logf)
  J <- function(toy, path) tightness(toy = toy, T = 4, path = path)$J
  for (path in list(stages, matrix(stages, 4), `colnames<-`(matrix(stages, 4), 1:6)[, 6:1])) expect_equal(J(logf, path), geometric, tolerance = 1e-12)
  grid <- structure(logf, dimnames = list(x = 2:1, y = c("u", "v", "w"))) # the program has 1 first
  for (path in list(stages, array(stages, dim(stages), c(list(NULL), unname(dimnames(grid)))))) expect_equal(J(grid, path), geometric, tolerance = 1e-12)
  named <- c(b = 0, a = 1, c = -1)
  expect_equal(J(named, outer(between, named)[, c("c", "a", "b")]), tightness(toy = named, T = 4, schedule = between)$J, tolerance = 1e-12)
  wrong <- list("last stage differs" = stages * 0.5, "names other states" = array(stages, dim(stages), list(NULL, 1:2, 3:1)), "names the states" = `colnames<-`(matrix(stages, 4), letters[1:6]))
  for (text in names(wrong)) expect_error(J(logf, wrong[[text]]), text, class = "breadboard_bad_input")
  expect_error(tightness(toy = c("easy", "hard"), T = 4, path = stages), "give one", class = "breadboard_bad_input")
})

# Draws of a grid as two chains, by the class of the object.
objects_of_chains <- function(package) {
  skip_if_not_installed(package)
  set.seed(2)
  at <- arrayInd(sample(6, 4000, TRUE, exp(logf)), dim(logf))
  colnames(at) <- c("x0", "x1")
  half <- list(at[1:2000, ], at[2001:4000, ])
  if (package == "coda") return(list(mcmc = coda::mcmc(at), mcmc.list = coda::mcmc.list(lapply(half, coda::mcmc))))
  draws <- posterior::as_draws_array(aperm(array(unlist(half), c(2000, 2, 2), list(NULL, colnames(at), NULL)), c(1, 3, 2)))
  list(draws_array = draws, draws_df = posterior::as_draws_df(draws), draws_matrix = posterior::as_draws_matrix(draws),
    draws_list = posterior::as_draws_list(draws), draws_rvars = posterior::as_draws_rvars(draws))
}

for (package in c("coda", "posterior")) test_that(paste("the objects of", package, "are read"), {
  program_or_skip()
  chains <- objects_of_chains(package)
  for (class in names(chains)) {
    expect_s3_class(chains[[class]], class)
    expect_true(all(breadboard("conform", "chain", chains[[class]], toy = logf)$verdict != "fault"), info = class)
    rows <- breadboard("samplers", "diagnose", chains[[class]])
    expect_equal(rows$chains, rep(if (class == "mcmc") 1 else 2, 2), info = class)
    expect_error(conform_draws(chains[[class]], toy = -logf), class = "breadboard_fault")
  }
})

test_that("figures and texts are the program's", {
  program_or_skip()
  x <- tightness(toy = logf, T = c(10, 100))
  expect_match(plot(x), "(bounds|distributions)[.]svg$")
  expect_match(tightness(toy = logf, T = 10, format = "latex"), "begin{tabular}", fixed = TRUE)
  expect_output(print(x), "toy = array")
})

test_that("JSON is read as it is written", {
  expect_silent(text <- breadboard:::number_text(c(1L, NA)))
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
  expect_failure(expect_vectors(list(log_sum_exp = function(v) log(sum(exp(v))))), "answers are wrong")
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

test_that("ranks are vectors, lists, matrices and data frames", {
  program_or_skip()
  set.seed(3)
  ranks <- data.frame(mu = sample(0:99, 2000, TRUE), tau = sample(0:99, 2000, TRUE))
  stats <- data.frame(sim_id = rep(1:2000, 2), variable = rep(names(ranks), each = 2000), rank = unlist(ranks), max_rank = 99)
  for (given in list(ranks$mu, ranks, as.list(ranks), as.matrix(ranks), unname(as.matrix(ranks)))) expect_true(all(conform_ranks(given, draws = 99)$verdict == "pass"))
  expect_equal(conform_ranks(ranks, draws = 99)$variable, names(ranks))
  for (given in list(stats, structure(list(stats = stats), class = "SBC_results"))) expect_equal(sort(conform_ranks(given)$variable), names(ranks))
  expect_error(conform_ranks(pmin(99, ranks$mu + 20), draws = 99), "rank; uniform ranks; value = Inf", class = "breadboard_fault")
  expect_error(conform_ranks(c(ranks$mu, NA), draws = 99), "^ranks, row 2001", class = "breadboard_bad_input")
})

test_that("matrices as kernels are sparse or dense, and in the order of R", {
  program_or_skip()
  p <- exp(as.vector(logf)) / sum(exp(logf))
  P <- 0.5 * diag(6) + 0.5 * matrix(p, 6, 6, byrow = TRUE)
  pass <- function(kernel, toy = logf, ...) all(kernel_check(kernel, toy = toy, beta = 1, ...)$verdict != "fault")
  for (kernel in list(P, as.data.frame(P), as.table(P))) expect_true(pass(kernel))
  expect_true(pass(P, list(mine = logf)))
  expect_true(pass(P, target(exp(logf), probabilities = TRUE)))
  named <- matrix(c(0.5, 0.25, 0.25), 3, 3, byrow = TRUE, dimnames = list(c("a", "b", "c"), c("a", "b", "c")))
  by_name <- log(c(c = 0.25, a = 0.5, b = 0.25))
  for (toy in list(target(by_name, edges = cbind("a", c("b", "c"))), target(exp(by_name), probabilities = TRUE), data.frame(letter = names(by_name), prob = exp(by_name))))
    expect_true(pass(named, toy))
  expect_true(pass(structure(named[c(2, 3, 1), c(2, 3, 1)], dimnames = list(c(1, 2, 0), c(1, 2, 0))), log(c("0" = 0.5, "1" = 0.25, "2" = 0.25))))
  expect_equal(transition(named[c(3, 1, 2), c(2, 1, 3)], by_name)["b", c("c", "a", "b")], c(c = 0.25, a = 0.5, b = 0.25))
  expect_equal(dim(export(toy = c(0, 1, 2), T = 2, arrays = "kernel_dense")$kernel_2), c(3, 3))
  expect_error(pass(matrix(1 / 6, 6, 6)), "the kernel is wrong", class = "breadboard_fault")
  K <- export(toy = logf, T = 2, kernel = "heatbath-scan", arrays = "kernel_dense")$kernel_2
  expect_equal(as.vector(p %*% K), p, tolerance = 1e-14)
  expect_true(pass(K))
  stages <- export(toy = logf, T = 4, kernel = "heatbath", arrays = c("kernel_dense", "J"), stages = "all")
  P <- simplify2array(stages[paste0("kernel_", 2:4)])
  expect_equal(tightness(toy = logf, T = 4, kernel = P)$J, stages$J, tolerance = 1e-12)
  expect_error(tightness(toy = logf, T = 4, kernel = P[1:3, , ]), "an array of 3 x 6 x 3", class = "breadboard_bad_input")
  P <- 0.5 * diag(6) + 0.5 * matrix(p, 6, 6, byrow = TRUE)
  skip_if_not_installed("Matrix")
  entries <- export(toy = logf, T = 2, kernel = "heatbath-scan", arrays = "kernel_csr")$kernel_2
  expect_equal(as.matrix(entries), K)
  for (kernel in list(Matrix::Matrix(P, sparse = TRUE), Matrix::Matrix(P), entries, methods::as(entries, "TsparseMatrix"))) expect_true(pass(kernel))
  quarters <- Matrix::bandSparse(3, k = -1:1, diagonals = list(rep(0.25, 2), c(0.75, 0.5, 0.75), rep(0.25, 2)))
  expect_lt(max(kernel_check(quarters, toy = c(0, 0, 0), beta = 1)$tolerance, na.rm = TRUE), 1.1e-12) # no digit is missing
  for (kernel in list(Matrix::Diagonal(3), quarters)) expect_true(pass(kernel, c(0, 0, 0)))
  expect_error(pass(Matrix::Matrix(P, sparse = TRUE), t(logf)), class = "breadboard_fault")
  expect_equal(tightness(toy = Matrix::Matrix(logf), T = 5)$J, tightness(toy = logf, T = 5)$J)
})

test_that("a hidden Markov model is a list of arrays", {
  program_or_skip()
  hmm <- list(initial = c(0.6, 0.4), transition = rbind(c(0.7, 0.3), c(0.4, 0.6)),
    emission = rbind(hot = c(one = 0.5, two = 0.4, three = 0.1), cold = c(0.1, 0.3, 0.6)), observations = c(1, 3, 2))
  paths <- as.matrix(expand.grid(1:2, 1:2, 1:2))
  joint <- apply(paths, 1, function(x) hmm$initial[x[1]] * prod(hmm$transition[cbind(x[-3], x[-1])], hmm$emission[cbind(x, hmm$observations)]))
  hot <- vapply(1:3, function(t) sum(joint[paths[, t] == 1]) / sum(joint), 1)
  words <- replace(hmm, "observations", list(factor(c("one", "three", "two"))))
  for (model in list(hmm, words)) {
    rows <- breadboard("network", model)
    expect_equal(rows$posterior[rows$label == "hot"], hot, tolerance = 1e-12)
    expect_equal(rows$log_z[1], log(sum(joint)), tolerance = 1e-12)
  }
  expect_gt(breadboard("smc", "gibbs", hmm = hmm, observations = 3, particles = 2)$spectral_gap[1], 0)
  expect_equal(tightness(toy = list(mine = hmm), T = 3)$toy, "mine")
  expect_error(breadboard("network", toy = replace(hmm, "observations", list(c(1, 0)))), "observation 2 is 0; observations count from 1 to 3", class = "breadboard_bad_input")
  expect_error(breadboard("network", toy = hmm[-4]), "yours has no observations", class = "breadboard_bad_input")
  expect_error(breadboard("smc", "gibbs", hmm = c(hmm, y = 1)), "yours has y", class = "breadboard_bad_input")
})

test_that("the error of a kernel is that of the user", {
  program_or_skip()
  skip_on_os("windows")
  mine <- structure(class = c("mine", "error", "condition"), list(message = "no", call = NULL, why = 42))
  asks <- function(chooser, logf, x) stop(mine)
  draws <- function(logf, x) if (runif(1) < 0.5) stop(mine) else x
  for (kernel in list(asks, draws)) expect_identical(tryCatch(tightness(toy = logf, T = 3, kernel = kernel), mine = identity)$why, 42)
  expect_error(tightness(toy = logf, T = 3, kernel = function(chooser, logf, x) chooser$uniform(2.5)), "from the state 1: chooser", class = "breadboard_bad_input")
})

test_that("messages have the words of R", {
  program_or_skip()
  said <- function(call) tryCatch(call, breadboard_error = conditionMessage)
  fault <- tryCatch(kernel_check(matrix(1 / 3, 3, 3), toy = c(0, 1, 2), beta = 1), breadboard_fault = identity)
  expect_match(conditionMessage(fault), "the kernel is wrong: what it leaves invariant is the uniform distribution, as if log f were not used\n  invariance; value = 0.331908; tolerance = 1e-12; state 3", fixed = TRUE)
  expect_match(fault$messages[1], "table = NAME prints one of them", fixed = TRUE)
  expect_false(any(grepl("--|see above", fault$messages)))
  expect_match(said(tightness(toy = "easy", T = 10, check_that = "J<0.1")), "a condition does not hold\n  J<0.1 does not hold in row 1", fixed = TRUE)
  expect_match(said(breadboard_help("nonsense")), "unknown command", fixed = TRUE)
  expect_match(breadboard_help("tightness"), "breadboard_help(\"terms\")", fixed = TRUE)
  expect_match(said(conform_ranks(factor(1:3), draws = 9)), "ranks = is of class factor")
  expect_match(said(conform_draws(table(c("a", "b")), law = c(a = 1))), "table of counts")
  expect_equal(said(tightness(toy = c(0, NA), T = 3)), "toy = is NA at [2]; log f is a finite number, or -Inf if f is zero")
  expect_match(said(tightness(toy = rbind(0, c(1, Inf)), T = 3)), "toy = is Inf at [2, 2]", fixed = TRUE)
  expect_match(said(conform_draws(c("a", "z"), law = c(a = 1))), "^draws, row 2")
  expect_match(said(conform_draws(c(2, 0), law = c(0.5, 0.5))), "R counts from 1 to 2")
  expect_match(said(conform_draws(rep(1:2, c(900, 100)), law = c(0.5, 0.5))), "state 1: 900 of 1000 draws")
  expect_equal(said(tightness(toy = "easy", T = TRUE)), "T = is TRUE; give numbers")
  expect_equal(said(tightness(toy = NA, T = 3)), "toy = is NA")
  expect_match(said(tightness(c(0, 1), T = 3)), "is given by name, as in toy = x")
  expect_lt(nchar(said(tightness(toy = "nothing", T = 3))), 400)
})

test_that("a temporary folder may have any name", {
  program_or_skip()
  skip_on_os("windows")
  folder <- file.path(tempdir(), "a b,c:d")
  dir.create(folder)
  code <- sprintf("library(breadboard, lib.loc = \"%s\"); line <- target(c(a = 0, b = 1), edges = cbind(\"a\", \"b\")); cat(breadboard(\"tightness\", toy = line, T = 3, kernel = %s)$J > 0)",
    dirname(find.package("breadboard")), "function(chooser, logf, x) if (chooser$flip(min(1, exp(logf[3 - x] - logf[x])))) 3 - x else x")
  said <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = TRUE, env = paste0("TMPDIR=", shQuote(folder)))
  expect_equal(said, "TRUE")
})

test_that("draws may be lists, and columns of tables have units and labels", {
  program_or_skip()
  set.seed(4)
  d <- sample(6, 4000, TRUE, exp(logf))
  at <- arrayInd(d, dim(logf))
  for (draws in list(as.list(d), split(at, row(at)))) expect_equal(conform_draws(unname(draws), toy = logf)$verdict[1], "pass")
  colnames(at) <- c("x0", "x1")
  expect_equal(breadboard("samplers", "diagnose", list(at[1:2000, ], at[2001:4000, ]))$chains, c(2, 2))
  x <- tightness(toy = "easy", T = 10)
  expect_equal(unname(units(x)[c("J", "B_over_J", "toy")]), c("nats", "", ""))
  expect_match(labels(x)[["J"]], "^the Jeffreys divergence")
})

test_that("draws may be states of the user", {
  program_or_skip()
  set.seed(5)
  cases <- list(list(c(0, 0), c(0, 1), c(1, 1)), c(10, 20, 30), factor(c("lo", "mid", "hi")), list(NULL, list(k = 1), "k"), c(3, 1, 2))
  last <- c("c(1, 1)", "30", "hi", "k", "2")
  for (i in seq_along(cases)) {
    at <- sample(3, 3000, TRUE, exp(1:3))
    draws <- cases[[i]][at]
    for (given in list(draws, as.list(draws))) expect_draws(given, states = cases[[i]], log_f = 1:3)
    expect_failure(expect_draws(draws, target(c(1, 2, 5), states = cases[[i]])), paste0("state ", last[i], ":"), fixed = TRUE)
    stays <- function(x) if (runif(1) < 0.5) x else cases[[i]][[sample(3, 1, prob = exp(1:3))]]
    chain <- 1
    for (t in 1:3000) chain[t + 1] <- if (runif(1) < 0.5) chain[t] else sample(3, 1, prob = exp(1:3))
    expect_chain(as.list(cases[[i]][chain]), states = cases[[i]], log_f = 1:3, kernel = stays)
  }
  square <- list(c(0, 0), c(0, 1), c(1, 0), c(1, 1))
  expect_draws(do.call(rbind, square[sample(4, 3000, TRUE)]), states = square, log_f = rep(0, 4))
  line <- target(c(b = log(5), a = log(2), c = log(3)), edges = cbind(c("a", "b"), c("b", "c")), states = list(2, 1, 3))
  expect_draws(c(2, 1, 3)[sample(3, 3000, TRUE, c(5, 2, 3))], line)
  expect_error(expect_draws(list(c(0, 0), 7), states = square, log_f = rep(0, 4)), "draw 2 is 7; the states are c(0, 0), c(0, 1)", fixed = TRUE, class = "breadboard_bad_input")
})

test_that("no name masks another", {
  exports <- getNamespaceExports("breadboard")
  of_r <- unlist(lapply(c("base", "stats", "utils", "graphics", "grDevices", "methods", "testthat", "Matrix"), function(p) if (requireNamespace(p, quietly = TRUE)) getNamespaceExports(p)))
  expect_equal(intersect(exports, of_r), character())
  expect_lte(length(exports), 15)
})
