# What is handed over at each door is read right, by a second computation, or refused with what to hand over.
CURE <- "[;:] .*\\b(give|write|name|divide|is a finite number)\\b|did you mean|needs|choices|make it|keep"
states <- c("a", "b", "c")
turned <- c("c", "a", "b")
f <- c(a = 5, b = 3, c = 2)
pi <- log(f)
P <- matrix(f / 10, 3, 3, byrow = TRUE, dimnames = list(states, states)) # draws from the target
integer64 <- function(x) structure(x * 4.940656458412465e-324, class = "integer64")

set.seed(1)
drawn <- sample(rep(states, 200 * f))
# Log f of three states in many forms.
vectors <- function() list(
  vector = unname(pi), named = pi, turned = pi[turned], array = array(pi, 3, list(states)), "array with an axis" = array(pi[turned], 3, list(state = turned)), matrix = matrix(pi), row = t(pi[turned]),
  table = table(sample(rep(states, f))), "table of probabilities" = prop.table(table(rep(states, f))), "table of log f" = log(table(rep(states, f))), xtabs = xtabs(~x, data.frame(x = rep(states, f))), ftable = ftable(xtabs(~ x + y, data.frame(x = rep(states, f), y = 1))), list = as.list(pi),
  frame = data.frame(state = turned, lp = pi[turned]), "frame of a factor" = data.frame(state = factor(turned, turned), lp = pi[turned]), "frame of a table" = as.data.frame(table(rep(states, f))),
  "frame with row names" = data.frame(lp = pi[turned]), probabilities = data.frame(state = turned, prob = f[turned]), "no log f" = data.frame(state = turned, loglike = pi[turned]),
  counts = data.frame(state = turned, n = f[turned]), target = target(pi[turned]), "target of f" = target(f[turned], probabilities = TRUE), graph = target(pi[turned], edges = cbind("a", c("b", "c"))),
  text = as.character(pi), missing = replace(pi, 2, NA), twice = c(pi[1:2], a = 0), words = c(a = pi[[1]], "1" = pi[[2]], c = pi[[3]]))

# A transition matrix of draws from the target in many forms.
matrices <- function() c(list(
  matrix = unname(P), named = P, turned = P[turned, turned], "each side turned" = P[turned, c(2, 1, 3)], "rows named" = structure(P, dimnames = list(states, NULL)),
  "rows named, turned" = structure(P[turned, turned], dimnames = list(turned, NULL)), "columns named, turned" = structure(P[turned, turned], dimnames = list(NULL, turned)),
  counts = table(rep(states, 3), rep(states, each = 3)), twice = structure(P, dimnames = rep(list(c("a", "a", "b")), 2)), "other names" = structure(P, dimnames = list(c("z", "b", "c"), c("z", "b", "c"))), frame = as.data.frame(P)[turned, turned], "frame without names" = as.data.frame(unname(P)), "frame of a file" = data.frame(X = states, P),
  table = as.table(P[turned, turned]), percent = 100 * P, wide = P[, 1:2], long = as.data.frame(as.table(P)), list = split(P, row(P)), text = array(as.character(P), c(3, 3))), if (requireNamespace("Matrix", quietly = TRUE))
  list(dense = Matrix::Matrix(P[turned, turned]), sparse = Matrix::Matrix(P[turned, turned], sparse = TRUE), "sparse without names" = Matrix::Matrix(unname(P), sparse = TRUE)))

