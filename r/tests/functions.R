# Functions of base R and of packages that draw random numbers. law(f) must be their distribution, or
# refuse them. Each is a function, and the word that says which of the two is expected.
w <- c(5, 3, 2, 1) / 11
functions <- list(
  sample_one = list(function() sample(5, 1), "law"),
  sample_order = list(function() sample(4), "law"),
  sample_letters = list(function() paste(sample(c("a", "b", "c"), 2), collapse = ""), "law"),
  sample_replace = list(function() sum(sample(3, 4, replace = TRUE)), "law"),
  sample_weighted = list(function() sample(4, 2, prob = w), "law"),
  sample_weighted_replace = list(function() sort(sample(4, 3, TRUE, w)), "law"),
  sample_int = list(function() sample.int(6, 2), "law"),
  sample_factor = list(function() sample(factor(c("yes", "no", "no")), 1), "law"),
  sample_rows = list(function() data.frame(a = 1:3, b = c("x", "y", "z"))[sample(3, 2), "b"], "law"),
  bootstrap_mean = list(function() mean(sample(c(1, 2, 4), replace = TRUE)), "law"),
  bootstrap_median = list(function() median(sample(c(1, 2, 4, 8), replace = TRUE)), "law"),
  permutation_test = list(function() diff(tapply(c(1, 2, 4, 7), sample(c("a", "a", "b", "b")), mean)), "law"),
  derangement = list(function() any(sample(4) == 1:4), "law"),
  runif_flip = list(function() runif(1) < 0.3, "law"),
  runif_count = list(function() sum(runif(4) < c(0.1, 0.5, 0.9, 0.2)), "law"),
  runif_floor = list(function() floor(6 * runif(1)) + 1, "law"),
  runif_range = list(function() as.integer(runif(1, 1, 4)), "law"),
  runif_between = list(function() { u <- runif(1, -1, 1); if (u < -0.5) "low" else if (u > 0.2) "high" else "middle" }, "law"),
  runif_find = list(function() findInterval(runif(3), c(0.2, 0.7)), "law"),
  runif_cut = list(function() as.character(cut(runif(1), c(0, 0.3, 1), labels = c("a", "b"))), "law"),
  runif_which = list(function() which(runif(1) < cumsum(w))[1], "law"),
  runif_order = list(function() order(runif(4)), "law"),
  runif_rank = list(function() rank(runif(3)), "law"),
  runif_max = list(function() which.max(runif(4)), "law"),
  runif_sorted = list(function() sort(runif(3))[1] < 0.3, "law"),
  runif_less = list(function() { u <- runif(3); c(u[1] < u[2], u[2] < u[3]) }, "law"),
  runif_power = list(function() which.max(runif(3)^(1 / c(1, 2, 3))), "law"),
  runif_keys = list(function() order(log(runif(3)) / c(1, 2, 3), decreasing = TRUE), "law"),
  runif_log = list(function() -log(runif(1)) > 0.7, "law"),
  runif_round = list(function() round(3 * runif(1)), "law"),
  runif_modulo = list(function() floor(10 * runif(1)) %% 3, "law"),
  runif_ifelse = list(function() ifelse(runif(3) < 0.5, 1, -1), "law"),
  runif_helper = list(function() sapply(1:3, function(i) runif(1) < i / 4), "law"),
  runif_replicate = list(function() sum(replicate(3, runif(1) < 0.5)), "law"),
  runif_loop = list(function() { n <- 0; while (runif(1) < 0.3 && n < 5) n <- n + 1; n }, "law"),
  reject = list(function() repeat { u <- floor(8 * runif(1)); if (u < 6) return(u) }, "law"),
  systematic = list(function() tabulate(findInterval((runif(1) + 0:3) / 4, cumsum(w)) + 1, 4), "law"),
  residual = list(function() { k <- floor(4 * w); k + tabulate(sample(4, 4 - sum(k), TRUE, 4 * w - k), 4) }, "law"),
  rbinom_one = list(function() rbinom(1, 5, 0.3), "law"),
  rbinom_many = list(function() rbinom(2, c(1, 2), c(0.5, 0.1)), "law"),
  rgeom_capped = list(function() min(rgeom(1, 0.4), 4), "law"),
  rpois_capped = list(function() min(rpois(1, 1.5), 4L), "law"),
  rnbinom_capped = list(function() min(rnbinom(1, 2, 0.5), 4), "law"),
  rnbinom_mu = list(function() min(rnbinom(1, 2, mu = 1), 4), "law"),
  rhyper = list(function() rhyper(1, 3, 4, 3), "law"),
  rwilcox = list(function() rwilcox(1, 3, 2), "law"),
  rsignrank = list(function() rsignrank(1, 4), "law"),
  rmultinom = list(function() rmultinom(1, 3, c(a = 0.5, b = 0.3, c = 0.2)), "law"),
  rexp_race = list(function() which.min(rexp(3, c(1, 2, 3))), "law"),
  rexp_order = list(function() order(rexp(3, c(1, 2, 3))), "law"),
  rexp_divided = list(function() which.min(rexp(4) / w), "law"),
  rexp_above = list(function() rexp(1, 2) > 0.5, "law"),
  rexp_floor = list(function() min(floor(rexp(1)), 4), "law"),
  gumbel = list(function() which.max(log(w) - log(-log(runif(4)))), "law"),
  rnorm_sign = list(function() sum(rnorm(3) > 0.5), "law"),
  rnorm_scaled = list(function() rnorm(1, 10, 2) < 9, "law"),
  rnorm_rank = list(function() rank(rnorm(3)), "law"),
  rnorm_abs = list(function() abs(rnorm(1)) < 1, "law"),
  rgamma_above = list(function() rgamma(1, 2, 3) > 0.5, "law"),
  rgamma_scale = list(function() rgamma(1, shape = 2, scale = 3) > 5, "law"),
  rbeta_flip = list(function() rbeta(1, 2, 3) < 0.4, "law"),
  rt_above = list(function() rt(1, 3) > 1, "law"),
  rchisq_above = list(function() rchisq(1, 2) > 1, "law"),
  rweibull_above = list(function() rweibull(1, 2, 3) > 2, "law"),
  rcauchy_above = list(function() rcauchy(1) > 1, "law"),
  rlogis_above = list(function() rlogis(1, 1) > 2, "law"),
  rlnorm_above = list(function() rlnorm(1) > 2, "law"),
  rf_above = list(function() rf(1, 2, 3) > 1, "law"),
  error = list(function() if (runif(1) < 0.2) stop("no") else "yes", "law"),
  caught = list(function() tryCatch(if (runif(1) < 0.2) stop("no") else "yes", error = function(e) "caught"), "law"),
  metropolis = list(function() { x <- 1; for (t in 1:3) { y <- sample(3, 1); if (runif(1) < (y / x)) x <- y }; x }, "law"),
  namespaced = list(function() stats::runif(1) < base::sample(2, 1) / 4, "law"),
  sum_of_two = list(function() runif(1) + runif(1) < 1, "refused"),
  mean_of_three = list(function() mean(runif(3)) < 0.5, "refused"),
  cumsum_exp = list(function() sum(cumsum(rexp(3)) < 1), "refused"),
  returned = list(function() runif(1), "refused"),
  seeded = list(function() { set.seed(1); runif(1) < 0.5 }, "refused"),
  wishart = list(function() rWishart(1, 3, diag(2))[1] > 1, "refused"),
  r2dtable = list(function() r2dtable(1, c(3, 2), c(2, 3))[[1]], "refused"),
  assigned = list(function() { u <- numeric(2); for (i in 1:2) u[i] <- runif(1); sum(u < 0.5) }, "refused"),
  counted = list(local({ n <- 0; function() { n <<- n + 1; n %% 2 + rbinom(1, 1, 0.5) } }), "refused"),
  box_muller = list(function() sqrt(-2 * log(runif(1))) * cos(2 * pi * runif(1)) > 1, "refused"),
  typed = list(function() { u <- runif(1); if (is.list(u)) 1 else u < 0.5 }, "refused"),
  kmeans = list(function() kmeans(c(1, 2, 8, 9), 2)$size, "law"),
  chisq_test = list(function() chisq.test(matrix(c(3, 1, 1, 3), 2), simulate.p.value = TRUE, B = 10)$p.value, "refused"),
  fisher_test = list(function() fisher.test(matrix(c(3, 1, 1, 3, 2, 2), 2), simulate.p.value = TRUE, B = 10)$p.value, "refused"),
  simulate_lm = list(function() simulate(lm(dist ~ speed, cars), 1)[1, 1] > 0, "refused"),
  jitter = list(function() jitter(1) > 1, "law"),
  arima = list(function() arima.sim(list(ar = 0.5), 2)[1] > 0, "refused"),
  copied = list(local({ mine <- stats::runif; function() mine(1) < 0.5 }), "refused"))

