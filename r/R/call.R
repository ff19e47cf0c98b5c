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
  given$folder <- tempfile("breadboard-")
  dir.create(given$folder, mode = "0700")
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
  messages <- shown(given, ran$messages)
  if (ran$code != 0 && !is.null(given$raised)) stop(given$raised)
  if (ran$code == 0 && is_export && is.null(flags$out) && is.null(wanted)) return(with_notes(read_npz(ran$out), messages))
  text <- shown(given, paste(readLines(ran$out, warn = FALSE, encoding = "UTF-8"), collapse = "\n"))
  if (ran$code == 0 && !nzchar(text) && !length(messages)) bad_input(find_program(), " has printed nothing; is it breadboard?")
  rows <- if (identical(flags$format, "json")) with_notes(table_of(text), messages) else data.frame()
  if (ran$code != 0) fail(ran$code, messages, rows, said)
  if (!startsWith(text, "[") || !identical(flags$format, "json")) return(structure(text, class = "breadboard_text", notes = messages))
  attr(rows, "run") <- list(words = words, flags = flags)
  class(rows) <- c("breadboard_rows", "data.frame")
  rows
}

with_notes <- function(x, messages) {
  attr(x, "notes") <- messages
  x
}

# A text with the names of functions and arrays in place of the files that stand for them.
shown <- function(given, text) {
  for (selector in names(given$named)) text <- gsub(selector, given$named[[selector]], text, fixed = TRUE)
  gsub(paste0(given$folder, "/"), "", text, fixed = TRUE)
}
