# One draw from a resample, endlessly: METHOD keeps SIZE draws of weights WEIGHTS, and one of these
# is printed. The method "strata" is stratified resampling as in Kitagawa (1996), with one uniform
# number in each stratum.
suppressMessages(library(posterior))
args <- commandArgs(TRUE)
method <- args[1]; w <- as.numeric(strsplit(args[2], ",")[[1]]); size <- as.integer(args[3])
set.seed(as.integer(args[4]))
x <- as_draws_matrix(cbind(i = seq_along(w)))
strata <- function() findInterval((seq_len(size) - runif(size)) / size, cumsum(w) / sum(w)) + 1
kept <- function() if (method == "strata") strata() else as.integer(resample_draws(x, weights = w, method = method, ndraws = size))
repeat cat(replicate(100, kept()[sample.int(size, 1)]), sep = "\n")
