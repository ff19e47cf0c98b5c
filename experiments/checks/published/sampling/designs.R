# Samples of two or three units by one of the designs of package sampling, with given inclusion
# probabilities, endlessly.
suppressMessages(library(sampling))
args <- commandArgs(TRUE); set.seed(as.integer(args[3]))
design <- get(args[1]); pik <- as.numeric(strsplit(args[2], ",")[[1]])
repeat cat(replicate(50, paste(design(pik), collapse = "")), sep = "\n")
