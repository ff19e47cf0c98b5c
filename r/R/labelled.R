# What is handed over as numbers, the names of their axes, the labels along them, and what the numbers are.
# The program matches labels: an array with labels is a table with a row for each state, a kernel with labels
# a table with names of rows and columns. What has none goes by position, in the order of R.

is_array <- function(value) is.data.frame(value) || is.numeric(value) || is.logical(value) || inherits(value, "Matrix")

# An object as an array of numbers or texts with its names, or as a data frame with a row for each state.
plain <- function(value) {
  if (is.data.frame(value) && is_table(value)) {
    if (length(value) == 1 && is.character(attr(value, "row.names"))) value <- data.frame(state = row.names(value), value)
    names(value)[names(value) == "Freq"] <- "count" # as tables of R call it
    return(structure(lapply(unclass(value), plain), row.names = .set_row_names(nrow(value)), class = "data.frame"))
  }
  if (is.data.frame(value) || inherits(value, "Matrix") && requireNamespace("Matrix", quietly = TRUE)) return(as_matrix(value))
  if (is.factor(value)) return(stats::setNames(as.character(value), names(value)))
  if (inherits(value, "integer64")) {
    bits <- rawConnection(writeBin(as.vector(unclass(value)), raw(), endian = "little"))
    on.exit(close(bits))
    value <- unclass(value)
    value[] <- read_values(bits, "<i8", length(value))
    value[value == -2^63] <- NA
  }
  if (is.logical(value) && length(value) > 1) storage.mode(value) <- "double"
  if (is.numeric(value)) unclass(value) else value
}

# A matrix without the names of columns that R gives by itself.
as_matrix <- function(value) {
  automatic <- is.data.frame(value) && grepl("[VX]", names(value)[1]) && !is_table(value)
  value <- as.matrix(value)
  if (automatic) colnames(value) <- NULL
  plain(value)
}

is_table <- function(frame) !all(grepl("^[VX]?[0-9]+$", names(frame)))

# Whether an object says that its numbers are counts or probabilities.
are_counts <- function(value) {
  if (inherits(value, "table") && (any(value < 0) || any(value != trunc(value)) && abs(sum(value) - 1) > 1e-9))
    bad_input("values are a table of neither counts nor probabilities; give unclass(x) if they are log f, and target(unclass(x), probabilities = TRUE) if they are f")
  inherits(value, "table")
}

# Numbers without the axes of length one; the labels along the others, from 0 if there are none; and the
# names of these axes.
labelled <- function(array) {
  shape <- dim_of(array)
  labels <- if (is.null(dim(array))) list(names(array)) else dimnames(array)
  kept <- if (any(shape > 1)) which(shape > 1) else 1L
  named <- vapply(kept, function(k) !is.null(labels[[k]]) || any(nzchar(names(labels)[k])), NA)
  sides <- lapply(kept, function(k) if (is.null(labels[[k]])) number_text(seq_len(shape[k]) - 1) else as_numbers(labels[[k]]))
  for (side in sides) if (anyDuplicated(side)) bad_input("two states have the name ", side[anyDuplicated(side)], "; give each a name of its own")
  numeric <- vapply(sides, are_numbers, NA)
  axes <- if (length(kept) == 1 && !numeric) "state" else paste0("x", seq_along(kept) - 1)
  own <- nzchar(names(labels)[kept])
  axes[which(own)] <- names(labels)[kept][which(own)]
  list(shape = shape[kept], labels = sides, axes = axes, numeric = all(numeric), is_named = any(named))
}

are_numbers <- function(labels) !anyNA(suppressWarnings(as.numeric(labels)))
as_numbers <- function(labels) if (are_numbers(labels)) number_text(as.numeric(labels)) else labels

# The labels of an axis in the order of the program: numbers in theirs, and words as they first stand.
in_program <- function(side) if (are_numbers(side)) order(as.numeric(side)) else if (identical(tolower(side), c("true", "false"))) 2:1 else seq_along(side)

