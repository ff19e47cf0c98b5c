# Functions of R as programs that breadboard starts and asks.
#
# breadboard starts a shell that connects its input and output to two named pipes. This process
# answers while it waits for the command, so that functions may be closures.

BRIDGE <- c("d=$(mktemp -d \"$(dirname \"$0\")/XXXXXXXX\") || exit 1", "mkfifo \"$d/in\" \"$d/out\"", "exec 3<&0",
  "cat <&3 > \"$d/in\" &", ": > \"$d/ready\"", "exec cat \"$d/out\" 3<&-")

# The selector of a function. kind is kernel or model.
serve_function <- function(given, f, kind) {
  if (.Platform$OS.type == "windows") bad_input(kind, " = is a function, which breadboard can call only on Unix; give a matrix")
  folder <- new_file(given, kind)
  dir.create(folder)
  script <- file.path(folder, "kernel.sh")
  writeLines(BRIDGE, script)
  given$answers[[folder]] <- switch(kind, kernel = kernel_answer(f), model = model_answer(f))
  command <- paste("sh", shQuote(script))
  given$named[c(paste0("exec:", command), command)] <- "function"
  paste0("exec:", command)
}

# Answers what has been asked, and returns whether there was something.
serve_all <- function(given) {
  for (folder in names(given$answers)) for (ready in Sys.glob(file.path(folder, "*", "ready"))) {
    unlink(ready)
    to <- fifo(file.path(dirname(ready), "out"), "w", blocking = TRUE)
    from <- fifo(file.path(dirname(ready), "in"), "r", blocking = FALSE)
    given$open <- c(given$open, list(list(from = from, to = to, answer = given$answers[[folder]], state = new.env())))
    hello <- given$answers[[folder]]$hello
    say(to, if (is.null(hello)) "{\"kernel\":\"a kernel in R\",\"mode\":\"choose\"}" else hello)
  }
  any(vapply(given$open, answer_one, NA, given = given))
}

say <- function(to, line) {
  writeLines(line, to)
  flush(to)
}

answer_one <- function(given, pipe) {
  if (!is.null(given$raised)) return(FALSE)
  line <- readLines(pipe$from, 1, warn = FALSE)
  if (!length(line)) return(FALSE)
  tryCatch(converse(pipe, from_json(line)), error = function(condition) {
    given$raised <- condition
    close_pipes(given) # breadboard fails at the end of the output, and then the error is raised
  })
  TRUE
}

close_pipes <- function(given) {
  for (pipe in given$open) for (one in pipe[c("from", "to")]) close(one)
  given$open <- list()
}

# Answers a request. A distribution holds until the next one is sent.
converse <- function(pipe, request) {
  state <- pipe$state
  reply <- "\"ready\":true"
  if (!is.null(pipe$answer$reply)) reply <- pipe$answer$reply(request)
  else if (!is.null(request$logf)) {
    state$stages <- list(space_array(request$logf, request$shape))
    if (isTRUE(request$trees)) reply <- "\"ready\":true,\"trees\":true"
  } else if (!is.null(request$stages)) {
    state$ahead <- lapply(if (is.list(request$stages)) request$stages else list(request$stages), space_array, shape = request$shape)
  } else if (!is.null(request$tell)) {
    reply <- pipe$answer$within(trees(pipe$answer$row, state$ahead, request$tell[1], request$tell[2]))
  } else reply <- moved(pipe, state$stages[[1]], request)
  if (!is.null(reply)) say(pipe$to, sprintf("{%s,\"id\":%.0f}", reply, request$id))
}

# Log f of a stage as an array of R.
space_array <- function(logf, shape) {
  logf[is.na(logf)] <- -Inf
  if (length(shape) > 1) aperm(array(logf, rev(shape))) else logf
}

