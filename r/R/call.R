# Runs the commands of the program.

breadboard <- function(..., progress = interactive()) {
  given <- list(...)
  named <- if (is.null(names(given))) rep(FALSE, length(given)) else nzchar(names(given))
  run_command(given[!named], given[named], progress)
}

run_command <- function(words, flags, progress) {
  given <- new.env()
  given$folder <- new_folder()
  given$files <- 0L
  given$named <- character()
  given$answers <- given$open <- list()
  on.exit({
    close_pipes(given)
    unlink(given$folder, recursive = TRUE)
  })
  is_export <- length(words) && identical(words[[1]], "export")
  wanted <- flags$format
  if (is.null(wanted) && is.null(flags$latex)) flags$format <- if (!is_export) "json" else if (is.null(flags$out)) "npz"
  said <- words_of(given, words, flags)
  ran <- follow(said, given$folder, progress, function() serve_all(given))
  says <- function(text) in_states(given, shown(given, text))
  messages <- says(ran$messages)
  if (ran$code != 0 && !is.null(given$raised)) stop(given$raised)
  if (ran$code == 0 && is_export && is.null(flags$out) && is.null(wanted)) return(with_notes(exported(given, read_npz(ran$out)), messages))
  text <- shown(given, paste(readLines(ran$out, warn = FALSE, encoding = "UTF-8"), collapse = "\n"))
  if (ran$code == 0 && !nzchar(text) && !length(messages)) bad_input(find_program(), " has printed nothing; is it breadboard?")
  rows <- if (identical(flags$format, "json")) with_notes(table_of(text), messages) else data.frame()
  for (name in names(rows)[vapply(rows, is.character, NA)]) rows[[name]] <- in_states(given, rows[[name]])
  if (ran$code != 0) {
    parts <- unlist(ran$error[c("error", "hint")])
    fail(ran$code, messages, rows, said, if (length(parts)) says(c(paste(parts[nzchar(parts)], collapse = "; "), paste0("; ", parts[["hint"]]))))
  }
  if (!startsWith(text, "[") || !identical(flags$format, "json")) return(structure(text, class = "breadboard_text", notes = messages))
  attr(rows, "run") <- list(words = words, flags = flags)
  class(rows) <- c("breadboard_rows", "data.frame")
  rows
}

# Arrays of an export, in which kernels are matrices, sparse if they were asked for as entries, and
# have the states in the order of R.
exported <- function(given, arrays) {
  for (name in sub("_data$", "", grep("^kernel_[0-9]+_data$", names(arrays), value = TRUE))) if (requireNamespace("Matrix", quietly = TRUE)) {
    parts <- paste0(name, c("_data", "_indices", "_indptr"))
    ends <- arrays[[parts[3]]]
    entries <- Matrix::sparseMatrix(rep(seq_along(ends[-1]), diff(ends)), arrays[[parts[2]]] + 1, x = arrays[[parts[1]]], dims = rep(length(ends) - 1, 2))
    arrays <- c(arrays[setdiff(names(arrays), parts)], if (is.null(arrays[[name]])) stats::setNames(list(entries), name))
  }
  if (all(names(arrays) %in% c("labels", "shape")) || is.null(space <- space_given(given))) return(arrays)
  back <- order(space$order)
  lapply(stats::setNames(names(arrays), names(arrays)), function(name) {
    array <- arrays[[name]]
    if (grepl("^kernel_[0-9]+$", name)) return(array[back, back])
    lead <- length(dim_of(array)) - length(space$shape)
    if (lead < 0 || any(dim_of(array)[lead + seq_along(space$shape)] != space$shape)) return(array)
    do.call(`[`, c(list(array), rep(list(TRUE), lead), lapply(space$orders, order), drop = FALSE))
  })
}

