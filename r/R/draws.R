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
  if (is.null(flags$base) && is.numeric(flags$law) && is.null(names(flags$law)) && is.numeric(columns$state)) index_or_stop(columns$state, length(flags$law))
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
  if (inherits(draws, "table")) bad_input("draws are a table of counts; give the draws themselves, in their order, or as.data.frame(x) with the columns state and count")
  if (inherits(draws, "mcmc.list")) return(of_chains(lapply(draws, unclass)))
  if (inherits(draws, "stanfit")) draws <- as.array(draws)
  if (inherits(draws, "mcarray")) draws <- list(draws)
  if (is.list(draws) && length(draws) && all(vapply(draws, inherits, NA, "mcarray"))) draws <- do.call(c, unname(Map(of_mcarray, draws, if (is.null(names(draws))) "" else names(draws))))
  if (is.list(draws) && !is.object(draws) && length(draws) && all(vapply(draws, inherits, NA, "rvar"))) draws <- do.call(posterior::draws_rvars, draws)
  if (inherits(draws, "rvar")) {
    names <- if (length(draws) == 1) "state" else paste0("x", seq_along(draws) - 1)
    draws <- stats::setNames(posterior::as_draws_df(posterior::draws_rvars(state = draws)), c(names, ".chain", ".iteration", ".draw"))
  }
  if (inherits(draws, "draws")) draws <- posterior::as_draws_df(draws)
  if (is.data.frame(draws)) return(lapply(as.list(as.data.frame(draws, optional = TRUE)), plain))
  if (length(dim(draws)) == 3) return(of_chains(lapply(seq_len(dim(draws)[2]), function(j) {
    matrix(draws[, j, ], dim(draws)[1], dimnames = list(NULL, dimnames(draws)[[3]]))
  })))
  if (length(dim(draws)) > 3) bad_input("draws are an array of ", paste(dim(draws), collapse = " x "), "; give three sides, iterations x chains x variables, with the names of the variables")
  if (inherits(draws, "mcmc")) return(of_chains(list(unclass(draws))))
  if (is.list(draws) && length(draws) && all(vapply(draws, is.data.frame, NA)) && any(tolower(names(draws[[1]])) %in% CHAINS)) return(columns_of(do.call(rbind, unname(draws)), one_number))
  if (is.list(draws) && (identical(names(draws), as.character(seq_along(draws))) || length(draws) && all(vapply(draws, function(one) !is.null(colnames(one)), NA)))) draws <- unname(draws) # as split() names rows
  if (is.list(draws) && is.null(names(draws)) && length(draws) && all(vapply(draws, function(one) length(dim(one)) == 2, NA)))
    return(of_chains(lapply(draws, as.matrix)))
  if (is.matrix(draws) && is.null(colnames(draws)) && ncol(draws) > 1 && one_number) draws <- lapply(seq_len(ncol(draws)), function(j) draws[, j])
  if (is.list(draws) && is.null(names(draws)) && all(vapply(draws, is.atomic, NA) & lengths(draws) > 1) && one_number) return(of_chains(lapply(draws, plain)))
  if (is.list(draws) && is.null(names(draws)) && length(unique(lengths(draws))) == 1 && all(vapply(draws, is.atomic, NA)))
    draws <- do.call(rbind, lapply(draws, plain)) # a state each
  if (is.matrix(draws) && !is.null(colnames(draws))) return(of_chains(list(draws)))
  if (is.list(draws) && !is.null(names(draws))) return(of_variables(draws))
  if (is.atomic(draws) && length(draws)) return(list(state = plain(draws)))
  bad_input("draws are of class ", class(draws)[1], "; give a vector of states, a data frame, a matrix, an object of coda or posterior, or files")
}

CHAINS <- c("chain", ".chain", "chains", "chain_id", "run", "walker")

