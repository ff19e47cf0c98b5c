# Arrays in the binary files of NumPy, so that no number is rounded on its way.

# Writes an array. The file says that its first index moves fastest, as in R.
write_npy <- function(x, path) {
  shape <- if (is.null(dim(x))) length(x) else dim(x)
  head <- sprintf("{'descr': '<f8', 'fortran_order': True, 'shape': (%s,), }", paste(shape, collapse = ", "))
  head <- paste0(head, strrep(" ", 64 - (nchar(head) + 11) %% 64), "\n")
  con <- file(path, "wb")
  on.exit(close(con))
  writeBin(as.raw(c(0x93, utf8ToInt("NUMPY"), 1, 0, nchar(head) %% 256, nchar(head) %/% 256)), con)
  writeChar(head, con, eos = NULL)
  writeBin(as.double(x), con, endian = "little")
}

read_npy <- function(path) {
  con <- file(path, "rb")
  on.exit(close(con))
  lead <- as.integer(readBin(con, "raw", 8))
  size <- if (lead[7] == 1) 2 else 4
  length <- readBin(con, "integer", 1, size = size, signed = size == 4, endian = "little")
  head <- readChar(con, length, useBytes = TRUE)
  field <- function(pattern) sub(pattern, "\\1", regmatches(head, regexpr(pattern, head)))
  shape <- as.integer(strsplit(gsub("[^0-9,]", "", field("'shape': \\(([^)]*)\\)")), ",")[[1]])
  values <- read_values(con, field("'descr': '([^']*)'"), prod(shape))
  if (length(shape) < 2) return(values)
  if (grepl("'fortran_order': True", head)) array(values, shape) else aperm(array(values, rev(shape)))
}

read_values <- function(con, kind, n) {
  width <- as.integer(gsub("[^0-9]", "", kind))
  switch(substr(kind, 2, 2),
    f = readBin(con, "double", n, size = width, endian = "little"),
    b = readBin(con, "integer", n, size = 1) != 0,
    i = {
      halves <- matrix(readBin(con, "integer", 2 * n, size = 4, endian = "little"), 2)
      halves[1, ] %% 2^32 + halves[2, ] * 2^32
    },
    U = vapply(seq_len(n), function(i) {
      points <- readBin(con, "integer", width, size = 4, endian = "little")
      intToUtf8(points[points > 0])
    }, ""),
    stop("a file of NumPy has the kind ", kind))
}

# The arrays of a file .npz, by name.
read_npz <- function(path) {
  folder <- tempfile("breadboard-npz-")
  on.exit(unlink(folder, recursive = TRUE))
  files <- utils::unzip(path, exdir = folder)
  stats::setNames(lapply(files, read_npy), sub("[.]npy$", "", basename(files)))
}
