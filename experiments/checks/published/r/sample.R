# Whether a member of 1..(2/5 2^32) is odd (1) or even (0), by sample with one of R's ways to draw an integer, for ever.
args <- commandArgs(TRUE)
suppressWarnings(set.seed(as.integer(args[2]), sample.kind = args[1]))
repeat cat(sample(2 / 5 * 2^32, 1000, TRUE) %% 2, sep = "\n")
