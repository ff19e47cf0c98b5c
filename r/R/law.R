# The exact distribution of the value of a function that draws random numbers.

CHECKED <- 50 # branches that are run again with plain numbers, and once more at the end
DUST <- 1e-12 # no error of so small a probability is a finding
PATIENCE <- 5 # seconds without a result, after which a message says what can be done
TAIL <- 2000 # branches at least for what was cut
REAL <- 200 # runs with R's own generator
UNFOLLOWED <- "it draws from R's generator in C code, or through a copy of a function of stats, or an object or a method of a package; draw in the function itself, as in x <- runif(4)"
KNOWN <- 1e-12 # what leaves no more unexplored has known probabilities

# An argument with a name of ours is that of the function if it has one of this name.
law <- function(.f, ..., cut = 1e-12, most = 1e5, seconds = Inf, check = TRUE) {
  if (inherits(.f, "breadboard_law")) return(law_of(.f, ...))
  if (!is.function(.f)) bad_input("the first argument is of class ", class(.f)[1], "; give a function")
  its <- intersect(c("cut", "most", "seconds", "check"), intersect(names(formals(args(.f))), names(match.call())))
  its <- mget(as.character(its))
  for (name in names(its)) assign(name, eval(formals()[[name]]))
  if (!(cut >= 0 && cut <= 1 && most >= 1 && seconds > 0)) bad_input("give a cut from 0 to 1, at least one branch, and more than 0 seconds")
  args <- c(list(...), its) # computed once, with R's generator
  call_of <- function(f, args) function() do.call(f, args, quote = TRUE)
  explore <- function(tree, most) with_stand_ins(tree, walk(tree, call_of(rebased(tree, .f), lapply(args, rebased, tree = tree)), most, check * CHECKED))
  seed <- seed_now()
  on.exit(assign(".Random.seed", seed, globalenv()))
  began <- proc.time()[[3]]
  state <- state_of(.f, args)
  tree <- new_tree(cut, seconds, state)
  found <- explore(tree, most)
  if (found$remainder > found$dust && found$remainder <= 1e-14 && cut > 0) { # a mean may hang on what was cut
    tree <- new_tree(0, seconds - (proc.time()[[3]] - began), state)
    again <- explore(tree, min(most, TAIL + 2 * found$branches))
    if (again$remainder - again$dust < 1e-280) found <- again
  }
  if (check) check_with_real_draws(tree, call_of(.f, args), found)
  new_law(found)
}

# Outcomes in the order of their probabilities.
new_law <- function(found) {
  order <- order(-found$p)
  names <- make.unique(labels_of(found$values[order]), " #")
  structure(list(p = stats::setNames(found$p[order], names), values = stats::setNames(found$values[order], names), raised = found$raised,
    remainder = found$remainder, dust = found$dust, branches = found$branches), class = "breadboard_law")
}

# The distribution of g of the outcome.
law_of <- function(law, g, ...) {
  if (...length() || !is.function(g)) bad_input("of a distribution, law(found, g) takes a function g of the outcome alone")
  law$values <- lapply(unname(law$values), g)
  keys <- vapply(law$values, function(value) key_of(list(lean = TRUE), value), "")
  law$p <- vapply(split(unname(law$p), factor(keys, unique(keys))), sum, 1, USE.NAMES = FALSE)
  law$values <- law$values[!duplicated(keys)]
  new_law(law)
}

seed_now <- function() {
  if (!exists(".Random.seed", globalenv(), inherits = FALSE)) stats::runif(1)
  get(".Random.seed", globalenv(), inherits = FALSE)
}

