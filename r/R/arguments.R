# What stands for a target, a kernel or records in R, as words that the program reads.

SELECTORS <- c("toy", "kernel", "initial", "start", "schedule")
RECORDS <- c("forward", "reverse", "transitions", "estimates")

target <- function(values, probabilities = FALSE, edges = NULL, name = "array", states = NULL) {
  if (!grepl("^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,63}$", name))
    bad_input("name = \"", name, "\"; a name has at most 64 letters, digits, hyphens, underscores and points")
  if (!is.numeric(values) && !of_states(values))
    bad_input("values = is not numeric; give log f, or probabilities, as an array, or a data frame with a row for each state and a column lp or prob")
  if (!is.null(states)) {
    if (!is.null(dim(states))) bad_input("states = is a table; give a list of its rows, as in lapply(seq_len(nrow(s)), function(i) s[i, ])")
    if (length(states) != length(values) || !is.null(dim(values))) bad_input("states = has ", length(states), " states; give as many values, a vector; values = has ", length(values))
    states <- as.list(states)
    if (is.null(names(values))) names(values) <- make.unique(vapply(states, function(state) if (is.atomic(state) && length(state) == 1) label_of(state) else paste(deparse(state, 500), collapse = " "), ""), " #")
    keys <- tryCatch(vapply(states, state_key, ""), breadboard_refused = function(condition) bad_input("states = has an object that cannot be compared with others; give vectors or lists"))
    if (anyDuplicated(keys)) bad_input("the state ", names(values)[match(keys[duplicated(keys)], keys)[1]], " is given twice")
  }
  if (is.numeric(values) && anyDuplicated(names(values))) bad_input("two states have the name ", names(values)[anyDuplicated(names(values))])
  if (!is.null(edges)) {
    edges <- as.matrix(edges)
    if (ncol(edges) != 2 || is.null(names(values))) bad_input("edges = needs two columns of labels, and values = a name for each value, its label")
    edges <- array(texts(edges), dim(edges))
    if (length(odd <- setdiff(edges, names(values)))) bad_input("edges = has the state ", odd[1], ", for which values = has no value")
    edges <- rbind(edges, cbind(setdiff(names(values), edges), rep("", length(setdiff(names(values), edges))))) # without neighbours
  }
  structure(list(values = values, probabilities = probabilities, edges = edges, name = name, states = states), class = "breadboard_target")
}

# Whether values are a data frame with a row for each state: one column is log f or f, and the
# others are axes.
of_states <- function(values) {
  names <- c("lp", "logp", "log_prob", "log_f", "g", "prob", "p", "density", "count")
  is.data.frame(values) && any(gsub("_+$", "", tolower(names(values))) %in% names)
}

# The words of one command. given holds the files and the functions behind them until the command
# has ended.
words_of <- function(given, words, flags) {
  given$toy <- flags$toy
  flags <- flags[!vapply(flags, function(value) is.null(value) || identical(value, FALSE), NA)]
  command <- character()
  for (word in words) {
    if (length(command) > 1 && command[1] == "samplers" && command[2] == "diagnose" || takes_draws(command)) {
      draws <- draws_of(given, word, flags)
      flags <- draws$flags
      thin <- attr(if (inherits(word, "mcmc.list")) word[[1]] else word, "mcpar")[3]
      if (identical(command[2], "chain") && !is.null(flags$kernel) && is.null(flags$thin) && isTRUE(thin > 1)) flags$thin <- thin
      word <- draws$words
    } else if (identical(command, c("conform", "estimates")) || identical(command, c("conform", "ranks"))) word <- records(given, command[2], word)
    else if (inherits(word, "breadboard_model")) word <- serve_function(given, word, "model")
    else if (!is.character(word) && !(is.numeric(word) && length(word) == 1)) {
      if (!identical(command[1], "kernel") && !identical(command, "network")) bad_input("what is of class ", class(word)[1], " is given by name, as in toy = x")
      word <- if (identical(command, "network")) one_selector(given, "toy", word) else selectors(given, "kernel", word)
    }
    command <- c(command, as.character(word))
  }
  c(command, unlist(Map(function(name, value) flag_words(given, name, value), names(flags), flags), use.names = FALSE)) # a name may come twice
}

