# Tables of counts with the rows 2,1,1 and the columns 2,2, as their first column: by r2dtable, or
# each equally probable, endlessly.
args <- commandArgs(TRUE); set.seed(as.integer(args[2]))
uniform <- function() { repeat { x <- c(sample(0:2, 1), sample(0:1, 1), sample(0:1, 1)); if (sum(x) == 2) return(x) } }
one <- if (args[1] == "r2dtable") function() r2dtable(1, c(2, 1, 1), c(2, 2))[[1]][, 1] else uniform
repeat cat(replicate(200, paste(one(), collapse = "-")), sep = "\n")
