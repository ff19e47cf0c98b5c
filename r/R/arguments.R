# What stands for a target, a kernel or records in R, as words that the program reads.

SELECTORS <- c("toy", "kernel", "initial", "start", "schedule", "path")
RECORDS <- c("forward", "reverse", "transitions", "estimates")

target <- function(values, probabilities = FALSE, edges = NULL, name = "array", states = NULL) {
  if (!grepl("^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,63}$", name))
    bad_input("name = \"", name, "\"; a name has at most 64 letters, digits, hyphens, underscores and points")
  if (inherits(values, "ftable")) values <- as.table(values)
  probabilities <- probabilities || are_counts(values)
  values <- plain(values)
  if (is.logical(values)) values <- +values
  if (!is.numeric(values) && !is.data.frame(values))
    bad_input("values = is not numeric; give log f, or probabilities, as an array, or a data frame with a row for each state and a column lp or prob")
  if (!is.null(states)) {
    if (!is.null(dim(states))) bad_input("states = is a table; give a list of its rows, as in lapply(seq_len(nrow(s)), function(i) s[i, ])")
    if (length(states) != length(values) || !is.null(dim(values))) bad_input("states = has ", length(states), " states; give as many values, a vector; values = has ", length(values))
    states <- as.list(states)
    if (is.null(names(values))) names(values) <- make.unique(vapply(states, function(state) if (is.atomic(state) && length(state) == 1) label_of(state) else paste(deparse(state, 500), collapse = " "), ""), " #")
    keys <- tryCatch(vapply(states, state_key, ""), breadboard_refused = function(condition) bad_input("states = has an object that cannot be compared with others; give vectors or lists"))
    if (anyDuplicated(keys)) bad_input("the state ", names(values)[match(keys[duplicated(keys)], keys)[1]], " is given twice")
  }
  if (!is.null(edges)) {
    edges <- as.matrix(edges)
    if (ncol(edges) != 2 || is.null(names(values))) bad_input("edges = needs two columns of labels, and values = a name for each value, its label")
    edges <- array(texts(edges), dim(edges))
    if (length(odd <- setdiff(edges, names(values)))) bad_input("edges = has the state ", odd[1], ", for which values = has no value")
    edges <- rbind(edges, cbind(setdiff(names(values), edges), rep("", length(setdiff(names(values), edges))))) # without neighbours
  }
  structure(list(values = values, probabilities = probabilities, edges = edges, name = name, states = states), class = "breadboard_target")
}

# The words of one command. given holds the files and the functions behind them until the command
# has ended.
words_of <- function(given, words, flags) {
  if (is.list(flags$toy) && !is.object(flags$toy) && all(vapply(flags$toy, function(one) is.numeric(one) && length(one) == 1, NA))) flags$toy <- unlist(flags$toy)
  given$toy <- flags$toy
  given$T <- flags[["T"]]
  flags <- flags[!vapply(flags, function(value) is.null(value) || identical(value, FALSE), NA)]
  command <- character()
  for (word in words) {
    called <- paste(utils::head(command, 2), collapse = " ")
    if (called %in% c("samplers diagnose", "conform draws", "conform chain")) {
      draws <- draws_of(given, word, flags)
      flags <- draws$flags
      thin <- attr(if (inherits(word, "mcmc.list")) word[[1]] else word, "mcpar")[3]
      if (called == "conform chain" && !is.null(flags$kernel) && is.null(flags$thin) && isTRUE(thin > 1)) flags$thin <- thin
      word <- draws$words
    } else if (length(command) == 2 && called %in% c("conform estimates", "conform ranks")) word <- records(given, command[2], word)
    else if (inherits(word, "breadboard_model")) word <- serve_function(given, word, "model")
    else if (!is.character(word) && !(is.numeric(word) && length(word) == 1)) {
      if (called != "network" && !identical(command[1], "kernel")) bad_input("what is of class ", class(word)[1], " is given by name, as in toy = x")
      word <- if (called == "network") one_selector(given, "toy", word) else selectors(given, "kernel", word)
    }
    command <- c(command, as.character(word))
  }
  c(command, unlist(Map(function(name, value) flag_words(given, name, value), names(flags), flags), use.names = FALSE)) # a name may come twice
}

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
  if (name %in% c("evidence", "hide") && !is.null(names(value))) {
    if (any(lengths(value) != 1)) bad_input(name, " = has several values of ", names(value)[lengths(value) != 1][1], "; give a row or a vector with a value of each variable")
    value <- paste(names(value), if (is.list(value)) vapply(value, texts, "") else texts(value), sep = "=")
  }
  if (name %in% c("evidence", "hide")) return(paste(texts(value), collapse = "+"))
  if (!is.atomic(value)) bad_input(name, " = is of class ", class(value)[1], "; give a text, numbers or TRUE")
  value
}

