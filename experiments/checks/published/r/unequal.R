# Two of four without replacement, with the probabilities .5, .3, .15, .05 of each draw, endlessly.
set.seed(as.integer(commandArgs(TRUE)[1]))
repeat cat(replicate(200, paste(sort(sample(4, 2, prob = c(.5, .3, .15, .05))), collapse = "-")), sep = "\n")