takes_draws <- function(command) identical(command[1:2], c("conform", "draws")) || identical(command[1:2], c("conform", "chain"))

# A value is joined to its flag, so that one that begins with a dash is no flag.
flag_words <- function(given, name, value) {
  flag <- if (nchar(name) == 1) paste0("-", name) else paste0("--", gsub("_", "-", name))
  value <- flag_value(given, name, value)
  if (isTRUE(value)) return(flag)
  each <- if (name %in% REPEATED) texts(value) else joined(value)
  if (nchar(name) == 1) as.vector(rbind(flag, each)) else paste0(flag, "=", each)
}

flag_value <- function(given, name, value) {
  if (is.atomic(value) && !is.numeric(value) && anyNA(value)) bad_input(name, " = is NA")
  if (nchar(name) == 1 && (is.logical(value) || anyNA(value))) bad_input(name, " = is ", as.character(value)[1], "; give numbers")
  if (name == "hmm" && is.list(value)) return(hmm_file(given, value))
  if (name %in% SELECTORS) return(selectors(given, name, value))
  if (name %in% RECORDS) return(records(given, name, value))
  if (name == "law") return(law_file(given, value))
  if (name == "map" && !is.null(names(value))) return(csv_file(given, "map", list(name = names(value), state = texts(value))))
  if (name %in% c("evidence", "hide") && !is.null(names(value))) value <- paste(names(value), texts(value), sep = "=")
  if (name %in% c("evidence", "hide")) return(paste(texts(value), collapse = "+"))
  if (!is.atomic(value)) bad_input(name, " = is of class ", class(value)[1], "; give a text, numbers or TRUE")
  value
}

texts <- function(value) if (is.numeric(value)) number_text(value) else as.character(value)

# The parts of a list are quoted if they have a comma.
joined <- function(value) {
  parts <- texts(value)
  if (length(parts) == 1) return(parts)
  odd <- grepl("[\",\n]", parts)
  parts[odd] <- paste0("\"", gsub("\"", "\"\"", parts[odd]), "\"")
  paste(parts, collapse = ",")
}

# Selectors for the value of an argument, which may be a list of several, with names for the tables.
selectors <- function(given, name, value) {
  if (name == "toy" && is_hmm(value)) return(one_selector(given, name, value))
  if (is.character(value) && is.null(names(value))) return(value)
  if (is.data.frame(value) || !is.list(value) && !is.character(value) || is.object(value)) return(one_selector(given, name, value))
  labels <- names(value)
  vapply(seq_along(value), function(i) {
    one <- value[[i]]
    label <- if (!is.null(labels) && nzchar(labels[i])) labels[i]
    if (name == "toy" && !is_hmm(one) && (is.numeric(one) || of_states(one)))
      return(one_selector(given, name, target(one, name = if (is.null(label)) paste0("array", i - 1) else label)))
    paste(c(if (!inherits(one, "breadboard_target") || name != "toy") label, one_selector(given, name, one)), collapse = "=")
  }, "")
}