# Runs all branches. check is how many are run again, and more if it is CHECKED.
walk <- function(tree, call, most, check) {
  then <- if (check) lapply(tree$state, contents)
  place <- new.env() # of each answer, by its key
  answers <- kept <- list()
  ps <- numeric()
  of <- integer()
  branches <- runs <- 0
  seed <- seed_now()
  speaks <- proc.time()[[3]] + PATIENCE
  while (runs < most && proc.time()[[3]] < tree$until && !is.null(branch <- pop(tree))) {
    if (proc.time()[[3]] > speaks) speaks <- says_slow(call, branches)
    runs <- runs + 1
    begin(tree, branch)
    answer <- answer_of(tree, call)
    if (!identical(seed_now(), seed)) refused(UNFOLLOWED)
    if (is.null(answer)) next
    if (tree$at < length(tree$run$prefix)) refused(KEPT)
    branches <- branches + 1
    k <- place[[answer$key]]
    if (is_new <- is.null(k)) {
      place[[answer$key]] <- k <- length(answers) + 1L
      answers[[k]] <- answer
    }
    branch <- list(tree$run, tree$at, NULL, tree$p, answer$key)
    p <- tree$p
    if (branches <= check || check == CHECKED && (branches %% 10 == 0 || is_new && (answer$failed || branches < 1000))) check_with_plain_draws(tree, call, answer)
    of[branches] <- k
    ps[branches] <- p
    if (length(kept) < check) kept <- c(kept, list(branch))
  }
  while (!is.null(branch <- pop(tree))) lose(tree, branch[[4]])
  for (branch in c(rep(kept[seq_len(min(1, length(kept)))], 3), kept)) again(tree, call, branch)
  now <- if (check) lapply(tree$state, contents)
  if (!identical(now, then)) { # it keeps something: the last branches first, as if it had not been called
    on.exit(Map(put, tree$state, now))
    Map(put, tree$state, then)
    for (branch in rev(kept)) again(tree, call, branch, TRUE)
  }
  as_found(tree, answers, vapply(split(ps, factor(of, seq_along(answers))), sum, 1), branches)
}

says_slow <- function(call, branches) {
  message("breadboard: after ", PATIENCE, " seconds and ", branches, " branches the distribution is not complete. ",
    if (tries(get0("f", environment(call)))) "If a loop draws again until it accepts, write one try, which returns NA if it rejects; given(law(one_try), function(y) !is.na(y)) is the distribution of the loop. ",
    "A larger cut = or seconds = leaves a remainder")
  Inf
}

# Whether a function, or one that it names and that is of no package, has a loop that may draw until it accepts.
tries <- function(f, depth = 4) {
  if (!is.function(f) || is.primitive(f) || isNamespace(environment(f)) || !depth) return(FALSE)
  names <- unique(all.names(body(f)))
  any(c("while", "repeat") %in% names) || any(vapply(names, function(name) tries(get0(name, environment(f), mode = "function"), depth - 1), NA))
}

# What functions and their arguments reach and may change, and what it holds, the nearest first: the
# options of the session, the environments around functions, objects, and of the global environment
# the variables that are named. What has 10,000 elements is left out: it would take seconds.
state_of <- function(...) {
  spaces <- list()
  named <- character()
  near <- list(...)
  for (step in 1:300) {
    if (!length(near)) break
    one <- near[[1]]
    inside <- attributes(one)
    if (is.function(one) && !is.primitive(one)) {
      if (identical(topenv(environment(one)), globalenv())) named <- union(named, intersect(all.names(body(one)), ls(globalenv())))
      inside <- c(inside, list(environment(one)), all_in(globalenv(), named))
    } else if (typeof(one) == "environment" && length(one) < 1e4 && !is_of_package(one) && !any(vapply(spaces, identical, NA, one))) {
      values <- tryCatch(all_in(one), error = function(condition) NULL) # an argument that cannot be computed
      if (!is.null(values)) spaces <- c(spaces, one)
      inside <- c(inside, values, parent.env(one))
    } else if (is.list(one) && length(one) < 1e4) inside <- c(inside, unclass(one))
    near <- c(near[-1], Filter(function(v) is.function(v) || is.environment(v) || is.list(v) || isS4(v), inside))
  }
  c(list(list()), lapply(spaces, function(space) list(space = space)), list(list(space = globalenv(), only = named)))
}

is_of_package <- function(space) isNamespace(space) || nzchar(environmentName(space))