X <- apply(matrix(rnorm(120), 40), 2, cumsum)
# Three chains of forty numbers in many forms.
chains <- function() {
  long <- data.frame(chain = rep(1:3, each = 40), draw = rep(1:40, 3), mu = as.vector(X))
  named <- function(k) cbind(mu = X[, k])
  three <- array(X, c(40, 3, 1), list(NULL, NULL, "mu"))
  c(list(matrix = X, array = three, "array without names" = unname(three), melted = data.frame(iterations = long$draw, chains = paste0("chain:", long$chain), parameters = "mu", value = long$mu), # as of rstan
     "list of vectors" = lapply(1:3, function(k) X[, k]), "list of matrices" = lapply(1:3, named), "list with names" = list(one = named(1), two = named(2), three = named(3)),
    variables = list(mu = X), "variables with chains in lists" = list(mu = lapply(1:3, function(k) X[, k])), "several variables" = list(mu = X, tau = X^2), "other sizes" = list(mu = X, theta = cbind(X, X)), "a vector beside" = list(mu = X, lp = X[, 1]),
    mcarray = list(mu = structure(array(X, c(1, 40, 3)), varname = "mu", class = "mcarray")), "mcarray alone" = structure(array(X, c(1, 40, 3)), varname = "mu", class = "mcarray"), "four sides" = array(X, c(40, 3, 1, 1)),
    frame = long, shuffled = long[sample(120), ], interleaved = long[order(long$draw), ], "list of frames" = split(long, long$chain), factors = transform(long, chain = factor(paste0("chain:", chain))), integer64 = transform(long, chain = integer64(chain)),
    "list of lists" = lapply(1:3, function(k) list(mu = X[, k])), "lists with names" = list(one = list(mu = X[, 1]), two = list(mu = X[, 2])), "columns chain:1" = `colnames<-`(X, paste0("chain:", 1:3)),
    "chains first" = aperm(array(X, c(40, 3, 1), list(iterations = NULL, chains = NULL, parameters = "mu")), c(2, 1, 3)), table = table(X), "function" = function() X, null = NULL), lapply(c(Chain = "Chain", run = "run", walker = "walker", chain_id = "chain_id"), function(name) stats::setNames(long, c(name, "draw", "mu"))),
    if (requireNamespace("coda", quietly = TRUE)) list(mcmc.list = coda::mcmc.list(lapply(1:3, function(k) coda::mcmc(named(k)))), "mcmc.list as a matrix" = as.matrix(coda::mcmc.list(lapply(1:3, function(k) coda::mcmc(named(k)))), iters = TRUE, chains = TRUE)),
    if (requireNamespace("posterior", quietly = TRUE)) with(list(of = function(form) getExportedValue("posterior", paste0("as_draws_", form))(posterior::as_draws_array(three))),
      list(draws_array = of("array"), draws_df = of("df"), draws_matrix = of("matrix"), draws_list = of("list"), draws_rvars = of("rvars"), rvar = posterior::rvar(X, with_chains = TRUE), "data frame of draws" = as.data.frame(of("df")), "list of rvars" = unclass(of("rvars")))))
}

chances <- function(toy) sort(as.vector(export(toy = toy, T = 2, arrays = "p")$p))
passes <- function(kernel, toy) all(kernel_check(kernel, toy = toy, beta = 1)$verdict != "fault")
hmm_log_z <- function(initial = c(a = 0.2, b = 0.5, c = 0.3), transition = P) breadboard("network", list(initial = initial, transition = transition,
  emission = matrix(c(0.4, 0.9, 0.2, 0.6, 0.1, 0.8), 3, dimnames = list(turned, c("wet", "dry"))), observations = factor("wet")))$log_z[1]

# Doors by the objects that they take: what is asked, and the right answer by another way.
doors <- list(
  vector = list(vectors, list(
    toy = list(chances, c(0.2, 0.3, 0.5)), "toy by name" = list(function(x) chances(list(mine = x)), c(0.2, 0.3, 0.5)), "toy beside a named kernel" = list(function(x) passes(P, x), TRUE),
    "toy beside a function" = list(function(x) passes(function(log_f) t(array(exp(log_f) / sum(exp(log_f)), c(3, 3))), x), TRUE),
    draws = list(function(x) sort(conform_draws(drawn, toy = x, table = "states")$expected), c(400, 600, 1000)),
    initial = list(function(x) tightness(toy = pi, T = 3, initial = x)$J, 0))),
  matrix = list(matrices, list(
    kernel = list(function(x) passes(x, pi), TRUE), "kernel beside a frame" = list(function(x) passes(x, data.frame(weather = states, lp = pi)), TRUE), "function" = list(function(x) passes(function(log_f) x, pi), TRUE),
    "transition()" = list(function(x) transition(x, pi)[states, states], P), HMM = list(function(x) hmm_log_z(transition = x), log(0.2 * 0.9 + 0.5 * 0.2 + 0.3 * 0.4)))),
  chains = list(chains, list(diagnose = list(function(x) {
    rows <- breadboard("samplers", "diagnose", x)
    unlist(unclass(rows[rows$variable == "mu" | nrow(rows) == 1, c("chains", "mean", "rhat_basic")]))
  }, c(3, mean(X), sqrt(39 / 40 + var(colMeans(X)) / mean(apply(X, 2, var))))))))