texts <- function(value) if (is.numeric(value)) number_text(plain(value)) else as.character(value)

# The parts of a list are quoted if they have a comma.
joined <- function(value) if (length(value) == 1) texts(value) else paste(cells(value), collapse = ",")

# Selectors for the value of an argument, which may be a list of several, with names for the tables.
selectors <- function(given, name, value) {
  if (is.character(value) && is.null(names(value)) && is.null(dim(value))) return(value)
  if (is.object(value) || !is.list(value) && !is.character(value) || !is.null(dim(value)) || name == "toy" && is_hmm(value)) return(one_selector(given, name, value))
  labels <- names(value)
  vapply(seq_along(value), function(i) {
    one <- value[[i]]
    label <- if (!is.null(labels) && nzchar(labels[i])) labels[i]
    if (name == "toy" && is_array(one))
      return(one_selector(given, name, target(one, name = if (is.null(label)) paste0("array", i - 1) else label)))
    paste(c(if (!inherits(one, "breadboard_target") || name != "toy") label, one_selector(given, name, one)), collapse = "=")
  }, "")
}

one_selector <- function(given, name, value) {
  if (name == "kernel" && is.data.frame(value)) value <- as_matrix(value)
  if (is.character(value) && !is.null(dim(value))) bad_input(name, " = is an array of texts; give numbers, with the names of states as names of rows, as in read.csv(FILE, row.names = 1)")
  if (is.character(value)) return(value)
  if (is.function(value) && name == "kernel") return(serve_function(given, value, name))
  if (name == "toy" && is_hmm(value)) return(paste0("hmm:", hmm_file(given, value)))
  if (name == "kernel" && is_array(value)) return(kernel_files(given, value))
  if (name == "path" && is_stages(given, value)) return(stages_file(given, value))
  if (is_array(value)) value <- target(value)
  if (!inherits(value, "breadboard_target"))
    bad_input(name, " = is of class ", class(value)[1], "; give a selector, such as \"barrier\" for a toy, or an array",
      if (name == "kernel") paste0(", or a function: ", FORMS) else if (is.function(value)) "; of a function give its values")
  v <- value$values
  if (is.numeric(v) && length(wrong <- which(is.na(v) | v == Inf | value$probabilities & v < 0)))
    bad_input(name, " = is ", v[wrong[1]], " at [", toString(if (is.null(dim(v))) wrong[1] else arrayInd(wrong[1], dim(v))), "]; ",
      if (value$probabilities) "a probability is a finite number, 0 or more" else "log f is a finite number, or -Inf if f is zero")
  selector <- target_files(given, value, name)
  if (name == "toy") return(paste0(value$name, "=", selector))
  given$named[selector] <- value$name
  selector
}

# The space of the only toy of a command, if it can be read; else the command says what is wrong.
space_given <- function(given) {
  toy <- only_toy(given$toy)
  if (is.null(toy) || is.list(toy) && !is.object(toy) || is.numeric(toy) && length(toy) == 1) return()
  tryCatch(space_of(toy), breadboard_bad_input = function(condition) NULL)
}

only_toy <- function(toy) if (is.list(toy) && !is.object(toy) && length(toy) == 1) toy[[1]] else toy

# Whether a path is log f at each of T stages and in no single one between: an array whose first side is T.
is_stages <- function(given, path) {
  toy <- only_toy(given$toy)
  size <- dim(path)
  is.numeric(path) && length(size) > 1 && size[1] %in% given$T && prod(size[-1]) > 1 &&
    !identical(size, dim(if (inherits(toy, "breadboard_target")) toy$values else toy))
}

# The file of a path of T stages, in which the states have the order of the program. They are columns of a
# matrix, in the order of R or with the names of the states, or the sides of the array of log f.
stages_file <- function(given, stages) {
  space <- space_given(given)
  if (is.null(space) && length(given$toy) != 1) bad_input("path = has log f of each state of one toy; give one, as in toy = x")
  sides <- dimnames(stages)[-1]
  n <- prod(dim(stages)[-1])
  at <- seq_len(n)
  if (length(sides) == 1 && !is.null(sides[[1]])) at <- in_order(stats::setNames(at, sides[[1]]), names_of_states(space), TRUE, "path")
  else if (length(unlist(sides)) && !identical(lapply(unname(sides), as_numbers), space$sides))
    bad_input("path = names other states than the toy, or in another order; give both the same dimnames, or none to path =")
  if (n == length(space$order)) at <- at[space$order]
  path <- paste0(new_file(given, "path"), ".npy")
  write_npy(matrix(stages, nrow(stages))[, at, drop = FALSE], path)
  given$named[paste0("file:", path)] <- "array"
  paste0("file:", path)
}