# The values in an environment that are not computed when they are read.
all_in <- function(space, names = ls(space, all.names = TRUE)) mget(as.character(names[!vapply(names, bindingIsActive, NA, env = space)]), envir = space)

contents <- function(place) if (is.null(place$space)) options() else
  Filter(Negate(is.function), if (is.null(place$only)) all_in(place$space) else all_in(place$space, place$only))

put <- function(place, values) {
  now <- contents(place)
  changed <- Filter(function(name) !identical(now[[name]], values[[name]]), union(names(now), names(values)))
  if (is.null(place$space)) return(options(stats::setNames(lapply(changed, function(name) values[[name]]), changed)))
  rm(list = setdiff(names(now), names(values)), envir = place$space)
  list2env(values[intersect(changed, names(values))], place$space)
}

# Runs a branch once more, which must give the same. It may fail if it lacks what is kept elsewhere.
again <- function(tree, call, branch, may_fail = FALSE) {
  begin(tree, branch)
  answer <- answer_of(tree, call)
  if (may_fail && isTRUE(answer$failed)) return()
  if (is.null(answer) || answer$key != branch[[5]]) refused(KEPT)
}

as_found <- function(tree, answers, p, branches) {
  if (!tree$lean && !isTRUE(abs(sum(p, tree$lost) - 1) <= KNOWN)) refused("its probabilities sum to ", format(sum(p, tree$lost), digits = 15))
  failed <- vapply(answers, function(answer) answer$failed, NA)
  dust <- failed & p < DUST
  raised <- stats::setNames(p[failed & !dust], vapply(answers[failed & !dust], function(answer) answer$value, ""))
  list(p = unname(p[!failed]), values = unname(lapply(answers[!failed], function(answer) answer$value)), keys = vapply(answers, `[[`, "", "key"), all = unname(p),
    raised = raised, errors = lapply(answers[failed & !dust], `[[`, "condition"), remainder = tree$lost + sum(p[dust]), dust = sum(p[dust]), branches = branches)
}

# What a run returns, with a text that is the same for equal values; NULL if it was ended.
answer_of <- function(tree, call) {
  if (tree$lean) {
    value <- call()
    return(list(key = short_key(tree, key_of(tree, value)), value = value, failed = FALSE))
  }
  answer <- NULL
  withRestarts({
    value <- caught(quietly(list(call())))
    failed <- inherits(value, "error")
    answer <- list(key = short_key(tree, if (failed) paste("error", conditionMessage(value)) else tryCatch(key_of(tree, value[[1]]), stackOverflowError = function(condition) refuse(tree, "it returns a list of too many lists in each other"))), failed = failed,
      value = if (failed) conditionMessage(value) else value[[1]], condition = if (failed) value)
  }, breadboard_stop = function() NULL)
  if (!is.null(tree$refused)) refused(tree$refused)
  answer
}

# A value, or the error that was raised. That of a time limit is the user's.
caught <- function(expr) tryCatch(expr, error = function(condition) if (is_limit(condition) || inherits(condition, "breadboard_error")) stop(condition) else condition)

is_limit <- function(condition) conditionMessage(condition) %in% gettext("reached elapsed time limit", "reached session elapsed time limit",
  "reached CPU time limit", "reached session CPU time limit", domain = "R")

quietly <- function(expr) withCallingHandlers(expr,
  warning = function(condition) invokeRestart("muffleWarning"), message = function(condition) invokeRestart("muffleMessage"))

refused <- function(...) stop(structure(list(message = paste0("the function cannot be followed: ", ...), call = NULL), class = c("breadboard_refused", "breadboard_error", "error", "condition")))