one_selector <- function(given, name, value) {
  if (is.character(value)) return(value)
  if (is.function(value) && name == "kernel") return(serve_function(given, value, name))
  if (name == "toy" && is_hmm(value)) return(paste0("hmm:", hmm_file(given, value)))
  if (name == "toy" && of_states(value)) value <- target(value)
  if (is.data.frame(value)) value <- as.matrix(value)
  if (inherits(value, "Matrix") && requireNamespace("Matrix", quietly = TRUE)) {
    if (name == "kernel" && inherits(value, "sparseMatrix")) return(sparse_file(given, value))
    value <- as.matrix(value)
  }
  if (is.numeric(value)) value <- target(unclass(value))
  if (!inherits(value, "breadboard_target"))
    bad_input(name, " = is of class ", class(value)[1], "; give a selector, such as \"barrier\" for a toy, or an array",
      if (name == "kernel") paste0(", or a function: ", FORMS) else if (is.function(value)) "; of a function give its values")
  v <- value$values
  if (name == "kernel") {
    order <- program_order(given, v)
    if (is.null(order)) order <- list(seq_len(NROW(v)), seq_len(NCOL(v)))
    if (length(dim(v)) == 3) return(stage_files(given, v, order))
    if (length(dim(v)) == 2 && nrow(v) == ncol(v)) value$values <- v[order[[1]], order[[2]], drop = FALSE]
  } else if (is.numeric(v) && length(wrong <- which(is.na(v) | v == Inf | value$probabilities & v < 0)))
    bad_input(name, " = is ", v[wrong[1]], " at [", toString(if (is.null(dim(v))) wrong[1] else arrayInd(wrong[1], dim(v))), "]; ",
      if (value$probabilities) "a probability is a finite number, 0 or more" else "log f is a finite number, or -Inf if f is zero")
  path <- new_file(given, name)
  selector <- target_files(value, path, name)
  if (name == "toy") return(paste0(value$name, "=", selector))
  given$named[selector] <- value$name
  selector
}

# The rows and the columns of a transition matrix that are the states in the order of the program:
# row by row if the toy has several sides, and by name if the matrix has names and the toy has them, or
# the names are its numbers.
program_order <- function(given, kernel) {
  toy <- given$toy
  if (is.list(toy) && !is.object(toy) && length(toy) == 1) toy <- toy[[1]]
  n <- nrow(kernel)
  if (is.null(n) || is.null(toy) || is.list(toy) && !is.object(toy) || length(toy) == 1 && is.numeric(toy)) return()
  space <- tryCatch(space_of(toy), breadboard_bad_input = function(condition) NULL) # else the command says what is wrong
  shape <- space$shape
  names <- list(rownames(kernel), colnames(kernel))
  labels <- sub("^[^=]*=", "", as.character(space$labels)) # of a data frame, "weather=sun"
  counted <- !length(labels) || is.character(toy) && identical(labels, as.character(seq_along(labels) - 1))
  if (counted) labels <- as.character(seq_len(n) - "0" %in% names[[1]])
  if (length(shape) == 1) stop_if_half_named(names, labels)
  if (length(shape) == 1 && !any(vapply(names, is.null, NA)) && (!counted || setequal(names[[1]], labels))) {
    all <- c(names, list(labels))
    for (k in 1:3) if (anyDuplicated(all[[k]])) bad_input("the ", c("rows of the kernel", "columns of the kernel", "states of the toy")[k], " have the name ", all[[k]][anyDuplicated(all[[k]])], " twice; give each a name of its own")
    for (k in 1:2) if (!setequal(names[[k]], labels)) bad_input("the ", c("rows", "columns")[k], " of the kernel have other names, ", toString(names[[k]]), ", than the states of the toy, ", toString(labels))
    return(lapply(names, match, x = labels))
  }
  if (length(shape) > 1 && prod(shape) == n) rep(list(as.vector(aperm(array(seq_len(n), shape)))), 2)
}

# Names of the rows alone, or of the columns, say no order if it is not that of the states.
stop_if_half_named <- function(names, labels) for (its in names)
  if (any(lengths(names) == 0) && setequal(its, labels) && any(its != labels)) bad_input("a matrix of the kernel has names of its rows or its columns alone, in another order than the states; name both")

# The files of transition matrices P[, , t - 1], one for each stage t from 2 on.
stage_files <- function(given, P, order) {
  if (dim(P)[1] != dim(P)[2]) bad_input("kernel = is an array of ", paste(dim(P), collapse = " x "), "; give n x n x (T - 1), a matrix for each stage from 2 on")
  path <- new_file(given, "kernel")
  for (t in seq_len(dim(P)[3])) write_npy(matrix(P[order[[1]], order[[2]], t], nrow(P)), paste0(path, "_", t + 1, ".npy"))
  selector <- paste0("matrix:", path, "_{t}.npy")
  given$named[selector] <- "array"
  selector
}