if (requireNamespace("vegan", quietly = TRUE)) {
  m <- matrix(c(1, 0, 1, 0, 1, 0, 1, 1, 0), 3)
  functions$vegan_swap <- list(function() simulate(vegan::nullmodel(m, "swap"), 1, burnin = 2), "refused")
  functions$vegan_r0 <- list(function() as.vector(simulate(vegan::nullmodel(matrix(c(1, 0, 1, 1), 2), "r0"), 1)), "law")
  functions$vegan_shuffle <- list(function() permute::shuffle(4), "law")
  functions$vegan_shuffle_set <- list(function() permute::shuffleSet(3, 2), "law")
  functions$vegan_rarefied <- list(function() vegan::rrarefy(c(2, 1, 2), 2), "refused")
}
if (requireNamespace("posterior", quietly = TRUE)) {
  d <- posterior::draws_matrix(x = 1:4)
  for (scheme in c("simple", "simple_no_replace", "stratified", "deterministic")) {
    functions[[paste0("posterior_", scheme)]] <- list(eval(bquote(function()
      as.vector(posterior::resample_draws(d, weights = w, method = .(scheme), ndraws = 3))), list(d = d, w = w)), "law")
  }
  functions$posterior_rvar <- list(function() posterior::rdo(rbinom(1, 1, 0.5), ndraws = 2), "refused")
}
if (requireNamespace("boot", quietly = TRUE)) functions$boot <- list(function() boot::boot(c(1, 2, 4), function(x, i) sum(x[i]), 1)$t[1], "law")
if (requireNamespace("MASS", quietly = TRUE)) functions$mvrnorm <- list(function() MASS::mvrnorm(1, c(0, 0), diag(2))[1] > 0, "refused")
if (requireNamespace("mgcv", quietly = TRUE)) functions$rig <- list(function() mgcv::rig(1, 1, 1) > 1, "refused")