# Equal values have the same key: numbers by 15 digits, factors by their labels. What a class keeps in
# attributes is a part of its value.
key_of <- function(tree, value) {
  if (is.null(attributes(value)) && is.numeric(value) && length(value) == 1) return(sprintf("\r\r%.15g", value + 0))
  if (inherits(value, "breadboard_random")) refuse(tree, "it returns a random number of which only an interval is known; return what depends on it, such as a comparison")
  if (is.factor(value)) value <- as.character(value)
  more <- attributes(value)
  more <- more[setdiff(names(more), c("names", "dim", "class", "row.names"))]
  if (is.list(value)) cells <- vapply(unclass(value), function(v) key_of(tree, v), "")
  else if (is.null(value)) cells <- "NULL"
  else if (is.numeric(value)) cells <- sprintf("%.15g", value + 0)
  else if (is.language(value)) cells <- deparse(value)
  else if (is.atomic(value)) cells <- paste(typeof(value), exact_text(value))
  else refuse(tree, "it returns an object of class ", class(value)[1], ", which cannot be compared with others; return a vector or a list")
  paste(c(paste(dim(value), collapse = "x"), exact_text(names(value)), "", cells, if (length(more)) key_of(tree, more)), collapse = "\r")
}

# A key that may be the name of a variable, which has at most 10,000 bytes.
short_key <- function(tree, key) {
  if (nchar(key, "bytes") < 9000) return(key)
  if (!key %in% tree$long) tree$long <- c(tree$long, key)
  paste("long", match(key, tree$long))
}

# Texts in quotes, and NA without.
exact_text <- function(value) if (is.character(value)) encodeString(value, quote = "\"") else value

# The texts of outcomes, with the names of their elements if they are needed to tell two apart.
labels_of <- function(values) {
  labels <- vapply(unname(values), label_of, "")
  for (i in which(labels %in% labels[duplicated(labels)])) if (!is.null(names(values[[i]]))) labels[i] <- paste(names(values[[i]]), values[[i]], sep = "=", collapse = " ")
  labels
}

label_of <- function(value) {
  if (is.factor(value)) value <- as.character(value)
  if (is.character(value)) value <- ifelse(is.na(value), "<NA>", ifelse(nzchar(value), value, "\"\""))
  if (is.atomic(value) && length(value)) paste(if (is.numeric(value)) sprintf("%.15g", value + 0) else value, collapse = " ") else paste(deparse(value), collapse = " ")
}

# Runs a branch with plain numbers that lead the same way, which must give the same.
check_with_plain_draws <- function(tree, call, answer) {
  draws <- tree$run$draws
  random <- vapply(draws, is.environment, NA)
  for (i in which(random)) draws[[i]]$share <- 0.4 + 0.2 * ((i * 0.6180339887498949) %% 1)
  draws[random] <- lapply(draws[random], value_inside)
  if (anyNA(unlist(draws))) return() # an interval is so narrow that rounding decides
  begin(tree, NULL, structure(draws, kinds = ifelse(random, "continuous", "discrete")))
  plain <- answer_of(tree, call)
  if (is.null(plain) || plain$key != answer$key || tree$taken < length(draws)) refused("with random numbers of which intervals are known it ", what_of(answer),
    ", and with numbers inside of them it ", if (is.null(plain)) "draws otherwise" else what_of(plain),
    ": it does what is not followed, or keeps a state between its calls")
}

what_of <- function(answer) if (answer$failed) paste0("raises \"", answer$value, "\"") else paste("returns", substr(label_of(answer$value), 1, 100))

# Runs the function with R's own generator, for at most a second. Its values must be among those that
# were found, about as often.
check_with_real_draws <- function(tree, call, found) {
  set.seed(1)
  until <- proc.time()[[3]] + 1
  keys <- character()
  while (length(keys) < REAL && (!length(keys) || proc.time()[[3]] < until)) {
    answer <- answer_of(tree, call)
    keys <- c(keys, answer$key)
  }
  counts <- table(match(keys, found$keys), useNA = "always")
  p <- c(found$all[as.integer(names(counts)[-length(counts)])], 0)
  n <- length(keys)
  tail <- pmin(stats::pbinom(counts, n, pmin(1, p)), stats::pbinom(counts - 1, n, pmin(1, p + found$remainder), lower.tail = FALSE))
  if (any(tail < 1e-12)) refused("of ", n, " runs with R's own generator ", counts[which.min(tail)], " give what has the probability ", format(p[which.min(tail)], digits = 3), " here")
}