# A sparse matrix of the package Matrix as a file of MatrixMarket.
sparse_file <- function(given, value) {
  for (kind in c("dMatrix", "generalMatrix", "CsparseMatrix")) value <- methods::as(value, kind)
  at <- list(value@i + 1, rep(seq_len(ncol(value)), diff(value@p)))
  order <- program_order(given, value)
  if (!is.null(order)) at <- Map(match, at, order)
  path <- paste0(new_file(given, "kernel"), ".mtx")
  writeLines(c("%%MatrixMarket matrix coordinate real general", paste(nrow(value), ncol(value), length(value@x)),
    paste(number_text(at[[1]]), number_text(at[[2]]), sprintf("%#.17g", value@x))), path) # zeros say that no digit is missing
  given$named[paste0("matrix:", path)] <- "array"
  paste0("matrix:", path)
}

HMM <- c("initial", "transition", "emission", "observations")

is_hmm <- function(value) is.list(value) && !is.object(value) && all(HMM[2:3] %in% names(value))

# A hidden Markov model as a file. Rows of the emission matrix are hidden states; its names are those
# of the states and symbols. Observations are columns of it from 1, or their names.
hmm_file <- function(given, model) {
  wrong <- c(setdiff(names(model), HMM), setdiff(HMM, names(model)))
  if (length(wrong)) bad_input("a hidden Markov model is list(initial, transition, emission, observations); yours has ", if (wrong[1] %in% HMM) "no ", wrong[1])
  numbers <- lapply(model[HMM[1:3]], function(v) if (is.data.frame(v)) as.matrix(v) else v)
  for (name in HMM[1:3]) if (!is.numeric(numbers[[name]]) || anyNA(numbers[[name]]) || is.matrix(numbers[[name]]) != (name != "initial"))
    bad_input(name, " of the hidden Markov model is no ", if (name == "initial") "vector" else "matrix", " of numbers")
  symbols <- colnames(numbers$emission)
  y <- model$observations
  at <- if (is.numeric(y)) y else match(as.character(y), symbols)
  odd <- which(!at %in% seq_len(ncol(numbers$emission)))
  if (length(odd)) bad_input("observation ", odd[1], " is ", as.character(y)[odd[1]], "; observations count from 1 to ", ncol(numbers$emission),
    " in R", if (!is.null(symbols)) paste0(", or are of ", toString(symbols)))
  parts <- c(vapply(HMM[1:3], function(name) answer_text(numbers[[name]], if (name == "initial") "vector" else "matrix"), ""), observations = json_numbers(at - 1))
  for (side in 1:2) if (!is.null(its <- dimnames(numbers$emission)[[side]]))
    parts[c("states", "symbols")[side]] <- paste0("[", paste0("\"", gsub("([\"\\\\])", "\\\\\\1", enc2utf8(its)), "\"", collapse = ","), "]")
  path <- paste0(new_file(given, "hmm"), ".json")
  writeLines(paste0("{", paste0("\"", names(parts), "\":", parts, collapse = ","), "}"), path, useBytes = TRUE)
  given$named[basename(path)] <- "hmm"
  path
}

