# Runs the program breadboard: its output, its errors, its progress, and how it is interrupted.

#' The program: the one of the option breadboard.program, or $BREADBOARD, or breadboard in the PATH.
find_program <- function() {
  name <- getOption("breadboard.program", Sys.getenv("BREADBOARD", "breadboard"))
  found <- unname(Sys.which(path.expand(name)))
  if (!nzchar(found))
    bad_input("there is no program \"", name, "\"; make it by `go build ./cmd/breadboard` in a ",
      "clone, and put it into the PATH, or its path into options(breadboard.program = ) or ",
      "the environment variable BREADBOARD")
  normalizePath(found)
}

# Runs a command and returns its output in a file, its messages and its exit code. served() answers
# functions of R that the program calls, and returns whether there was something to answer.
follow <- function(words, folder, progress, served) {
  if (!nzchar(Sys.which("sh")))
    bad_input("there is no shell sh, which runs the program; on Windows it is a part of Rtools")
  parts <- c("out", "err", "pid", "code", "script")
  paths <- stats::setNames(file.path(folder, parts), parts)
  line <- paste(shQuote(c(find_program(), words)), collapse = " ")
  line <- paste0("BREADBOARD_CALLER=R BREADBOARD_PARENT=1 BREADBOARD_ERROR=", ERROR, " ",
    if (progress) "BREADBOARD_PROGRESS=${BREADBOARD_PROGRESS:-1s} ", line)
  at <- vapply(paths, shQuote, "")
  writeLines(enc2utf8(c(
    "trap '' INT", "exec 3<&0", sprintf("%s <&3 3<&- > %s 2> %s &", line, at["out"], at["err"]),
    sprintf("echo $! > %s", at["pid"]), "wait $!",
    sprintf("echo $? > %s.new && mv %s.new %s", at["code"], at["code"], at["code"]))),
    paths["script"], useBytes = TRUE)
  file.create(paths[c("out", "err")])
  pipe <- pipe(paste("sh", at["script"]), "w") # the program ends when it is closed, as when R ends
  on.exit(close(pipe))
  code <- tryCatch(ended(paths, progress, served), interrupt = function(condition) {
    end_program(paths)
    130L
  }, error = function(condition) {
    end_program(paths, now = TRUE)
    stop(condition)
  })
  messages <- messages_in(paths["err"])
  is_error <- startsWith(messages, ERROR)
  error <- if (any(is_error)) from_json(substring(messages[is_error][1], nchar(ERROR) + 1))
  list(out = paths[["out"]], messages = messages[!is_error], code = code, error = error)
}

# Waits for the end of the program, and returns its exit code.
ended <- function(paths, progress, served) {
  said <- file(paths["err"], "r", blocking = FALSE)
  on.exit(close(said))
  pause <- 0.001
  shown <- FALSE
  repeat {
    if (served()) pause <- 0.001
    if (progress) for (line in grep(STEPS, readLines(said, warn = FALSE), value = TRUE)) {
      cat("\r", format(line, width = 79), file = stderr(), sep = "")
      shown <- TRUE
    }
    if (file.exists(paths["code"])) break
    Sys.sleep(pause)
    pause <- min(0.05, pause * 1.5)
  }
  if (shown) cat("\r", strrep(" ", 79), "\r", file = stderr(), sep = "")
  as.integer(readLines(paths["code"]))
}

# What stands before the error as JSON, in two parts.
ERROR <- "@error"

# What the program writes of how far it is.
STEPS <- ": [0-9.e+-]+% of [0-9]+ steps"

# Ends the program. A Ctrl-C on a terminal reaches the program, too, which then needs up to a
# second; a second signal would end it by force.
end_program <- function(paths, now = FALSE) {
  pid <- integer()
  until <- proc.time()[[3]] + 2 # the shell writes it at once, but an interrupt may come before
  while (!length(pid) && proc.time()[[3]] < until) {
    if (file.exists(paths["pid"])) pid <- suppressWarnings(as.integer(readLines(paths["pid"])))
    Sys.sleep(0.005)
  }
  gone <- function(seconds) {
    until <- proc.time()[[3]] + seconds
    while (!file.exists(paths["code"]) && proc.time()[[3]] < until) Sys.sleep(0.02)
    file.exists(paths["code"])
  }
  if (!now && gone(1.2)) return()
  for (signal in c(tools::SIGTERM, tools::SIGKILL)) {
    tools::pskill(pid, signal)
    if (gone(2)) return()
  }
}

messages_in <- function(path) {
  grep(STEPS, readLines(path, warn = FALSE, encoding = "UTF-8"), value = TRUE, invert = TRUE)
}

# Signals what a failed command means: a fault that a check has found, invalid input, an interrupt,
# or that something else went wrong.
fail <- function(code, messages, rows, words, error) {
  last <- if (length(messages)) messages[length(messages)]
    else sprintf("breadboard ended with exit code %d and said nothing", code)
  text <- if (is.null(error)) sub("^breadboard: ", "", last) else error[1]
  kinds <- c("1" = "fault", "2" = "bad_input", "130" = "interrupted")
  kind <- if (code %in% names(kinds)) paste0("breadboard_", kinds[[as.character(code)]])
  faults <- if (code == 1) finding_lines(rows)
  if (code == 1 && !length(faults)) faults <- sprintf("  %s", messages[-length(messages)])
  condition <- structure(
    class = c(kind, "breadboard_error", if (code == 130) "interrupt" else "error", "condition"),
    list(message = paste(c(text, faults), collapse = "\n"), call = NULL,
      hint = substring(error[2], 3), code = code, rows = rows, messages = messages,
      command = words))
  if (code != 130) stop(condition)
  signalCondition(condition)
  message("breadboard was interrupted")
  invokeRestart("abort")
}

bad_input <- function(...) stop(structure(list(message = paste0(...), call = NULL),
  class = c("breadboard_bad_input", "breadboard_error", "error", "condition")))

# The findings of a check that say fault, one a line.
finding_lines <- function(rows) {
  if (is.null(rows$verdict)) return()
  rows <- rows[rows$verdict %in% "fault", ]
  if (!nrow(rows)) return()
  names <- c("variable", "finding", "test", "value", "tolerance", "statistic", "where")
  texts <- lapply(intersect(names, names(rows)), function(name) {
    column <- rows[[name]]
    text <- if (is.numeric(column)) sprintf("; %s = %.6g", name, column) else paste0("; ", column)
    ifelse(is.na(column), "", text)
  })
  paste0("  ", sub("^; ", "", do.call(paste0, texts)))
}
