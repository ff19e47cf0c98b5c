# The tree of the random choices of a function. The function is run once for each way through it,
# the likeliest first, and each run repeats the answers of its own way.

KEPT <- "run again with the same random choices, the function does something else: it keeps a state between its calls, or depends on what is not in its arguments"
MOST_VALUES <- 1e5 # of one draw, each of which is a branch

new_tree <- function(cut, seconds = Inf, state = list()) {
  tree <- new.env()
  tree$cut <- cut
  tree$state <- state # places in which the function may keep something
  tree$long <- character() # keys of answers that are too long for names
  tree$lean <- FALSE # whether errors of the function are not caught, which saves half of the time
  tree$until <- proc.time()[[3]] + seconds
  tree$stand_ins <- stand_ins(tree)
  clear(tree)
}

# Forgets the function before.
clear <- function(tree) {
  tree$heads <- vector("list", 1100) # stacks of branches to be run, by the exponent of their probability
  tree$top <- 1101
  tree$lost <- tree$rounded <- 0
  tree$refused <- tree$plain <- NULL
  push(tree, NULL, 0L, NULL, 1)
  invisible(tree)
}

# A branch begins with the first answers of a run, then has another one, and its probability.
push <- function(tree, run, at, answer, p) {
  k <- min(1100, 1 + floor(-log2(p)))
  tree$heads[[k]] <- list(list(run, at, answer, p), tree$heads[[k]])
  tree$top <- min(k, tree$top) # no stack before it has a branch
}

# The next branch; NULL if there is none.
pop <- function(tree) {
  k <- tree$top
  while (k <= 1100 && is.null(tree$heads[[k]])) k <- k + 1
  tree$top <- k
  if (k > 1100) return(NULL)
  branch <- tree$heads[[k]][[1]]
  tree$heads[k] <- list(tree$heads[[k]][[2]])
  branch
}

# Adds to what is not explored, with the digits that rounding would lose.
lose <- function(tree, p) {
  p <- p + tree$rounded
  total <- tree$lost + p
  tree$rounded <- p - (total - tree$lost)
  tree$lost <- total
}

# Begins a run that gives the answers of a branch, or with plain has the draws of one as plain
# numbers.
begin <- function(tree, branch, plain = NULL) {
  first <- seq_len(if (is.null(branch)) 0 else branch[[2]])
  tree$run <- new.env() # names the run, so that a number of an earlier one is noticed
  tree$run$prefix <- c(integer(), branch[[1]]$prefix[first], branch[[3]])
  tree$run$masses <- c(branch[[1]]$masses[first], if (!is.null(branch[[3]])) branch[[4]])
  tree$run$draws <- list()
  tree$at <- tree$drawn <- 0L
  tree$p <- 1
  tree$plain <- plain
  tree$taken <- 0L
}

# Ends the run at once. It is a restart, so that the function does not catch it as an error.
stop_run <- function() invokeRestart("breadboard_stop")

# Refuses the function. The first reason counts.
refuse <- function(tree, ...) {
  if (tree$lean) refused(...)
  if (is.null(tree$refused)) tree$refused <- paste0(...)
  stop_run()
}

# Which of several answers is given now. What has the other ones is run later.
decide <- function(tree, chances) {
  if (anyNA(chances)) refuse(tree, "a probability is not known in floating point")
  tree$at <- at <- tree$at + 1L
  if (at <= length(tree$run$prefix)) {
    k <- tree$run$prefix[at]
    tree$p <- tree$p * chances[k]
    if (is.na(tree$p) || tree$p != tree$run$masses[at]) refuse(tree, KEPT)
    return(k)
  }
  if (!is.null(tree$plain)) refuse(tree, KEPT)
  masses <- tree$p * chances
  best <- which.max(masses)
  stalls <- masses[best] == tree$p && tree$p < 1e-300 && chances[best] < 1 # a subnormal may round to itself
  if (masses[best] < tree$cut || !(masses[best] > 0) || stalls || proc.time()[[3]] > tree$until) {
    if (tree$lean) refused("it makes so many choices that one way has the probability ", format(masses[best]))
    lose(tree, tree$p)
    stop_run()
  }
  others <- which(masses > 0)
  for (k in rev(others[others != best])) {
    if (masses[k] >= tree$cut) push(tree, tree$run, at - 1L, k, masses[k])
    else lose(tree, masses[k])
  }
  tree$run$prefix[at] <- best # in place, which tree$prefix[at] would not be
  tree$run$masses[at] <- masses[best]
  tree$p <- masses[best]
  best
}

# The place of one of some probabilities, which sum to one.
pick <- function(tree, chances) {
  if (!is.null(tree$plain)) return(take(tree, "discrete"))
  followed(tree, length(chances))
  k <- if (length(chances) > 1) decide(tree, chances) else 1L
  note(tree, k)
}

followed <- function(tree, n) if (n > MOST_VALUES) refuse(tree, "a number is drawn from ", n, " possible ones; at most ", MOST_VALUES, " are followed")

# Keeps a draw for a plain run.
note <- function(tree, draw) {
  tree$drawn <- tree$drawn + 1L
  tree$run$draws[[tree$drawn]] <- draw
  draw
}

# The next draw of a plain run.
take <- function(tree, kind) {
  tree$taken <- tree$taken + 1L
  if (tree$taken > length(tree$plain) || attr(tree$plain, "kinds")[tree$taken] != kind) refuse(tree, KEPT)
  tree$plain[[tree$taken]]
}

# A number from 0 with infinitely many possible values; the tail below the cut is not explored. The
# probabilities are kept for the next branch, which mostly has the same.
endless <- function(tree, of, density, tail) {
  if (!is.null(tree$plain)) return(take(tree, "discrete"))
  of <- list(of, tree$p)
  if (!identical(tree$endless$of, of)) {
    least <- if (tree$cut > 0) max(tree$cut, 1e-18) / 4 else 1e-321
    n <- 16
    while (n < MOST_VALUES && tail(n - 1) * tree$p > least) n <- 2 * n
    tree$endless <- list(of = of, chances = c(density(seq_len(n) - 1), tail(n - 1)))
  }
  n <- length(tree$endless$chances) - 1
  k <- decide(tree, tree$endless$chances)
  if (k > n) {
    lose(tree, tree$p)
    stop_run()
  }
  note(tree, k - 1)
}

# The chooser of a function that asks for its random choices. Outcomes of uniform and choose count
# from 1.
chooser_of <- function(tree) list(
  uniform = function(n) {
    if (!is.numeric(n) || length(n) != 1 || is.na(n) || n < 1 || n != trunc(n)) bad_input("chooser$uniform(n) needs a whole number of at least 1")
    pick(tree, rep(1 / n, n))
  },
  flip = function(p) {
    checked_chances(p, 1)
    pick(tree, c(1 - p, p)) == 2
  },
  choose = function(probabilities) {
    checked_chances(probabilities, length(probabilities))
    if (abs(sum(probabilities) - 1) > 1e-9) bad_input("the probabilities of chooser$choose sum to ", format(sum(probabilities), digits = 15), " and not to 1")
    pick(tree, probabilities)
  })

checked_chances <- function(p, n) {
  if (!is.numeric(p) || length(p) != n || n < 1 || anyNA(p) || any(p < 0 | p > 1))
    bad_input("a probability is ", deparse(p)[1], "; it is a number from 0 to 1")
}
