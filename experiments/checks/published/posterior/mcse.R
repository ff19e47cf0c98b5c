# Means of one coordinate over Markov chains, and their standard errors by posterior.
# The chains are Metropolis on the grid of log f in the file TARGET,
# begin with exact draws of it, and have LENGTH states.
suppressMessages(library(posterior))
args <- commandArgs(TRUE)
g <- as.matrix(read.csv(args[1], header = FALSE)); length <- as.integer(args[2]); set.seed(as.integer(args[3]))
cat("log_z,se\n")
for (batch in seq_len(as.integer(args[4]) / 100)) {
  at <- sample(base::length(g), 100, TRUE, exp(g)); row <- (at - 1) %% nrow(g) + 1; column <- (at - 1) %/% nrow(g) + 1
  chains <- matrix(0, length, 100)
  for (t in 1:length) {
    step <- sample(4, 100, TRUE); r <- row + c(1, -1, 0, 0)[step]; k <- column + c(0, 0, 1, -1)[step]
    inside <- r >= 1 & r <= nrow(g) & k >= 1 & k <= ncol(g); r[!inside] <- row[!inside]; k[!inside] <- column[!inside]
    move <- log(runif(100)) < g[cbind(r, k)] - g[cbind(row, column)]
    row[move] <- r[move]; column[move] <- k[move]; chains[t, ] <- column
  }
  cat(sprintf("%.9g,%.9g\n", colMeans(chains), apply(chains, 2, mcse_mean)), sep = "")
}