print.breadboard_law <- function(x, digits = 9, ...) {
  some <- utils::head(x$p, 20)
  cat(sprintf("%-12s %s\n", bounds_text(some, x$remainder, digits), names(some)), sep = "")
  if (length(x$p) > 20) cat("and", length(x$p) - 20, "more outcomes\n")
  if (length(x$raised)) cat(sprintf("%-12s raises %s\n", bounds_text(x$raised, x$remainder, 9), names(x$raised)), sep = "")
  if (x$remainder > 0) cat(sprintf("%-12.3g is not explored\n", x$remainder))
  invisible(x)
}

# Probabilities that may be larger by what is not explored.
bounds_text <- function(p, remainder, digits) {
  texts <- lapply(list(p, pmin(1, p + remainder)), function(v) sprintf("%.*g", as.integer(digits), v))
  ifelse(texts[[1]] == texts[[2]], texts[[1]], paste(texts[[1]], "to", texts[[2]]))
}

# The columns outcome and probability; or least and most, if a part is not explored.
as.data.frame.breadboard_law <- function(x, ...) {
  outcome <- numbers_of(x)
  p <- if (is.null(outcome)) with_errors(x) else x$p
  outcome <- if (is.null(outcome)) names(p) else outcome
  p <- unname(p)
  if (is.numeric(outcome) && all(vapply(x$values, is.logical, NA))) outcome <- as.logical(outcome)
  if (anyDuplicated(outcome)) outcome <- names(x$p)  # as of 1 and TRUE
  if (x$remainder <= KNOWN) data.frame(outcome, probability = p) else data.frame(outcome, least = p, most = pmin(1, p + x$remainder))
}

# The outcomes if they are numbers and all are known by their value; else NULL.
numbers_of <- function(x) {
  are <- vapply(x$values, function(v) length(v) == 1 && (is.numeric(v) || is.logical(v)), NA)
  if (length(are) && all(are) && !length(x$raised)) as.numeric(unlist(x$values))
}

# Probabilities by outcome, place or condition. An outcome that was not found has the probability 0;
# with a remainder they are unknown.
`[.breadboard_law` <- function(x, i) {
  p <- with_errors(x)
  if (x$remainder > KNOWN) p[] <- NA
  if (missing(i)) return(p)
  found <- if (is.character(i)) stats::setNames(p[i], i) else p[i]
  found[is.na(found)] <- if (is.character(i) && x$remainder == 0) 0 else NA
  found
}

# The smallest outcome at which the distribution function reaches each of probs, to 1e-12. It must be
# the same wherever the unexplored probability is.
quantile.breadboard_law <- function(x, probs = seq(0, 1, 0.25), names = TRUE, ...) {
  values <- numbers_of(x)
  if (is.null(values) || anyNA(values)) bad_input("the outcomes are no numbers, or the function raises errors; quantiles need an order")
  if (!is.numeric(probs) || anyNA(probs) || any(probs < 0 | probs > 1)) bad_input("probs = are no numbers from 0 to 1")
  order <- order(values)
  values <- values[order]
  up <- cumsum(x$p[order])
  at <- function(lead) vapply(probs, function(p) values[which(up + lead >= p - 1e-12)[1]], 1)
  found <- at(0)
  if (x$remainder > 0 && length(wrong <- which(is.na(found) | found != at(x$remainder) | probs == 0)))
    bad_input("the quantile at ", probs[wrong[1]], " is not known, because outcomes of probability ", format(x$remainder, digits = 3), " were not explored")
  if (names) names(found) <- paste0(format(100 * probs, trim = TRUE, digits = 7), "%")
  found
}

median.breadboard_law <- function(x, na.rm = FALSE, ...) quantile.breadboard_law(x, 0.5, names = FALSE)

