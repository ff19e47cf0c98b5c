# Tables of zeros and ones with the margins 2,1,1 by one of vegan's null models, with THIN steps
# between two tables, column by column, endlessly.
suppressMessages(library(vegan))
args <- commandArgs(TRUE); thin <- as.integer(args[2]); set.seed(as.integer(args[3]))
m <- rbind(c(1, 1, 0), c(1, 0, 0), c(0, 0, 1))
n <- nullmodel(m, args[1])
repeat cat(apply(simulate(n, nsim = 500, thin = thin, burnin = thin), 3, paste, collapse = ""), sep = "\n")
