# Three individuals out of counts 3, 2, 1, by random rarefaction or with replacement, endlessly.
suppressMessages(library(vegan))
args <- commandArgs(TRUE); set.seed(as.integer(args[2]))
counts <- matrix(c(3, 2, 1), 1)
three <- if (args[1] == "rrarefy") function() rrarefy(counts, 3) else function() rmultinom(1, 3, counts)
repeat cat(replicate(200, paste(three(), collapse = "")), sep = "\n")