# Answers for one move: a single choice among all states that it may reach.
moved <- function(pipe, logf, request) {
  row <- pipe$answer$within(pipe$answer$row(logf, request$move))
  at <- 1L
  if (length(row$p) > 1) {
    say(pipe$to, sprintf("{\"choose\":%s}", json_numbers(row$p)))
    repeat {
      line <- readLines(pipe$from, 1, warn = FALSE)
      if (length(line)) break
      Sys.sleep(0.001)
    }
    answer <- from_json(line)
    if (isTRUE(answer$abort)) return("\"aborted\":true")
    at <- answer$outcome + 1
  }
  sprintf("\"state\":%.0f", row$to[[at]])
}

# The choices of moves from a state on under one distribution after another, for half a second.
trees <- function(row_at, ahead, stage, x) {
  until <- proc.time()[[3]] + 0.5
  found <- character()
  while (stage < length(ahead) && proc.time()[[3]] < until) {
    row <- row_at(ahead[[stage + 1]], x)
    states <- sprintf("{\"state\":%.0f}", unlist(row$to))
    several <- length(row$p) > 1
    tree <- paste(c(if (several) sprintf("{\"choose\":%d}", length(row$p)), states), collapse = ",")
    found <- c(found, sprintf("{\"from\":%.0f,\"stages\":[%.0f],\"tree\":[%s],\"p\":[%s]}", x, stage, tree, if (several) json_numbers(row$p) else "[]"))
    x <- x + 1
    if (x >= length(ahead[[stage + 1]])) {
      x <- 0
      stage <- stage + 1
    }
  }
  sprintf("\"trees\":[%s],\"told\":%d", paste(found, collapse = ","), length(found))
}

# What answers for a kernel, which is function(chooser, logf, x), or function(logf, x) or function(x)
# that draws with R's generator: the row of a state, and what holds while several are computed.
kernel_answer <- function(move) {
  takes <- names(formals(args(move)))
  asks <- length(takes) > 2 || "chooser" %in% takes
  if (!length(takes)) bad_input("kernel = is a function without arguments; it is called as function(chooser, logf, x)")
  tree <- new_tree(KERNEL_CUT)
  tree$lean <- asks
  chooser <- chooser_of(tree)
  moves <- function(logf, from) if (asks) move(chooser, logf, from) else if (length(takes) == 2) move(logf, from) else move(from)
  list(within = if (asks) force else function(expr) with_stand_ins(tree, expr), row = function(logf, x) {
    from <- index_of(x, dim_of(logf))
    row <- row_of(tree, function() moves(logf, from), !asks, from)
    row$to <- lapply(row$to, function(y) number_of(checked_state(y, from, length(logf)), dim_of(logf)))
    row
  })
}

KERNEL_CUT <- 1e-300 # so that a rare move is not lost, on which whether a chain is irreducible may hang

dim_of <- function(x) if (is.null(dim(x))) length(x) else dim(x)

# The index in R of a state of the program.
index_of <- function(x, shape) {
  at <- x %/% rev(cumprod(c(1, rev(shape)[-length(shape)]))) %% shape
  sum(at * cumprod(c(1, shape[-length(shape)]))) + 1
}

checked_state <- function(y, from, n) {
  if (is.numeric(y) && length(y) == 1 && y %in% seq_len(n)) return(y)
  bad_input("from the state ", paste(from, collapse = " and "), " the kernel goes to ", deparse(y)[1], ", which is none of the states 1 to ", n)
}

# Where a move goes and with which probabilities.
row_of <- function(tree, move, check, from, lead = "from the state ") {
  clear(tree)
  from <- paste0(lead, paste(from, collapse = " and "))
  found <- tryCatch(walk(tree, move, MOST_VALUES, check), breadboard_error = function(condition) bad_input(from, ": ", conditionMessage(condition)))
  if (length(found$raised)) stop(found$errors[[1]])
  if (found$remainder > 1e-14) bad_input(from, " the probability ", format(found$remainder), " was not explored")
  list(to = found$values, p = found$p, left = found$remainder)
}
