# What is handed over as numbers, the names of their axes, the labels along them, and what the numbers are.
# The program matches labels: an array with labels is a table with a row for each state, a kernel with labels
# a table with names of rows and columns. What has none goes by position, in the order of R.

is_array <- function(value) is.data.frame(value) || is.numeric(value) || is.logical(value) || inherits(value, "Matrix")

# An object as an array of numbers or texts with its names, or as a data frame with a row for each state.
plain <- function(value) {
  if (is.data.frame(value) && is_table(value)) {
    if (length(value) == 1 && is.character(attr(value, "row.names"))) value <- data.frame(state = row.names(value), value)
    names(value)[names(value) == "Freq"] <- "count" # as tables of R call it
    return(list2DF(lapply(value, plain)))
  }
  if (is.data.frame(value) || inherits(value, "Matrix") && requireNamespace("Matrix", quietly = TRUE)) return(as_matrix(value))
  if (is.factor(value)) return(stats::setNames(as.character(value), names(value)))
  if (inherits(value, "integer64")) value[] <- whole_numbers(value <- unclass(value))
  if (is.numeric(value)) unclass(value) else value
}

# The numbers of which the bits are those of integers.
whole_numbers <- function(bits) {
  con <- rawConnection(writeBin(as.vector(bits), raw(), endian = "little"))
  on.exit(close(con))
  found <- read_values(con, "<i8", length(bits))
  replace(found, found == -2^63, NA)
}

# A matrix without the names of columns that R gives by itself.
as_matrix <- function(value) {
  if (is.data.frame(value) && !is_table(value)) names(value) <- sub("^[VX].*", "", names(value))
  value <- plain(as.matrix(value))
  if (is.logical(value)) value <- +value
  if (any(nzchar(colnames(value)))) value else `colnames<-`(value, NULL)
}

is_table <- function(frame) !all(grepl("^[VX]?[0-9]+$", names(frame)))

# Whether an object says that its numbers are counts or probabilities.
are_counts <- function(value) {
  if (inherits(value, "table") && (any(value < 0) || any(value != trunc(value)) && abs(sum(value) - 1) > 1e-9))
    bad_input("values are a table of neither counts nor probabilities; give unclass(x) if they are log f, and target(unclass(x), probabilities = TRUE) if they are f")
  inherits(value, "table")
}

are_numbers <- function(labels) !anyNA(suppressWarnings(as.numeric(labels)))
as_numbers <- function(labels) if (are_numbers(labels)) number_text(as.numeric(labels)) else labels

# The labels of an axis as a table shows them: numbers, or words, which begin with a letter or are in quotes.
words <- function(labels) ifelse(are_numbers(labels) | grepl("^[[:alpha:]]", labels) & !tolower(labels) %in% c("na", "nan", "inf", "infinity"), labels, paste0("'", labels, "'"))

# The space of an array: its sides, without those of length one; the labels along them, from 0 if there are
# none; its axes; whether anything has a name, and whether all labels are numbers.
labelled <- function(array) {
  shape <- dim_of(array)
  kept <- if (any(shape > 1)) which(shape > 1) else 1L
  labels <- if (is.null(dim(array))) list(names(array)) else dimnames(array)
  sides <- lapply(kept, function(k) if (is.null(labels[[k]])) number_text(seq_len(shape[k]) - 1) else as_numbers(labels[[k]]))
  for (side in sides) if (anyDuplicated(side)) bad_input("two states have the name ", side[anyDuplicated(side)], "; give each a name of its own")
  numeric <- are_numbers(unlist(sides))
  axes <- if (length(kept) == 1 && !numeric) "state" else paste0("x", seq_along(kept) - 1)
  own <- c(names(labels)[kept], rep("", length(kept)))[seq_along(kept)]
  list(shape = shape[kept], sides = sides, axes = ifelse(nzchar(own), own, axes), is_named = any(nzchar(own)) || length(unlist(labels[kept])) > 0, numeric = numeric)
}