test_that("each object at each door is read right or refused", {
  program_or_skip()
  skip_on_os("windows")
  found <- character()
  for (kind in names(doors)) for (door in names(doors[[kind]][[2]])) for (name in names(objects <- doors[[kind]][[1]]())) {
    ask <- doors[[kind]][[2]][[door]]
    at <- paste(door, name, sep = ", ")
    found[at] <- tryCatch({
      answer <- ask[[1]](objects[[name]])
      if (isTRUE(all.equal(unname(answer), unname(ask[[2]]), tolerance = 1e-6, check.attributes = FALSE))) "read" else paste("misread:", toString(answer), "for", toString(ask[[2]]))
    }, breadboard_fault = function(condition) "misread: fault", breadboard_bad_input = function(condition) if (grepl(CURE, conditionMessage(condition))) "refused" else paste("without a way on:", conditionMessage(condition)),
      error = function(condition) paste("crash:", conditionMessage(condition)))
  }
  wrong <- found[!found %in% c("read", "refused")]
  expect_equal(unname(wrong), character(), info = paste(names(wrong), wrong, collapse = "\n"))
  read <- table(sub(",.*", "", names(found)[found == "read"]))
  expect_gt(min(read), 9)
})

test_that("names of a grid, numbers out of order and matrices of logicals are read", {
  program_or_skip()
  skip_on_os("windows")
  grid <- array(c(0, 1, 2, 3, 4, 5) / 3, c(2, 3), dimnames = list(x = c(2, 1), y = c("u", "v", "w")))
  arrays <- export(toy = grid, T = 2, arrays = c("log_f", "p"))
  expect_equal(as.vector(arrays$log_f), as.vector(grid))
  expect_equal(as.vector(arrays$p), as.vector(exp(grid) / sum(exp(grid))))
  K <- matrix(exp(grid) / sum(exp(grid)), 6, 6, byrow = TRUE, dimnames = rep(list(c("2,u", "1,u", "2,v", "1,v", "2,w", "1,w")), 2))
  o <- c(4, 1, 6, 2, 5, 3)
  for (kernel in list(K, unname(K), K[o, o], K[o, 6:1], function(log_f) K[o, o], function(log_f) matrix(exp(log_f) / sum(exp(log_f)), 6, 6, byrow = TRUE))) {
    expect_true(passes(kernel, grid))
    expect_equal(transition(kernel, grid), K, ignore_attr = "dimnames", tolerance = 1e-12)
  }
  moves <- transition("barker", unname(grid))
  for (kernel in list(moves[o, o], function(log_f) moves[o, 6:1])) expect_true(passes(kernel, unname(grid)))
  expect_error(passes(structure(moves, dimnames = list(letters[1:6], letters[6:1])), unname(grid)), "give each the name of one state", class = "breadboard_bad_input")
  expect_error(passes(structure(K[o, o], dimnames = list(rownames(K)[o], NULL)), grid), "name rows and columns", class = "breadboard_bad_input")
  expect_error(passes(structure(moves[o, o], dimnames = list(NULL, colnames(moves)[o])), unname(grid)), "name rows and columns", class = "breadboard_bad_input")
  cycle <- diag(3)[c(2, 3, 1), ] > 0
  for (kernel in list(cycle, +cycle)) expect_true(passes(kernel, c(0, 0, 0)))
  expect_equal(as.vector(export(toy = integer64(c(3, 0, 2)), T = 2, arrays = "log_f")$log_f), c(3, 0, 2))
})

test_that("evidence, models and paths are read by label", {
  program_or_skip()
  file <- tempfile(fileext = ".bif")
  writeLines(c("network a {}", "variable rain { type discrete [ 2 ] { yes, no }; }", "variable wet { type discrete [ 2 ] { 0, 1 }; }", "probability ( rain ) { table 0.2, 0.8; }",
    "probability ( wet | rain ) { (yes) 0.9, 0.1; (no) 0.3, 0.7; }"), file)
  seen <- data.frame(wet = factor(c(0, 1)))
  for (evidence in list(seen[1, , drop = FALSE], list(wet = factor(0)), c(wet = 0), c(wet = "0"), stats::setNames(factor(0), "wet"), list(wet = integer64(0)), "wet=0"))
    expect_equal(breadboard("network", file, evidence = evidence)$posterior[1], 0.2 * 0.9 / (0.2 * 0.9 + 0.8 * 0.3))
  expect_error(breadboard("network", file, evidence = seen), "several values of wet; give", class = "breadboard_bad_input")
  path <- tightness(toy = pi, T = 5, path = log(c(b = 0.2, a = 0.5, c = 0.3)))$J
  expect_equal(tightness(toy = unname(pi), T = 5, path = log(c(0.5, 0.2, 0.3)))$J, path)
})