# The file of a transition matrix, or one for each stage t from 2 on of matrices P[, , t - 1].
kernel_files <- function(given, value) {
  space <- space_given(given)
  path <- new_file(given, "kernel")
  size <- dim(value)
  if (length(size) == 3 && size[1] != size[2]) bad_input("kernel = is an array of ", paste(size, collapse = " x "), "; give n x n x (T - 1), a matrix for each stage from 2 on")
  if (length(size) != 3) ending <- write_kernel(value, path, space)
  else for (t in seq_len(size[3])) ending <- write_kernel(array(value[, , t], size[1:2], dimnames(value)[1:2]), paste0(path, "_", t + 1), space)
  selector <- paste0("matrix:", path, if (length(size) == 3) "_{t}", ending)
  given$named[selector] <- "array"
  selector
}

# Writes a matrix with its names, if the program knows the states by these, and else with the rows and the
# columns in the order of the program; sparse, if it is. Returns the ending of the file.
write_kernel <- function(value, path, space) {
  is_sparse <- inherits(value, "sparseMatrix") && !length(unlist(dimnames(value))) && requireNamespace("Matrix", quietly = TRUE)
  if (!is_sparse) value <- as_matrix(value)
  if (!is_sparse && isFALSE(space$is_named)) value <- in_order(value, names_of_states(space), must = !is.null(space$labels))
  if (length(unlist(dimnames(value)))) {
    sides <- lapply(1:2, function(k) if (is.null(dimnames(value)[[k]])) number_text(seq_len(dim(value)[k]) - 1) else as_numbers(dimnames(value)[[k]]))
    if (length(space$shape) == 1) sides <- lapply(sides, words)
    columns <- as.data.frame(array(sprintf("%.16e", value), dim(value))) # all digits
    write_csv(stats::setNames(c(sides[1], columns), c("", sides[[2]])), paste0(path, ".csv"))
    return(".csv")
  }
  if (nrow(value) == ncol(value) && nrow(value) == length(space$order)) value <- value[space$order, space$order, drop = FALSE]
  if (!is_sparse) {
    write_npy(value, paste0(path, ".npy"))
    return(".npy")
  }
  for (kind in c("dMatrix", "generalMatrix", "CsparseMatrix")) value <- methods::as(value, kind)
  writeLines(c("%%MatrixMarket matrix coordinate real general", paste(nrow(value), ncol(value), length(value@x)),
    paste(number_text(value@i + 1), number_text(rep(seq_len(ncol(value)), diff(value@p))), sprintf("%#.17g", value@x))), paste0(path, ".mtx")) # zeros say that no digit is missing
  ".mtx"
}

HMM <- c("initial", "transition", "emission", "observations")

is_hmm <- function(value) is.list(value) && !is.object(value) && all(HMM[2:3] %in% names(value))

# A hidden Markov model as a file. Rows of the emission matrix are hidden states; its names are those
# of the states and symbols. Observations are columns of it from 1, or their names.
hmm_file <- function(given, model) {
  wrong <- c(setdiff(names(model), HMM), setdiff(HMM, names(model)))
  if (length(wrong)) bad_input("a hidden Markov model is list(initial, transition, emission, observations); yours has ", if (wrong[1] %in% HMM) "no ", wrong[1])
  if (is.list(model$initial)) model$initial <- unlist(model$initial)
  parts <- lapply(model[HMM[1:3]], function(part) if (is.data.frame(part)) as_matrix(part) else plain(part))
  for (name in HMM[1:3]) if (!is.numeric(parts[[name]]) || anyNA(parts[[name]]) || is.matrix(parts[[name]]) != (name != "initial"))
    bad_input(name, " of the hidden Markov model is no ", if (name == "initial") "vector of numbers; give" else "matrix of numbers; give a row for each state of", " probabilities")
  rows <- rownames(parts$emission)
  states <- Find(length, c(list(names(parts$initial)), dimnames(parts$transition), list(rows)))
  symbols <- colnames(parts$emission)
  if (!is.null(states)) {
    for (name in HMM[1:2]) parts[[name]] <- in_order(parts[[name]], list(states), TRUE, paste(name, "of the hidden Markov model"))
    if (!is.null(rows)) parts$emission <- parts$emission[in_order(stats::setNames(seq_along(rows), rows), list(states), TRUE, "emission of the hidden Markov model"), , drop = FALSE]
  }
  y <- plain(unlist(model$observations))
  at <- if (is.numeric(y) && (is.null(symbols) || !are_numbers(symbols))) y else match(texts(y), as_numbers(symbols))
  odd <- which(!at %in% seq_len(ncol(parts$emission)))
  if (length(odd)) bad_input("observation ", odd[1], " is ", as.character(y)[odd[1]], "; observations count from 1 to ", ncol(parts$emission),
    " in R", if (!is.null(symbols)) paste0(", or are of ", toString(symbols)))
  parts <- c(vapply(HMM[1:3], function(name) answer_text(parts[[name]], if (name == "initial") "vector" else "matrix"), ""), observations = json_numbers(at - 1))
  labels <- Filter(Negate(is.null), list(states = states, symbols = symbols))
  for (key in names(labels)) parts[key] <- paste0("[", toString(encodeString(enc2utf8(labels[[key]]), quote = "\"")), "]")
  path <- paste0(new_file(given, "hmm"), ".json")
  writeLines(paste0("{", paste0("\"", names(parts), "\":", parts, collapse = ","), "}"), path, useBytes = TRUE)
  given$named[basename(path)] <- "hmm"
  path
}

