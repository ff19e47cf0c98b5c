# Draws in the objects of R, as a file of states. R counts from 1 and the first index of an array
# moves fastest; the program counts from 0 and row by row.

# The words and the flags for draws. base = 0 says that numbers are those of the program.
draws_of <- function(given, draws, flags) {
  if (is.character(draws) && (length(draws) == 1 || length(draws) && !anyDuplicated(draws) && all(file.exists(draws)))) return(list(words = draws, flags = flags))
  toy <- only_toy(flags[["toy"]])
  own <- own_numbers(draws, toy)
  space <- if (!is.null(toy) && is.null(own)) space_of(toy)
  columns <- if (is.null(own)) columns_of(draws, if (is.null(toy)) is.null(flags$law) else length(space$shape) == 1) else list(state = own)
  columns <- columns[!names(columns) %in% c("ITER", "lp__")]
  if (!is.null(own)) flags$base <- 0
  else if ("state" %in% names(columns)) {
    columns <- c(columns[names(columns) != "state"], states_of(columns$state, if (is.null(flags$law) && !identical(as.numeric(flags$base), 0)) space))
    if (is.null(flags$law)) flags$base <- 0
  }
  if (is.null(flags$base) && !is.null(toy)) flags$base <- 1
  given$base <- as.numeric(flags$base)
  if (is.null(flags$base) && is.numeric(flags$law) && is.null(names(flags$law)) && is.numeric(columns$state)) number_of(as.matrix(columns$state), space_of(flags$law))
  list(words = csv_file(given, "draws", columns), flags = flags)
}

# The numbers from 0 of draws that are states of the user; NULL if the toy has none.
own_numbers <- function(draws, toy) {
  if (!inherits(toy, "breadboard_target") || is.null(toy$states) || is.object(draws) && !is.factor(draws)) return()
  own <- own_states(toy)
  each <- if (is.matrix(draws)) lapply(seq_len(nrow(draws)), function(i) draws[i, ]) else as.list(draws)
  at <- match(vapply(each, state_key, ""), vapply(own$states, state_key, ""))
  if (anyNA(at)) bad_input("draw ", which(is.na(at))[1], " is ", deparse(each[[which(is.na(at))[1]]])[1], "; the states are ", some_of(own$labels))
  at - 1
}

some_of <- function(labels) paste0(toString(utils::head(labels, 5)), if (length(labels) > 5) ", ...")

# The columns of draws: those of a data frame, one for each parameter and .chain of several chains,
# or state. If a state is one number, a matrix without names has a column for each chain.
columns_of <- function(draws, one_number) {
  all_are <- function(test) is.list(draws) && length(draws) > 0 && all(vapply(draws, test, NA))
  if (inherits(draws, "table")) bad_input("draws are a table of counts; give the draws themselves, in their order, or as.data.frame(x) with the columns state and count")
  if (inherits(draws, "stanfit")) draws <- as.array(draws)
  if (inherits(draws, "mcarray")) draws <- list(draws)
  if (all_are(function(one) inherits(one, "mcarray"))) draws <- do.call(c, unname(Map(of_mcarray, draws, if (is.null(names(draws))) "" else names(draws))))
  if (inherits(draws, "rvar")) draws <- stats::setNames(lapply(seq_along(draws), function(k) draws[k]), if (length(draws) == 1) "state" else paste0("x", seq_along(draws) - 1))
  if (all_are(function(one) inherits(one, "rvar"))) draws <- do.call(posterior::draws_rvars, unclass(draws))
  if (inherits(draws, "draws")) draws <- posterior::as_draws_df(draws)
  if (is.null(names(draws)) && all_are(function(one) is.list(one) && !is.null(names(one)))) draws <- lapply(draws, as.data.frame, optional = TRUE)
  if (all_are(is.data.frame) && any(tolower(names(draws[[1]])) %in% CHAINS)) draws <- do.call(rbind, unname(draws))
  at <- match(c("iter", "chai"), substr(names(dimnames(draws)), 1, 4))
  if (!anyNA(at)) draws <- aperm(draws, c(at, setdiff(seq_along(dim(draws)), at)))
  if (length(dim(draws)) == 2 && all(grepl("^chain.*[0-9]", colnames(draws), ignore.case = TRUE))) draws <- unname(as.matrix(draws))
  if (is.data.frame(draws)) return(lapply(as.list(draws), plain))
  if (inherits(draws, "mcmc")) draws <- list(unclass(draws))
  if (is.list(draws) && (identical(names(draws), as.character(seq_along(draws))) || all_are(function(one) !is.null(colnames(one))))) draws <- unname(draws) # as split() names rows
  if (is.list(draws) && !is.null(names(draws))) draws <- of_variables(draws)
  if (length(dim(draws)) > 3) bad_input("draws are an array of ", paste(dim(draws), collapse = " x "), "; give three sides, iterations x chains x variables, with the names of the variables")
  if (length(dim(draws)) == 3) draws <- lapply(seq_len(dim(draws)[2]), function(j) matrix(draws[, j, ], dim(draws)[1], dimnames = list(NULL, dimnames(draws)[[3]])))
  if (is.matrix(draws) && !is.null(colnames(draws))) draws <- list(draws)
  if (is.matrix(draws) && ncol(draws) > 1 && one_number) draws <- lapply(seq_len(ncol(draws)), function(j) draws[, j])
  if (all_are(function(one) length(dim(one)) == 2) || one_number && all_are(function(one) is.atomic(one) && length(one) > 1)) return(of_chains(lapply(draws, as.matrix)))
  if (all_are(is.atomic) && length(unique(lengths(draws))) == 1) draws <- do.call(rbind, lapply(draws, plain)) # a state each
  if (is.atomic(draws) && length(draws)) return(list(state = plain(draws)))
  bad_input("draws are of class ", class(draws)[1], "; give a vector of states, a data frame, a matrix, an object of coda or posterior, or files")
}

