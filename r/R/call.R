# Every command of the program as a function.

breadboard <- function(..., progress = interactive()) {
  given <- list(...)
  named <- if (is.null(names(given))) rep(FALSE, length(given)) else nzchar(names(given))
  run_command(given[!named], given[named], progress)
}

# A function for a command of the program, whose flags are arguments. They stand behind ..., so that
# none is abbreviated.
command <- function(words, flags) {
  flags <- strsplit(trimws(paste(flags, COMMON_FLAGS)), " ")[[1]]
  f <- function() NULL
  formals(f) <- c(alist(... = ), stats::setNames(rep(list(NULL), length(flags)), flags), alist(progress = interactive()))
  body(f) <- bquote({
    flags <- mget(.(flags))
    more <- list(...)
    named <- if (is.null(names(more))) rep(FALSE, length(more)) else nzchar(names(more))
    run_command(c(.(as.list(strsplit(words, " ")[[1]])), more[!named]), c(flags, more[named]), progress)
  })
  environment(f) <- topenv()
  f
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
  messages <- in_r(shown(given, ran$messages))
  if (ran$code != 0 && !is.null(given$raised)) stop(given$raised)
  if (ran$code == 0 && is_export && is.null(flags$out) && is.null(wanted)) return(with_notes(exported(given, read_npz(ran$out)), messages))
  text <- shown(given, paste(readLines(ran$out, warn = FALSE, encoding = "UTF-8"), collapse = "\n"))
  if (ran$code == 0 && !nzchar(text) && !length(messages)) bad_input(find_program(), " has printed nothing; is it breadboard?")
  rows <- if (identical(flags$format, "json")) with_notes(table_of(text), messages) else data.frame()
  if (ran$code != 0) fail(ran$code, messages, rows, said)
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
  for (name in grep("^kernel_[0-9]+$", names(arrays), value = TRUE)) {
    order <- program_order(given, arrays[[name]])
    if (!is.null(order)) arrays[[name]] <- arrays[[name]][order(order), order(order)]
  }
  arrays
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

# A text with the names of functions and arrays in place of the files that stand for them.
shown <- function(given, text) {
  for (selector in names(given$named)) text <- gsub(selector, given$named[[selector]], text, fixed = TRUE)
  gsub(paste0("\\Q", given$folder, "/\\E(?:([a-z]+)[0-9]+(?:_edges)?[.](?:csv|npy|mtx|json)\\b)?"), "\\1", text, perl = TRUE)
}