# Quantiles, mean and standard deviation of numbers; of other outcomes, or if a part is not explored,
# the probabilities.
summary.breadboard_law <- function(object, ...) {
  if (object$remainder > 0) return(as.data.frame(object))
  if (is.null(numbers_of(object))) return(object[])
  at <- quantile.breadboard_law(object, names = FALSE)
  m <- mean(object)
  structure(c(Min. = at[1], "1st Qu." = at[2], Median = at[3], Mean = m, "3rd Qu." = at[4], Max. = at[5], SD = sqrt(mean(object, function(v) (v - m)^2))),
    class = c("summaryDefault", "table"))
}

# The mean of the outcomes, or of g of them; of vectors that of each component.
mean.breadboard_law <- function(x, g = identity, ...) {
  if (length(x$raised)) bad_input("there is no mean: with probability ", format(sum(x$raised)), " the function raises ", names(x$raised)[1])
  values <- lapply(x$values, g)
  if (!all(vapply(values, function(v) is.numeric(v) || is.logical(v), NA)) || length(unique(lengths(values))) != 1)
    bad_input("the outcomes are no numbers of one length; give mean a function of the outcome")
  size <- sum(mapply(function(value, p) max(abs(value)) * p, values, x$p))
  if (is.na(size)) bad_input("there is no mean: an outcome is NA or NaN")
  if (x$remainder > 1e-14 || (x$remainder - x$dust) * .Machine$double.xmax > 1e-10 * size)
    bad_input("the mean is not known, because outcomes of probability ", format(x$remainder, digits = 3), " were not explored; a smaller cut = , or more most = or seconds = , leave less")
  Reduce(`+`, Map(`*`, values, x$p))
}

# The conditional distribution given an event, a function of the outcome. Unexplored outcomes may
# belong to it.
given <- function(law, event) {
  kept <- vapply(law$values, function(value) isTRUE(as.logical(event(value))), NA)
  most <- sum(law$p[kept]) + law$remainder
  if (!any(kept)) bad_input("the event has at most the probability ", format(law$remainder))
  structure(list(p = law$p[kept] / most, values = law$values[kept], raised = numeric(), remainder = law$remainder / most, dust = law$dust / most, branches = law$branches), class = "breadboard_law")
}

distance <- function(law, other) UseMethod("distance")

# The total variation distance to another distribution, or to probabilities with the outcomes as
# names. What is not explored counts as different.
distance.breadboard_law <- function(law, other) {
  mine <- with_errors(law)
  its <- probabilities(other, "other")
  at <- union(names(mine), names(its))
  value <- function(p) ifelse(at %in% names(p), p[at], 0)
  (sum(abs(value(mine) - value(its))) + law$remainder + max(0, 1 - sum(its))) / 2
}

# Probabilities by outcome, as a user gives them.
probabilities <- function(p, name, named = TRUE) {
  if (inherits(p, "breadboard_law")) return(with_errors(p))
  if (is.list(p) && all(lengths(p) == 1)) p <- unlist(p)
  wrong <- if (!is.numeric(p)) paste("is of class", class(p)[1]) else if (!length(p)) "is empty" else if (!all(is.finite(p))) "has NA or Inf" else if (length(dim(p)) > 1) "is a matrix"
    else if (named && is.null(names(p)) || !all(nzchar(names(p)) & !is.na(names(p)))) "has no names" else if (anyDuplicated(names(p))) paste("has twice the name", names(p)[anyDuplicated(names(p))])
  if (!is.null(wrong)) bad_input(name, " = ", wrong, "; give each outcome once, as in c(heads = 0.5, tails = 0.5)")
  p
}

with_errors <- function(law) c(law$p, if (length(law$raised)) stats::setNames(law$raised, paste("raises", names(law$raised))))

plot.breadboard_law <- function(x, ...) {
  values <- numbers_of(x)
  p <- if (is.null(values)) with_errors(x) else x$p[order(values)]
  graphics::barplot(p, ylab = if (x$remainder > KNOWN) "least probability" else "probability", ...)
  invisible(x)
}