CHAINS <- c("chain", ".chain", "chains", "chain_id", "run", "walker")

# An array iterations x chains x variables of variables, each a vector, or all with a column or a vector for
# each chain.
of_variables <- function(draws) {
  if (any(vapply(draws, function(one) is.list(one) && !is.null(names(one)), NA))) bad_input("draws are a list of lists, both with names; give a list of chains without names")
  draws <- lapply(draws, function(one) as.matrix(plain(if (is.list(one)) do.call(cbind, unname(one)) else one)))
  sizes <- vapply(draws, dim, c(1L, 1L))
  if (any(sizes != sizes[, 1])) bad_input("the variables have the sizes ", toString(apply(sizes, 2, paste, collapse = " x ")),
    "; give each iterations x chains, or an array iterations x chains x variables, as of rstan::extract(fit, permuted = FALSE)")
  array(unlist(draws), c(sizes[, 1], length(draws)), list(NULL, NULL, names(draws)))
}

# The variables of an array of rjags, whose last two sides are iterations and chains.
of_mcarray <- function(draws, name) {
  of <- utils::head(dim(draws), -2)
  names <- paste0(if (nzchar(name)) name else attr(draws, "varname"), if (prod(of) > 1) paste0("[", gsub(" ", ",", coordinates(of)), "]"))
  values <- array(draws, c(prod(of), utils::tail(dim(draws), 2)))
  stats::setNames(lapply(seq_along(names), function(k) values[k, , ]), names)
}

# Columns of matrices with a row for each draw, one for each chain.
of_chains <- function(chains) {
  all <- do.call(rbind, chains)
  if (is.null(colnames(all)) && ncol(all) == 1) colnames(all) <- "state"
  if (is.null(colnames(all))) bad_input("the draws have no names of variables; name the columns, or the third dimension of an array")
  columns <- lapply(seq_len(ncol(all)), function(j) as.vector(all[, j]))
  names(columns) <- colnames(all)
  if (length(chains) > 1) columns$.chain <- rep(seq_along(chains), vapply(chains, nrow, 1L))
  columns
}

# The columns of states that are indices or coordinates from 1, as numbers from 0, or labels.
states_of <- function(states, space) {
  if (anyNA(states)) bad_input("draw ", which(is.na(states))[1], " is NA; omit it, or find out why it is missing")
  states <- as.matrix(states)
  if (is.numeric(states) && !is.null(space) && !(space$is_named && space$numeric)) return(list(state = number_of(states, space)))
  if (length(space$axes) == ncol(states) && space$axes[1] != "state") return(stats::setNames(lapply(seq_along(space$axes), function(k) if (is.numeric(states)) states[, k] else words(states[, k])), space$axes))
  one <- if (ncol(states) == 1) as.vector(states) else apply(states, 1, paste, collapse = ";")
  at <- if (is.numeric(one)) match(texts(one), space$labels) else NA
  list(state = if (!anyNA(at)) at - 1 else if (is.character(one) && length(space$shape) == 1) words(one) else one)
}

# The numbers in the program of states that are indices into an array, or rows of coordinates.
number_of <- function(states, space) {
  shape <- if (ncol(states) == 1) prod(space$shape) else space$shape
  if (ncol(states) != length(shape)) bad_input("a draw has ", ncol(states), " coordinates and the toy ", length(shape))
  wrong <- which(states != trunc(states) | states < 1 | states > rep(shape, each = nrow(states)), arr.ind = TRUE)
  if (nrow(wrong)) bad_input("draw ", wrong[1, 1], " is ", toString(states[wrong[1, 1], ]), "; R counts from 1 to ", toString(shape), "; base = 0 if these are the program's numbers")
  array(order(space$order), shape)[states] - 1
}
