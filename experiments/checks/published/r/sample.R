# Remainders by 3 of members of 1..3*2^29, which sample draws by one of R's ways to draw an integer,
# endlessly.
args <- commandArgs(TRUE)
suppressWarnings(set.seed(as.integer(args[2]), sample.kind = args[1]))
repeat cat(sample(3 * 2^29, 1000, TRUE) %% 3, sep = "\n")
