# Simple graphs with the degrees 3,3,2,2,2 by one method of sample_degseq, as the missing edges,
# endlessly.
suppressMessages(library(igraph))
args <- commandArgs(TRUE); set.seed(as.integer(args[2]))
pairs <- which(upper.tri(diag(5)), arr.ind = TRUE)
names <- paste(pairs[, 1], pairs[, 2], sep = "-")
absent <- function(g) paste(names[as_adjacency_matrix(g, sparse = FALSE)[pairs] == 0], collapse = "_")
repeat cat(replicate(100, absent(sample_degseq(c(3, 3, 2, 2, 2), method = args[1]))), sep = "\n")