# Writes the files of a target, and returns the selector that names them.
target_files <- function(given, target, name) {
  path <- new_file(given, name)
  kind <- if (target$probabilities) "prob" else if (name == "path") "via" else "file"
  graph <- if (name == "toy") target$edges else if (inherits(toy <- only_toy(given$toy), "breadboard_target")) toy$edges
  v <- target$values
  if (!is.null(graph) && !is.null(names(v)) && !is.data.frame(v)) {
    write_csv(list(names(v), v), paste0(path, "_labels.csv"), head = FALSE)
    if (name != "toy") return(paste0(kind, ":", path, "_labels.csv"))
    write_csv(list(graph[, 1], graph[, 2]), paste0(path, "_edges.csv"), head = FALSE)
    return(paste0("graph:", path, "_edges.csv:", if (target$probabilities) "prob:", path, "_labels.csv"))
  }
  columns <- if (is.data.frame(v)) v else if (is.null(target$states) && name != "schedule" && labelled(v)$is_named) state_columns(v)
  if (is.null(columns)) write_npy(v, paste0(path, ".npy")) else write_csv(columns, paste0(path, ".csv"))
  paste0(kind, ":", path, if (is.null(columns)) ".npy" else ".csv", if (!is.null(columns) && !is.data.frame(v)) paste0(":lp=", names(columns)[length(columns)]))
}

# A file of records: columns are written to one, and numbers are estimates.
records <- function(given, name, value) {
  if (inherits(value, "SBC_results")) value <- value$stats
  if (is.list(value) && is.null(names(value)) && length(value) && all(lengths(value) == 1)) value <- unlist(value)
  if (is.matrix(value)) {
    if (is.null(colnames(value))) colnames(value) <- paste0(sub("s$", "", name), "_", seq_len(ncol(value)))
    value <- as.data.frame(value)
  }
  of <- c(ranks = "rank", estimates = "log_z", forward = "log_w", reverse = "log_w")
  if (is.numeric(value) && name %in% names(of) && (name == "ranks" || length(value) > 1)) value <- stats::setNames(list(value), of[[name]])
  if (is.list(value)) return(csv_file(given, name, value))
  if (!is.character(value) && (!is.numeric(value) || is.object(value)))
    bad_input(name, " = is of class ", class(value)[1], "; give numbers, a data frame, a list of columns, or a file", if (is.function(value)) ", which a function returns")
  value
}

law_file <- function(given, law) {
  if (is.character(law) && length(law) == 1 && is.null(names(law))) return(law)
  if (is.data.frame(law)) return(csv_file(given, "law", stats::setNames(law, sub("^outcome$", "label", names(law)))))
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
  for (column in columns) if (!is.atomic(column)) bad_input("a column is of class ", class(column)[1], "; give a vector")
  rows <- do.call(paste, c(unname(lapply(columns, cells)), sep = ","))
  writeLines(c(if (head) paste(cells(names(columns)), collapse = ","), rows), path, useBytes = TRUE)
}

# Texts of which those that a table would not show as they are stand in quotes.
cells <- function(values) {
  text <- enc2utf8(texts(values))
  odd <- grepl("[\",\n]|^\\s|\\s$", text)
  text[odd] <- paste0("\"", gsub("\"", "\"\"", text[odd]), "\"")
  text
}
