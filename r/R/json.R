# JSON, as the program writes and reads it.

# Reads one value. Objects become named lists, arrays of numbers and nulls become vectors with NA,
# and other arrays become lists. The words of the program for numbers that JSON does not have stay
# texts here, because only a column shows whether they are numbers.
from_json <- function(text) {
  pattern <- "\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"|[-+0-9.eE]+|true|false|null|[][{}]|[:,]"
  tokens <- regmatches(text, gregexpr(pattern, text, perl = TRUE))[[1]]
  first <- substr(tokens, 1, 1)
  numeric <- grepl("^[-0-9]", first)
  numbers <- rep(NA_real_, length(tokens))
  numbers[numeric] <- as.numeric(tokens[numeric])
  plain <- numeric | first %in% c("n", ",")
  ends <- which(first == "]")
  at <- 0L
  value <- function() {
    at <<- at + 1L
    switch(first[at], "{" = object(), "[" = array_(), "\"" = unquoted(tokens[at]), t = TRUE, f = FALSE, n = NULL, numbers[at])
  }
  array_ <- function() {
    end <- ends[findInterval(at, ends) + 1L]
    if (end > at + 1L && all(plain[(at + 1L):(end - 1L)])) {
      inside <- seq.int(at + 1L, end - 1L, 2L)
      at <<- end
      return(numbers[inside])
    }
    out <- list()
    while (first[at] != "]") {
      if (first[at + 1L] == "]") at <<- at + 1L
      else {
        out <- c(out, list(value()))
        at <<- at + 1L
      }
    }
    out
  }
  object <- function() {
    names <- character()
    values <- list()
    while (first[at] != "}") {
      if (first[at + 1L] == "}") at <<- at + 1L
      else {
        names <- c(names, unquoted(tokens[at + 1L]))
        at <<- at + 2L
        values <- c(values, list(value()))
        at <<- at + 1L
      }
    }
    stats::setNames(values, names)
  }
  value()
}

# A text of JSON is a literal of R, but for an escaped slash.
unquoted <- function(token) {
  if (!grepl("\\", token, fixed = TRUE)) return(substr(token, 2, nchar(token) - 1))
  parse(text = gsub("\\/", "/", token, fixed = TRUE), keep.source = FALSE)[[1]]
}

# Numbers with as many digits as a double has, and whole numbers without a fraction.
number_text <- function(x) {
  text <- sprintf("%.15g", x)
  longer <- is.finite(x)
  longer[longer] <- as.numeric(text[longer]) != x[longer]
  text[longer] <- sprintf("%.17g", x[longer])
  text[!is.na(x) & is.infinite(x)] <- ifelse(x[!is.na(x) & is.infinite(x)] > 0, "Inf", "-Inf")
  whole <- is.finite(x) & x == trunc(x) & abs(x) < 2^53
  text[whole] <- sprintf("%.0f", x[whole])
  text
}

json_numbers <- function(x) paste0("[", paste(number_text(x), collapse = ","), "]")

# The rows of a table as a data frame. A column is numeric if all of its values are numbers, or
# words for infinite and undefined ones.
table_of <- function(text) {
  rows <- if (grepl("^\\s*\\[", text)) from_json(text) else list()
  if (!is.list(rows)) rows <- list()
  names <- unique(unlist(lapply(rows, names)))
  structure(lapply(names, function(name) column_of(lapply(rows, `[[`, name))), names = names, row.names = .set_row_names(length(rows)), class = "data.frame")
}

column_of <- function(values) {
  values[vapply(values, is.null, NA)] <- NA
  if (any(vapply(values, is.list, NA))) return(values)
  flat <- unlist(values)
  words <- c("+Inf" = Inf, "-Inf" = -Inf, "NaN" = NaN)
  is_number <- vapply(values[!is.na(values)], function(v) is.numeric(v) || v %in% names(words), NA)
  if (is.numeric(flat) || is.logical(flat) || !all(is_number)) return(flat)
  ifelse(flat %in% names(words), words[flat], suppressWarnings(as.numeric(flat)))
}
