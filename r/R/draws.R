# Draws in the objects of R, as a file of states. R counts from 1 and the first index of an array
# moves fastest; the program counts from 0 and row by row.

# The words and the flags for draws. base = 0 says that numbers are those of the program.
draws_of <- function(given, draws, flags) {
  if (is.character(draws) && (length(draws) == 1 || length(draws) && !anyDuplicated(draws) && all(file.exists(draws)))) return(list(words = draws, flags = flags))
  own <- own_numbers(draws, flags[["toy"]])
  toy <- flags[["toy"]]
  columns <- if (is.null(own)) columns_of(draws, if (is.null(toy)) is.null(flags$law) else length(space_of(toy)$shape) == 1) else list(state = own)
  columns <- columns[!names(columns) %in% c("ITER", "lp__")]
  if (!is.null(own)) flags$base <- 0
  else if ("state" %in% names(columns) && is.null(flags$law)) {
    columns$state <- state_numbers(columns$state, flags)
    flags$base <- 0
  } else if (is.matrix(columns$state)) columns$state <- apply(columns$state, 1, paste, collapse = ";")
  if (is.null(flags$base) && !is.null(flags$toy)) flags$base <- 1
  given$base <- as.numeric(flags$base)
  if (is.null(flags$base) && is.numeric(flags$law) && is.null(names(flags$law)) && is.numeric(columns$state)) arrayInd_or_stop(columns$state, length(flags$law), length(flags$law))
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
  if (inherits(draws, "table")) bad_input("draws are a table of counts; give the draws themselves, in their order")
  if (inherits(draws, "mcmc.list")) return(of_chains(lapply(draws, unclass)))
  if (inherits(draws, "stanfit")) draws <- as.array(draws)
  if (inherits(draws, "rvar")) {
    names <- if (length(draws) == 1) "state" else paste0("x", seq_along(draws) - 1)
    draws <- stats::setNames(posterior::as_draws_df(posterior::draws_rvars(state = draws)), c(names, ".chain", ".iteration", ".draw"))
  }
  if (inherits(draws, "draws")) draws <- posterior::as_draws_df(draws)
  if (is.data.frame(draws)) return(as.list(as.data.frame(draws, optional = TRUE)))
  if (length(dim(draws)) == 3) return(of_chains(lapply(seq_len(dim(draws)[2]), function(j) {
    matrix(draws[, j, ], dim(draws)[1], dimnames = list(NULL, dimnames(draws)[[3]]))
  })))
  if (inherits(draws, "mcmc")) return(of_chains(list(unclass(draws))))
  if (is.list(draws) && identical(names(draws), as.character(seq_along(draws)))) draws <- unname(draws) # as split() names rows
  if (is.list(draws) && is.null(names(draws)) && length(draws) && all(vapply(draws, function(one) length(dim(one)) == 2, NA)))
    return(of_chains(lapply(draws, as.matrix)))
  if (is.matrix(draws) && is.null(colnames(draws)) && ncol(draws) > 1 && one_number) draws <- lapply(seq_len(ncol(draws)), function(j) draws[, j])
  if (is.list(draws) && is.null(names(draws)) && all(vapply(draws, is.atomic, NA) & lengths(draws) > 1) && one_number) return(of_chains(draws))
  if (is.list(draws) && is.null(names(draws)) && length(unique(lengths(draws))) == 1 && all(vapply(draws, is.atomic, NA))) {
    draws <- do.call(rbind, lapply(draws, function(one) if (is.factor(one)) as.character(one) else one)) # a state each
    if (ncol(draws) == 1) draws <- draws[, 1]
  }
  if (is.matrix(draws) && !is.null(colnames(draws))) return(of_chains(list(draws)))
  if (is.matrix(draws)) return(list(state = draws))
  if (is.list(draws) && !is.null(names(draws))) return(draws)
  if (is.atomic(draws) && length(draws)) return(list(state = draws))
  bad_input("draws are of class ", class(draws)[1], "; give a vector of states, a data frame, a matrix, an object of coda or posterior, or files")
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

# The numbers from 0 of states that are indices or coordinates from 1, or labels.
state_numbers <- function(states, flags) {
  if (is.factor(states)) states <- as.character(states)
  if (anyNA(states)) bad_input("draw ", which(is.na(states))[1], " is NA; omit it, or find out why it is missing")
  if (identical(as.numeric(flags$base), 0) || is.null(flags$toy)) return(if (is.matrix(states)) apply(states, 1, paste, collapse = ";") else states)
  space <- space_of(flags$toy)
  labels <- if (!is.null(space$labels)) suppressWarnings(as.numeric(space$labels))
  named <- is.numeric(states) && !is.null(labels) && !anyNA(labels) &&
    !(is.character(flags$toy) && identical(as.character(space$labels), as.character(seq_along(space$labels) - 1))) # these count, and are no labels
  if (is.matrix(states)) return(number_of(states, space$shape))
  if (is.character(states) || is.logical(states) || named) {
    found <- if (named) match(states, labels) else match(as.character(states), space$labels)
    if (anyNA(found) && is.numeric(flags$toy) && !is.null(space$labels))
      bad_input("draw ", which(is.na(found))[1], " is ", states[is.na(found)][1], "; the states are ", toString(space$labels))
    return(if (is.null(space$labels) || anyNA(found)) as.character(states) else found - 1)
  }
  number_of(states, space$shape)
}

# The numbers of states that are indices into an array, or rows of coordinates.
number_of <- function(states, shape) {
  n <- prod(shape)
  at <- if (is.matrix(states)) states - 1 else arrayInd_or_stop(states, shape, n) - 1
  if (ncol(at) != length(shape)) bad_input("a draw has ", ncol(at), " coordinates and the toy ", length(shape))
  wrong <- which(at != trunc(at) | at < 0 | at >= rep(shape, each = nrow(at)), arr.ind = TRUE)
  if (nrow(wrong)) bad_input("draw ", wrong[1, 1], " has the coordinate ", at[wrong[1, , drop = FALSE]] + 1, "; R counts from 1 to ", shape[wrong[1, 2]],
    "; base = 0 if these are the program's numbers")
  as.vector(at %*% rev(cumprod(c(1, rev(shape)[-length(shape)]))))
}

arrayInd_or_stop <- function(states, shape, n) {
  wrong <- which(states != trunc(states) | states < 1 | states > n)
  if (length(wrong)) bad_input("draw ", wrong[1], " is the state ", states[wrong[1]], "; R counts states from 1 to ", n, "; base = 0 if these are the program's numbers")
  arrayInd(states, shape)
}

# The sides of a toy without those of length one, and the labels of its states.
space_of <- function(toy) {
  if (is.data.frame(toy) && !of_states(toy)) toy <- as.matrix(toy)
  if (inherits(toy, "breadboard_target") && is.null(toy$edges) && !is.data.frame(toy$values)) toy <- toy$values
  if (is.numeric(toy)) {
    shape <- if (is.null(dim(toy))) length(toy) else dim(toy)[dim(toy) > 1]
    return(list(shape = if (length(shape)) shape else 1L, labels = if (is.null(dim(toy))) names(toy)))
  }
  labels <- tryCatch(breadboard("export", toy = toy, arrays = "labels", progress = FALSE)$labels, breadboard_bad_input = function(condition) NULL)
  list(shape = breadboard("export", toy = toy, arrays = "shape", progress = FALSE)$shape, labels = labels)
}
