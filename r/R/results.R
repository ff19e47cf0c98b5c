# How results look.

print.breadboard_text <- function(x, ...) {
  cat(x, "\n", sep = "")
  invisible(x)
}

# Columns without values are omitted, and those with the same value in all rows are one line.
print.breadboard_rows <- function(x, ...) {
  table <- as.data.frame(lapply(unclass(x), as.vector), optional = TRUE)
  table <- table[vapply(table, function(column) any(!is.na(column) & column != ""), NA)]
  same <- vapply(table, function(column) length(unique(column)) == 1, NA) & nrow(table) > 1
  values <- vapply(table[1, same, drop = FALSE], format, "", digits = 6)
  if (any(same)) cat(paste(names(table)[same], "=", values, collapse = ", "), "\n", sep = "")
  table <- table[!same]
  shown <- fitting(table, ...)
  if (length(shown)) print.data.frame(table[shown], row.names = FALSE, digits = 6, ...)
  if (length(shown) < length(table)) {
    omitted <- paste("left out for", getOption("width"), "columns:", toString(names(table)[-shown]))
    cat(strwrap(omitted, prefix = "# "), sep = "\n")
  }
  for (line in attr(x, "notes")) cat("# ", line, "\n", sep = "")
  invisible(x)
}

# The columns that have room beside each other. First those right of an answer are omitted that are
# none, from the right.
fitting <- function(table, ...) {
  printed <- function(column) utils::capture.output(
    print.data.frame(data.frame(column), row.names = FALSE, digits = 6, ...))[-1]
  wide <- vapply(table, function(column) max(0, nchar(printed(column), "width")), 1)
  wide <- pmax(wide, nchar(names(table), "width") + 1)
  answer <- names(table) %in% strsplit(ANSWERS, " ")[[1]]
  shown <- seq_along(wide)
  while (sum(wide[shown]) > getOption("width") && length(shown) > 1) {
    others <- which(cumsum(answer[shown]) > 0 & !answer[shown])
    shown <- shown[-max(if (length(others)) others else length(shown))]
  }
  shown
}

# What the help of the command says of the columns.
meanings_of <- function(x) {
  run <- attr(x, "run")
  if (is.null(run))
    bad_input("this is a part of a result; ask the whole, as breadboard returned it")
  words <- Filter(is.character, run$words)
  told <- function(n) {
    run_command(c("help", utils::head(words, n)), list(format = "json"), FALSE)$columns[[1]]
  }
  # the second word may be a file
  columns <- tryCatch(told(2), breadboard_bad_input = function(condition) told(1))
  part <- function(key) {
    found <- vapply(columns, function(column) if (is.null(column[[key]])) "" else column[[key]], "")
    stats::setNames(found[match(names(x), vapply(columns, `[[`, "", "name"))], names(x))
  }
  list(units = part("unit"), labels = part("meaning"))
}

# The units of the columns, "" for a pure number, and what the columns mean.
units.breadboard_rows <- function(x) meanings_of(x)$units
labels.breadboard_rows <- function(object, ...) meanings_of(object)$labels

# The figures of the program: SVG in the viewer or a browser, or a file of that name and kind.
plot.breadboard_rows <- function(x, file = NULL, ...) {
  ran <- attr(x, "run")
  if (is.null(ran))
    bad_input("this is a part of a result; plot the whole, as breadboard returned it")
  kind <- if (is.null(file)) "svg" else tools::file_ext(file)
  folder <- if (is.null(file)) tempfile("breadboard-figures-") else tempfile()
  ran$flags[c("out", "figures")] <- list(folder, kind)
  tryCatch(run_command(ran$words, c(ran$flags, list(...)), FALSE),
    breadboard_fault = function(condition) NULL)
  figures <- Sys.glob(file.path(folder, paste0("*.", kind)))
  if (!length(figures)) bad_input("this command has no figure")
  if (!is.null(file)) {
    to <- if (length(figures) == 1) file
      else paste0(tools::file_path_sans_ext(file), seq_along(figures), ".", kind)
    file.copy(figures, to, overwrite = TRUE)
    unlink(folder, recursive = TRUE)
    return(invisible(to))
  }
  if (interactive()) for (figure in figures) getOption("viewer", utils::browseURL)(figure)
  invisible(figures)
}

breadboard_help <- function(...) {
  breadboard(..., help = TRUE, format = "table", progress = FALSE)
}
