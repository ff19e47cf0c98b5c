program_or_skip <- function() if (!nzchar(Sys.which(getOption("breadboard.program", Sys.getenv("BREADBOARD", "breadboard"))))) skip("no program breadboard here")

tightness <- function(...) breadboard("tightness", ...)
kernel_check <- function(...) breadboard("kernel", "check", ...)
conform_draws <- function(...) breadboard("conform", "draws", ...)
conform_ranks <- function(...) breadboard("conform", "ranks", ...)
export <- function(...) breadboard("export", ...)
