# Simple graphs with the degrees 3,3,2,2,2 by one method of sample_degseq, as the missing edges, for ever.
suppressMessages(library(igraph))
args <- commandArgs(TRUE); set.seed(as.integer(args[2]))
absent <- function(g) paste(apply(which(upper.tri(diag(5)) & as.matrix(as_adjacency_matrix(g)) == 0, arr.ind = TRUE), 1, paste, collapse = "-"), collapse = "_")
repeat cat(replicate(100, absent(sample_degseq(c(3, 3, 2, 2, 2), method = args[1]))), sep = "\n")