# The columns of variables, each a vector, or all with a column or a vector for each chain.
of_variables <- function(draws) {
  draws <- lapply(draws, function(one) if (is.list(one) && length(one) && !is.data.frame(one) && all(lengths(one) == length(one[[1]]))) do.call(cbind, unname(one)) else plain(one))
  chains <- vapply(draws, NCOL, 1L)
  if (all(chains == 1)) return(lapply(draws, as.vector))
  sizes <- unique(lapply(draws, dim))
  if (length(sizes) > 1 || length(sizes[[1]]) != 2)
    bad_input("the variables have the sizes ", toString(vapply(draws, function(one) paste(names(draws)[0], paste(dim_of(one), collapse = " x ")), "")), "; give each iterations x chains, or an array of iterations x chains x variables, as rstan::extract(fit, permuted = FALSE) is")
  c(lapply(draws, as.vector), list(.chain = rep(seq_len(chains[1]), each = sizes[[1]][1])))
}

# The variables of an array of rjags, whose last two sides are iterations and chains.
of_mcarray <- function(draws, name) {
  if (!nzchar(name)) name <- attr(draws, "varname")
  size <- dim(draws)
  if (is.null(name) || length(size) < 3) bad_input("an object of class mcarray has the sides ", paste(size, collapse = " x "), " or no name; give those of jags.samples, in a list with their names")
  of <- utils::head(size, -2)
  values <- aperm(array(draws, c(prod(of), utils::tail(size, 2))), c(2, 3, 1))
  names <- if (prod(of) == 1) name else paste0(name, "[", apply(arrayInd(seq_len(prod(of)), of), 1, paste, collapse = ","), "]")
  stats::setNames(lapply(seq_along(names), function(k) matrix(values[, , k], size[length(size) - 1])), names)
}

# Columns of matrices with a row for each draw, one for each chain.
of_chains <- function(chains) {
  chains <- lapply(chains, function(chain) if (is.matrix(chain)) chain else matrix(chain, dimnames = list(NULL, "state")))
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
  if (is.matrix(states) && ncol(states) == 1) states <- states[, 1]
  if (anyNA(states)) bad_input("draw ", which(is.na(states))[1], " is NA; omit it, or find out why it is missing")
  if (is.numeric(states) && !is.null(space) && !isTRUE(space$numeric && space$is_named)) return(list(state = number_of(states, space)))
  if (is.null(space) || length(space$axes) != NCOL(states) || identical(space$axes, "state")) {
    if (is.matrix(states)) states <- apply(states, 1, paste, collapse = ";")
    at <- if (is.numeric(states)) match(states, as.numeric(space$labels)) else NA
    return(list(state = if (anyNA(at)) states else at - 1))
  }
  stats::setNames(lapply(seq_len(NCOL(states)), function(k) as.vector(if (is.matrix(states)) states[, k] else states)), space$axes)
}

# The numbers in the program of states that are indices into an array, or rows of coordinates.
number_of <- function(states, space) {
  shape <- space$shape
  if (!is.matrix(states)) return(match(index_or_stop(states, prod(shape)), space$order) - 1)
  if (ncol(states) != length(shape)) bad_input("a draw has ", ncol(states), " coordinates and the toy ", length(shape))
  wrong <- which(states != trunc(states) | states < 1 | states > rep(shape, each = nrow(states)), arr.ind = TRUE)
  if (nrow(wrong)) bad_input("draw ", wrong[1, 1], " has the coordinate ", states[wrong[1, , drop = FALSE]], "; R counts from 1 to ", shape[wrong[1, 2]],
    "; base = 0 if these are the program's numbers")
  match(as.vector((states - 1) %*% cumprod(c(1, shape[-length(shape)]))) + 1, space$order) - 1
}

index_or_stop <- function(states, n) {
  wrong <- which(states != trunc(states) | states < 1 | states > n)
  if (length(wrong)) bad_input("draw ", wrong[1], " is the state ", states[wrong[1]], "; R counts states from 1 to ", n, "; base = 0 if these are the program's numbers")
  states
}