# The matrix of a kernel, with the names of states or the coordinates of a grid.
transition <- function(kernel, toy = NULL, ..., states = NULL, log_f = NULL) {
  toy <- own_target(toy, states, log_f)
  if (length(dim(kernel)) == 2) kernel <- simplify2array(list(as_matrix(kernel))) # of its only stage
  P <- breadboard("export", toy = toy, T = 2, kernel = kernel, arrays = "kernel_dense", ..., progress = FALSE)$kernel_2
  space <- space_of(only_toy(toy))
  labels <- if (is.null(space$labels) && length(space$shape) > 1) coordinates(space$shape) else space$labels
  if (length(labels) == nrow(P)) dimnames(P) <- list(from = labels, to = labels)
  P
}

own_target <- function(toy, states, log_f, needed = TRUE) {
  if (!needed && is.null(toy) && is.null(states) && is.null(log_f)) return()
  if (is.null(toy) == is.null(log_f) || is.null(log_f) && !is.null(states)) bad_input("give a toy, or log_f = , a number for each state, with states = if they are neither its names nor indices from 1")
  if (is.null(toy)) target(log_f, states = states) else toy
}

# A folder whose path selectors take as it is: TMPDIR may have blanks, commas and colons.
new_folder <- function() {
  bases <- c(tempdir(), "/tmp", "/var/tmp", "/dev/shm")
  fit <- .Platform$OS.type == "windows" | !grepl("[^A-Za-z0-9/._-]", bases) & file.access(bases, 2) == 0
  if (!any(fit)) bad_input("the folder for temporary files, ", tempdir(), ", has a path with other characters than letters, digits and ._-; start R with another TMPDIR")
  folder <- tempfile("breadboard-", bases[fit][1])
  dir.create(folder, mode = "0700")
  folder
}

with_notes <- function(x, messages) {
  attr(x, "notes") <- messages
  x
}

# A text with the names of functions and arrays in place of the files that stand for them, and rows
# from 1 in place of their lines, of which the first one is a head but for labels and edges.
shown <- function(given, text) {
  for (selector in names(given$named)) text <- gsub(selector, given$named[[selector]], text, fixed = TRUE)
  if (is.data.frame(only_toy(given$toy))) for (kind in c(prob = "prob", file = "lp"))
    text <- gsub(paste0(if (kind == "lp") "file" else kind, ":PATH:lp=([^ ,;]+)"), sprintf("names(x)[names(x) == \"\\1\"] <- \"%s\"", kind), text)
  file <- paste0("\\Q", given$folder, "/\\E(?:([a-z]+)[0-9]+(?:_[0-9]+)?(_[a-z]+)?[.](?:csv|npy|mtx|json)\\b(?:[,:] line ([0-9]+)(?: \\(row [0-9]+\\))?)?)?")
  found <- gregexpr(file, text, perl = TRUE)
  regmatches(text, found) <- lapply(regmatches(text, found), function(places) {
    row <- suppressWarnings(as.numeric(sub(file, "\\3", places, perl = TRUE))) - !nzchar(sub(file, "\\2", places, perl = TRUE))
    paste0(sub(file, "\\1", places, perl = TRUE), ifelse(is.na(row) | row < 1, "", paste0(", row ", row)))
  })
  text
}

# A text in which the states of an array are indices and coordinates from 1, or names.
in_states <- function(given, text) {
  number <- "[0-9]+(?: \\[[0-9 ]+\\])?"
  found <- gregexpr(paste0("\\bstates? ", number, "(?:,? (?:and|to|from) (?:state )?", number, ")*"), text, perl = TRUE)
  if (!any(vapply(found, `[`, 1L, 1) > 0, na.rm = TRUE)) return(text)
  space <- space_given(given)
  if (is.null(space) || space$is_named) return(text)
  regmatches(text, found) <- lapply(regmatches(text, found), function(states) {
    numbers <- gregexpr(number, states, perl = TRUE)
    regmatches(states, numbers) <- lapply(regmatches(states, numbers), vapply, state_text, "", space = space)
    states
  })
  text
}

state_text <- function(number, space) {
  at <- space$order[as.numeric(sub(" .*", "", number)) + 1]
  if (length(space$shape) == 1 && is.character(space$labels) && at <= length(space$labels)) return(space$labels[at])
  paste0(at, if (length(space$shape) > 1 && grepl("[", number, fixed = TRUE)) paste0(" [", paste(arrayInd(at, space$shape), collapse = " "), "]"))
}