# The labels of an axis in the order of the program: numbers in theirs, and words as they first stand.
in_program <- function(side) if (are_numbers(side)) order(as.numeric(side)) else if (identical(tolower(side), c("true", "false"))) 2:1 else seq_along(side)

# A table with a row for each state: its axes, and the column log_f.
state_columns <- function(array) {
  of <- labelled(array)
  stats::setNames(c(expand.grid(lapply(of$sides, words), stringsAsFactors = FALSE), list(as.vector(array))), make.unique(c(of$axes, "log_f")))
}

# The space of a toy, with the names of its states in the order of R, and the state of R with each number of
# the program, which knows the names or (is_named = FALSE) does not.
space_of <- function(toy) {
  own <- if (inherits(toy, "breadboard_target")) toy else list(values = if (is_array(toy)) plain(toy) else toy)
  if (is.numeric(own$values) && is.null(own$edges)) {
    space <- labelled(own$values)
    space$is_named <- space$is_named && is.null(own$states)
    space$labels <- if (space$is_named) do.call(paste, c(expand.grid(space$sides), sep = ",")) else names(own$values)
    space$orders <- if (space$is_named) lapply(space$sides, in_program) else lapply(space$shape, seq_len)
  } else {
    ask <- function(what) breadboard("export", toy = toy, arrays = what, progress = FALSE)[[what]]
    labels <- tryCatch(as.vector(ask("labels")), breadboard_bad_input = function(condition) NULL)
    space <- list(shape = ask("shape"), axes = if (any(grepl("=", labels))) sub("=.*", "", strsplit(labels[1], ",")[[1]]) else "state")
    if (!is.character(toy) || !all(grepl("^[0-9, ;]+$", labels))) space$labels <- gsub("(^|,)[^=,]*=", "\\1", labels) # else these count
    space$is_named <- !is.null(space$labels)
    space$numeric <- are_numbers(unlist(strsplit(as.character(space$labels), ",")))
    space$orders <- lapply(space$shape, seq_len)
  }
  space$order <- as.vector(aperm(do.call(`[`, c(list(array(seq_len(prod(space$shape)), space$shape)), space$orders, drop = FALSE))))
  space
}

# Names of states that may be used, in the order of R: those that the states have, or else their indices,
# their numbers in the program, or their coordinates.
names_of_states <- function(space) {
  if (is.null(space)) return()
  if (space$is_named) return(list(space$labels))
  list(space$labels, number_text(seq_along(space$order)), number_text(order(space$order) - 1), coordinates(space$shape))
}

coordinates <- function(shape) do.call(paste, expand.grid(lapply(shape, seq_len)))

# A matrix or a row of it without names, in which the states have the order of one of several vectors of
# names. Names of states that have none (must = FALSE) may be any, if rows and columns have the same.
in_order <- function(p, known, must, what = "the kernel") {
  sides <- lapply(unname(Filter(Negate(is.null), if (is.matrix(p)) dimnames(p) else list(names(p)))), as_numbers)
  if (!length(sides)) return(p)
  p <- unname(p)
  labels <- Find(function(labels) setequal(sides[[1]], labels), lapply(known, as_numbers))
  if (is.null(labels) && !must && length(unique(sides)) == 1 && !are_numbers(sides[[1]])) return(p)
  for (its in sides) if (is.null(labels) || anyDuplicated(its) || !setequal(its, labels))
    bad_input(what, " names the states ", some_of(its), ", and they are ", some_of(Find(length, known)), "; give each the name of one state, or give no names")
  at <- lapply(sides, match, x = labels)
  if (!is.matrix(p)) return(p[at[[1]]])
  if (length(at) == 1 && is.unsorted(at[[1]])) bad_input("a matrix of ", what, " has names of its rows or its columns alone, in another order than the states; name rows and columns")
  p[at[[1]], at[[length(at)]], drop = FALSE]
}
