# A model with its sampler, as a program that conform posterior asks.

expect_posterior <- function(prior, simulate, step = NULL, ..., posterior = NULL, log_joint = NULL, log_z = NULL, data = NULL, irreducible = FALSE) {
  functions <- Filter(Negate(is.null), list(prior = prior, simulate = simulate, step = step, posterior = posterior, log_joint = log_joint, log_z = log_z))
  for (name in names(functions)) if (!is.function(functions[[name]])) bad_input(name, " = is of class ", class(functions[[name]])[1], "; give a function")
  takes <- list(prior = character(), simulate = "theta", step = c("theta", "y"), posterior = "y", log_joint = c("theta", "y"), log_z = "y")
  for (name in names(functions)) {
    its <- names(formals(args(functions[[name]])))
    if (length(its) < length(takes[[name]]) && !"..." %in% its) bad_input(name, " = is function(", toString(its), "); it is called as ", name, "(", toString(takes[[name]]), ")")
  }
  if (length(functions) < 3) bad_input("there is nothing to test: give step, posterior = , log_joint = or log_z = , beside prior and simulate")
  model <- structure(list(functions = functions, texts = texts_of()), class = "breadboard_model")
  if (!is.null(data)) data <- vapply(if (is.list(data)) data else as.list(data), model$texts$text, "")
  expect_pass(run_command(list("conform", "posterior", model), c(list(data = data, strict = irreducible), list(...)), FALSE))
}

# The texts of values, the same for equal ones.
texts_of <- function() {
  texts <- new.env()
  values <- new.env()
  tree <- new_tree(0)
  list(value = function(text) values[[text]], text = function(value) {
    key <- short_key(tree, key_of(tree, value))
    if (is.null(texts[[key]])) {
      text <- if (is.numeric(value) && length(value) == 1) number_text(value) else if (is.numeric(value)) json_numbers(value) else label_of(value)
      if (nchar(text, "bytes") > 900) text <- paste0(substr(text, 1, 60), "... ", length(texts))
      while (!is.null(values[[text]])) text <- paste0(text, "'")
      texts[[key]] <- text
      values[[text]] <- value
    }
    texts[[key]]
  })
}

# The value of log_joint; of a pair that is impossible nothing need be computed.
density <- function(call, request) {
  if (is.null(request$impossible)) return(call())
  value <- caught(suppressWarnings(call()))
  if (inherits(value, "error")) -Inf else if (is.numeric(value) && length(value) == 1 && is.na(value)) -Inf else value
}

# What the questions about a function have taken. A message says once what the others take, if that is long.
said_slow <- function(cost, took, of, asked) {
  cost$spent <- cost$spent + took
  cost$asked <- cost$asked + 1
  left <- cost$spent / cost$asked * (prod(of[if (asked %in% c("step", "log_joint")) c("prior", "simulate") else "simulate"]) - cost$asked)
  if (!cost$said && cost$spent > LONG / 5 && isTRUE(left > LONG)) {
    cost$said <- TRUE
    message(sprintf("breadboard: about %.0f seconds more for %s (%d parameters, %d data); fewer of them take less", left, asked, of[["prior"]], of[["simulate"]]))
  }
  cost
}

# What answers the requests for a model. The arguments of a function are those of its request.
model_answer <- function(model) {
  tree <- new_tree(KERNEL_CUT, state = state_of(model$functions))
  functions <- lapply(model$functions, rebased, tree = tree)
  known <- list() # the parameters and the data
  cost <- list(spent = 0, asked = 0, said = FALSE)
  list(hello = sprintf("{\"program\":\"%s\",\"mode\":\"choose\",\"bounded\":true,\"answers\":[%s]}", names(functions)[3], paste0("\"", names(functions), "\"", collapse = ",")),
    reply = function(request) {
      asked <- intersect(names(functions), names(request))[1]
      given <- lapply(Filter(is.character, request[c(asked, "data")]), model$texts$value)
      f <- functions[[asked]]
      call <- function() do.call(f, unname(given), quote = TRUE)
      began <- proc.time()[[3]]
      what <- sprintf("%s(%s)", asked, paste(vapply(given, label_of, ""), collapse = ", "))
      row <- if (asked == "log_joint") list(to = list(density(call, request)), p = 1, left = 0) else with_stand_ins(tree, row_of(tree, call, CHECKED, what, "given "))
      if (asked %in% c("prior", "simulate")) known[[asked]] <<- unique(c(known[[asked]], vapply(row$to, model$texts$text, "")))
      else cost <<- said_slow(cost, proc.time()[[3]] - began, lengths(known), asked)
      if (asked == "log_z" && row$left * .Machine$double.xmax > 1e-10 * sum(row$p * exp(unlist(row$to) - max(unlist(row$to)))))
        bad_input(what, ": the mean of exp(log_z) is not known, because estimates of probability ", format(row$left, digits = 3), " were not explored")
      texts <- vapply(row$to, if (startsWith(asked, "log_")) number_text else model$texts$text, "")
      texts <- vapply(texts, function(text) encodeString(text, quote = "\""), "")
      sprintf("\"results\":[%s],\"p\":%s,\"left\":%s", paste(texts, collapse = ","), json_numbers(row$p), number_text(row$left))
    })
}
