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
  given$answers[[folder]] <- switch(kind, kernel = kernel_answer(f, own_states(given$toy), space_given(given)), model = model_answer(f))
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
    say(to, if (is.null(hello)) "{\"kernel\":\"a kernel in R\",\"mode\":\"choose\",\"bounded\":true}" else hello)
  }
  any(vapply(given$open, answer_one, NA, given = given))
}

# Sends a line. If the program has ended, its own message is the error.
say <- function(to, line) tryCatch({
  writeLines(line, to)
  flush(to)
}, error = function(condition) NULL)

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
    state$spent <- state$rows <- 0
    state$ahead <- lapply(if (is.list(request$stages)) request$stages else list(request$stages), space_array, shape = request$shape)
  } else if (!is.null(request$tell)) {
    reply <- pipe$answer$within(trees(pipe$answer$row, state, request$tell[1], request$tell[2]))
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

# The choices of moves from a state on under one distribution after another, at least of one, for half a
# second. A message says once what the others take, if that is long.
trees <- function(row_at, state, stage, x) {
  began <- proc.time()[[3]]
  until <- began + 0.5
  ahead <- state$ahead
  found <- character()
  while (stage < length(ahead) && (!length(found) || proc.time()[[3]] < until)) {
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
  state$spent <- state$spent + proc.time()[[3]] - began
  state$rows <- state$rows + length(found)
  left <- state$spent / state$rows * (sum(lengths(ahead)) - state$rows)
  if (!isTRUE(state$warned) && state$spent > LONG / 5 && left > LONG) {
    state$warned <- TRUE
    message(sprintf("breadboard: about %.0f seconds more for the moves of the kernel (%d states, %d distributions); a function matrix(log_f), which returns all rows at once, is up to a hundred times faster",
      left, length(ahead[[1]]), length(ahead)))
  }
  sprintf("\"trees\":[%s],\"told\":%d", paste(found, collapse = ","), length(found))
}

# What answers for a kernel in one of its forms: the row of a state, and what holds while several are
# computed. own has the states of the user; a kernel with a chooser has indices.
kernel_answer <- function(move, own = NULL, space = NULL) {
  call <- kernel_call(move)
  tree <- new_tree(KERNEL_CUT, state = state_of(move))
  if (!call$asks) call <- kernel_call(rebased(tree, move))
  tree$lean <- call$asks
  if (call$asks) own <- NULL
  known <- lapply(names_of_states(space), function(names) names[space$order][order(places(space$shape))]) # as log f has them
  by_name <- function(p) in_order(p, known, !is.null(space$labels))
  chooser <- chooser_of(tree)
  keys <- vapply(own$states, state_key, "")
  place <- function(y, n) {
    at <- if (!is.null(own)) match(state_key(y), keys) else NA
    if (is.na(at) && !isFALSE(own$counts) && is.numeric(y) && length(y) == 1 && y %in% seq_len(n)) y else at
  }
  ask <- asking(tree)
  last <- NULL # the rows under the last log f
  kept <- list() # the rows of a move that takes no log f, by their states
  rows <- function(logf) {
    if (identical(last$logf, logf)) return(last$rows)
    found <- ask(function() as_matrix(call$run(chooser, logf)), TRUE, "matrix(log_f)", "")$to
    if (length(found) > 1 || !is.numeric(found[[1]]) || any(dim(found[[1]]) != length(logf))) bad_input("matrix(log_f) returns no matrix with a row and a column for each of the ", length(logf), " states; give numbers with n rows and n columns")
    last <<- list(logf = logf, rows = by_name(found[[1]]))
    last$rows
  }
  row <- function(logf, x) {
    shape <- dim_of(logf)
    from <- index_of(x, shape)
    if (!is.null(own)) names(logf) <- own$labels
    name <- if (is.null(own)) from else own$labels[from]
    if (isTRUE(call$fixed) && !is.null(kept[[as.character(from)]])) return(kept[[as.character(from)]])
    found <- if (call$whole) list(to = list(rows(logf)[from, ]))
      else ask(function() call$run(chooser, logf, if (is.null(own)) from else own$states[[from]]), !call$asks, name)
    p <- found$to[[1]]
    if (call$whole || length(found$to) == 1 && !call$asks && length(logf) > 1 && is.numeric(p) && length(p) == length(logf) && is.na(place(p, length(logf)))) {
      if (!call$whole) p <- as.vector(by_name(p))
      if (anyNA(p) || any(p < 0) || abs(sum(p) - 1) > 1e-9) bad_input("from the state ", name, " the kernel returns ", deparse(p)[1], ", which are no probabilities: they sum to ", format(sum(p), digits = 15), "; divide them by their sum")
      return(list(to = as.list(match(which(p > 0), places(shape)) - 1), p = p[p > 0]))
    }
    at <- vapply(found$to, place, 1, n = length(logf))
    if (anyNA(at)) bad_input("from the state ", name, " the kernel goes to ", deparse(found$to[is.na(at)][[1]])[1], ", which is none of the states ",
      if (is.null(own)) paste("1 to", length(logf)) else paste0(some_of(own$labels), "; x is such a state, and no index"))
    kept[[as.character(from)]] <<- list(to = as.list(match(at, places(shape)) - 1), p = found$p)
  }
  list(within = if (call$asks) force else function(expr) with_stand_ins(tree, expr), row = row)
}

FORMS <- "give step(x) or step(log_f, x), which draws the next state with sample, runif and so on; row(log_f, x), which returns the probabilities of all states; matrix(log_f); or function(chooser, log_f, x). Other arguments need defaults"

# How a kernel is called, by its parameters. A default of log_f is never used.
kernel_call <- function(move) {
  takes <- formals(args(move))
  logf <- intersect(names(takes), c("log_f", "logf"))
  needs <- setdiff(names(takes)[vapply(takes, function(default) identical(default, quote(expr = )), NA)], c("...", logf))
  if ("chooser" %in% needs) return(list(asks = TRUE, whole = FALSE, run = move))
  if (length(needs) > 1 || length(logf) > 1 || !length(c(logf, needs))) bad_input("kernel = is function(", toString(names(takes)), "); ", FORMS)
  named <- function(names, value) stats::setNames(list(value)[seq_along(names)], names)
  list(asks = FALSE, whole = !length(needs), fixed = !length(logf), run = function(chooser, target, x) do.call(move, c(named(logf, target), if (length(needs)) named(needs, x)), quote = TRUE))
}

# The states of a target of which a user has names or objects, in the order of the program; their
# labels; and whether an index may stand for one. NULL if they are indices.
own_states <- function(toy) {
  if (is.list(toy) && !is.object(toy)) {
    each <- unique(lapply(toy, own_states))
    return(if (length(each) == 1) each[[1]])
  }
  own <- if (inherits(toy, "breadboard_target")) toy else list(values = toy)
  labels <- if (is.numeric(own$values) && is.null(dim(own$values))) names(own$values)
  if (is.null(labels)) return()
  space <- space_of(toy)
  order <- if (is.null(own$edges)) space$order else match(space$labels, labels)
  states <- if (is.null(own$states)) as.list(labels) else own$states
  list(states = states[order], labels = labels[order], counts = is.null(own$states) && !all(grepl("^-?[0-9]+$", labels)))
}

# A text that is the same for equal states, whatever the names of their elements.
state_key <- function(state) key_of(list(lean = TRUE), if (is.atomic(state)) unname(state) else state)

AGAIN <- 2000 # branches, after which a row is not found again
LONG <- 8 # seconds for moves, of which a message says so
KERNEL_CUT <- 1e-320 # so that a rare move is not lost, on which whether a chain is irreducible may hang

dim_of <- function(x) if (is.null(dim(x))) length(x) else dim(x)

# The index into an array of R of each number of the program, which goes row by row.
places <- function(shape) as.vector(aperm(array(seq_len(prod(shape)), shape)))

index_of <- function(x, shape) places(shape)[x + 1]

# What asks for rows as row_of does, and for some of them again after others: a row depends on no call
# before. These are checked more closely, too.
asking <- function(tree) {
  then <- lapply(tree$state, contents)
  known <- list()
  asked <- 0
  again <- function(row, ask = row$ask) {
    p <- lapply(list(row$found, ask()), function(found) stats::setNames(found$p, vapply(found$to, state_key, "")))
    keys <- unique(unlist(lapply(p, names)))
    p <- lapply(p, function(p) ifelse(keys %in% names(p), p[keys], 0))
    if (any(abs(p[[1]] - p[[2]]) > KNOWN)) bad_input(row$from, ": the function cannot be followed: ", KEPT)
  }
  function(move, check, from, lead = "from the state ") {
    asked <<- asked + 1
    closely <- asked <= 16 || log2(asked) %% 1 == 0
    row <- list(from = paste0(lead, from), ask = function() row_of(tree, move, check * if (closely) CHECKED else 2, from, lead))
    row$found <- row$ask()
    if (!closely || row$found$branches > AGAIN) return(row$found)
    if (length(known)) again(known[[1 + floor((0.618 * asked) %% 1 * length(known))]])
    known <<- c(known, list(row))
    now <- lapply(tree$state, contents)
    if (!identical(now, then)) { # as if no other row had been asked for
      on.exit(Map(put, tree$state, now))
      Map(put, tree$state, then)
      again(row, function() tryCatch(row$ask(), error = function(condition) row$found))
    }
    row$found
  }
}

# Where a move goes and with which probabilities.
row_of <- function(tree, move, check, from, lead = "from the state ") {
  clear(tree)
  from <- paste0(lead, paste(from, collapse = " and "))
  found <- tryCatch(walk(tree, move, MOST_VALUES, check), breadboard_error = function(condition) bad_input(from, ": ", conditionMessage(condition)))
  if (length(found$raised)) {
    own <- found$errors[[1]] # with its class, and all that it has
    own$message <- paste0(from, ", with probability ", format(found$raised[[1]]), ": ", conditionMessage(own))
    stop(own)
  }
  if (found$remainder > 1e-14) bad_input(from, " the probability ", format(found$remainder), " was not explored")
  list(to = found$values, p = found$p, left = found$remainder, branches = found$branches)
}