# A table with a row for each state: its axes, of which one may have several values, and the column log_f or prob.
state_columns <- function(array, kind) {
  of <- labelled(array)
  at <- arrayInd(seq_along(array), of$shape)
  columns <- c(lapply(seq_along(of$shape), function(k) of$labels[[k]][at[, k]]), list(as.vector(array)))
  stats::setNames(columns, make.unique(c(of$axes, kind)))
}

# The states of a toy: the sides of its grid, what names them (in the order of R), whether the program knows
# these names, its axes, whether their values are all numbers, and the state of R with each number of the program.
space_of <- function(toy) {
  own <- if (inherits(toy, "breadboard_target")) toy else list(values = if (is_array(toy)) plain(toy) else toy)
  if (is.numeric(own$values) && is.null(own$edges)) {
    space <- labelled(own$values)
    space$is_named <- space$is_named && is.null(own$states)
    words <- do.call(paste, c(expand.grid(space$labels, stringsAsFactors = FALSE), sep = ","))
    orders <- if (space$is_named) lapply(space$labels, in_program)
    labels <- if (space$is_named) words else names(own$values)
  } else {
    ask <- function(what) breadboard("export", toy = toy, arrays = what, progress = FALSE)[[what]]
    labels <- tryCatch(as.vector(ask("labels")), breadboard_bad_input = function(condition) NULL)
    space <- list(shape = ask("shape"), axes = if (any(grepl("=", labels))) sub("=.*", "", strsplit(labels[1], ",")[[1]]) else "state")
    labels <- gsub("(^|,)[^=,]*=", "\\1", labels)
    counted <- !is.data.frame(toy) && !is.object(toy) && all(grepl("^[0-9, ;]+$", labels)) && identical(space$axes, "state")
    if (counted) labels <- NULL
    space[c("is_named", "numeric")] <- list(!is.null(labels), !is.null(labels) && are_numbers(unlist(strsplit(labels, ","))))
    orders <- NULL
  }
  at <- array(seq_len(prod(space$shape)), space$shape)
  space$places <- as.vector(aperm(at)) # of the program's array in R
  space$sides <- orders
  space$order <- if (is.null(orders)) space$places else as.vector(aperm(do.call(`[`, c(list(at), orders, drop = FALSE))))
  space$labels <- labels
  space
}

# Names of states that may be used, in the order of R: the labels of the states, or else their
# indices, their numbers in the program, or their coordinates.
names_of_states <- function(space) {
  if (is.null(space)) return(list())
  if (space$is_named) return(list(space$labels))
  n <- length(space$order)
  list(space$labels, number_text(seq_len(n)), number_text(order(space$order) - 1), coordinates(space$shape))
}

coordinates <- function(shape) apply(arrayInd(seq_len(prod(shape)), shape), 1, paste, collapse = " ")

# A matrix or a row of it without names, in which the states have the order of one of several vectors of names.
in_order <- function(p, known, what = "the kernel", must = FALSE) {
  sides <- Filter(Negate(is.null), if (is.null(dim(p))) list(names(p)) else dimnames(p))
  if (!length(sides)) return(p)
  sides <- lapply(unname(sides), as_numbers)
  known <- lapply(known, as_numbers)
  some <- function(names) toString(utils::head(names, 5))
  labels <- Find(function(labels) setequal(sides[[1]], labels), known)
  same <- all(vapply(sides, identical, NA, sides[[1]]))
  if (is.null(labels) && !must && same && !anyDuplicated(sides[[1]]) && !are_numbers(sides[[1]])) return(unname(p))
  for (its in sides) if (is.null(labels) || anyDuplicated(its) || !setequal(its, labels))
    bad_input(what, " names the states ", some(its), if (anyDuplicated(its)) paste(", and has the name", its[anyDuplicated(its)], "twice") else paste(", and they are", some(Find(length, known))), "; give each the name of one state, or give no names")
  at <- match(labels, sides[[1]])
  if (is.null(dim(p))) return(unname(p)[at])
  if (length(sides) == 2) return(unname(p[at, match(labels, sides[[2]]), drop = FALSE]))
  if (is.unsorted(at)) bad_input("a matrix of ", what, " has names of its rows or its columns alone, in another order than the states; name rows and columns")
  unname(p)
}