# Writes the files of a target, and returns the selector that names them.
target_files <- function(target, path, name) {
  kind <- if (target$probabilities) "prob" else "file"
  labels <- dimnames(target$values)
  with_axes <- !is.data.frame(target$values) && !is.null(names(labels)) && !any(vapply(labels, is.null, NA)) && all(nzchar(names(labels)))
  if (name == "toy" && is.null(target$edges) && (is.data.frame(target$values) || with_axes)) {
    columns <- if (with_axes) as.data.frame(as.table(target$values), responseName = "log_f", stringsAsFactors = FALSE) else target$values
    write_csv(lapply(as.list(columns), function(column) if (is.factor(column)) as.character(column) else column), paste0(path, ".csv"))
    return(paste0(kind, ":", path, ".csv", if (with_axes) ":lp=log_f"))
  }
  by_label <- !is.null(target$edges) || name %in% c("initial", "start") && !is.null(names(target$values))
  if (by_label) write_csv(list(names(target$values), target$values), paste0(path, "_labels.csv"), head = FALSE)
  else write_npy(target$values, paste0(path, ".npy"))
  if (!is.null(target$edges)) {
    write_csv(list(target$edges[, 1], target$edges[, 2]), paste0(path, "_edges.csv"), head = FALSE)
    return(paste0("graph:", path, "_edges.csv:", if (target$probabilities) "prob:", path, "_labels.csv"))
  }
  paste0(if (name == "kernel") "matrix" else kind, ":", path, if (by_label) "_labels.csv" else ".npy")
}

# A file of records: columns are written to one, and numbers are estimates.
records <- function(given, name, value) {
  if (inherits(value, "SBC_results")) value <- value$stats
  if (is.list(value) && is.null(names(value)) && length(value) && all(lengths(value) == 1)) value <- unlist(value)
  if (is.matrix(value)) {
    if (is.null(colnames(value))) colnames(value) <- paste0(sub("s$", "", name), "_", seq_len(ncol(value)))
    value <- as.data.frame(value)
  }
  if (is.numeric(value) && (name == "ranks" || name == "estimates" && length(value) > 1)) value <- if (name == "ranks") list(rank = value) else list(log_z = value)
  if (is.list(value)) return(csv_file(given, name, value))
  if (!is.character(value) && (!is.numeric(value) || is.object(value)))
    bad_input(name, " = is of class ", class(value)[1], "; give numbers, a data frame, a list of columns, or a file", if (is.function(value)) ", which a function returns")
  value
}

law_file <- function(given, law) {
  if (is.character(law) && length(law) == 1 && is.null(names(law))) return(law)
  if (is.data.frame(law)) {
    at <- names(law) %in% c("label", "state", "outcome")
    if (length(law) != 2 || sum(at) != 1 || !names(law)[!at] %in% c("probability", "prob", "p"))
      bad_input("law = has the columns ", toString(names(law)), "; name them label and probability, or give probabilities with the labels as names")
    law <- stats::setNames(law[[which(!at)]], law[[which(at)]])
  }
  law <- probabilities(law, "law", named = FALSE)
  labels <- if (is.null(names(law))) seq_along(law) - identical(given$base, 0) else names(law)
  csv_file(given, "law", list(label = labels, probability = as.vector(law)))
}

new_file <- function(given, name) {
  given$files <- given$files + 1L
  file.path(given$folder, paste0(name, given$files))
}

csv_file <- function(given, name, columns) {
  path <- paste0(new_file(given, name), ".csv")
  write_csv(columns, path)
  path
}

# Columns of one length, in full precision and with the labels of factors.
write_csv <- function(columns, path, head = TRUE) {
  if (!length(columns)) bad_input("there are no columns")
  sizes <- lengths(columns)
  if (length(unique(sizes)) != 1) bad_input("the columns have different lengths: ", paste(names(columns), sizes, collapse = ", "))
  cells <- lapply(columns, function(column) {
    if (!is.atomic(column)) bad_input("a column is of class ", class(column)[1], "; give a vector")
    text <- enc2utf8(texts(column))
    odd <- grepl("[\",\n]|^\\s|\\s$", text)
    text[odd] <- paste0("\"", gsub("\"", "\"\"", text[odd]), "\"")
    text
  })
  rows <- do.call(paste, c(unname(cells), sep = ","))
  writeLines(c(if (head) paste(enc2utf8(names(columns)), collapse = ","), rows), path, useBytes = TRUE)
}
