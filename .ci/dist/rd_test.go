package main

import (
	"errors"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestPagesForR: each function of R that is a command has a page with all its arguments, and an
// example in R of the first line that needs no shell.
func TestPagesForR(t *testing.T) {
	helps := map[string]string{
		"--help": "all\n\nUsage:\n  breadboard [command]\n\n" +
			"Studies:\n  gap         Which 5% count?\n  sweep       All\n",
		"help gap": "gap {says} --toy-name=a \\n.\n\nUsage:\n  breadboard gap\n\n" +
			"Examples:\n  breadboard gap\n  breadboard gap -T 2 > file\n  breadboard gap f.csv -T 2,3 --quick --function x0\n\n" +
			"Flags:\n  -T, --distributions T,...   numbers of\n                              distributions\n" +
			"      --function string       of\n      --quick                 soon\n\nDetails:\n\nWith -T 3.\n",
		"help sweep": "sweep\n\nUsage:\n  x\n",
	}
	help := func(words ...string) (string, error) {
		if text, is := helps[strings.Join(words, " ")]; is {
			return text, nil
		}
		return "", errors.New("no such command")
	}
	of := func(lines string) []file { return []file{{"R/commands.R", []byte(lines), 0o644}} }
	pages := longtest.Must(pagesForR(of("COMMON_FLAGS <- \"out width\"\nmy_gap <- command(\"gap\", \"T function quick\")\n"), help))(t)
	const want = `\name{my_gap}
\alias{my_gap}
\title{Which 5\% count?}
\description{
gap \{says\} toy_name = a \\n.
}
\usage{
my_gap(..., T = NULL, ` + "`function`" + ` = NULL, quick = NULL, out = NULL, width = NULL,
  progress = interactive())
}
\arguments{
  \item{\dots}{what stands behind the command, such as a file.}
  \item{T}{numbers of distributions}
  \item{function}{of}
  \item{quick}{soon}
  \item{out, width}{arguments of all commands; \code{breadboard_help("output")} explains them.}
  \item{progress}{whether a line on the console shows how far the command is.}
}
\details{
\preformatted{With T = 3.}
}
\value{
A data frame, a list of arrays or a text (see \link{commands}). Of a data frame, \code{labels(x)}
explains the columns and \code{units(x)} has their units.
}
\examples{
\dontrun{
my_gap("f.csv", T = c(2, 3), quick = TRUE, ` + "`function`" + ` = "x0")
}
}
\seealso{\link{commands} explains how arguments are given.}
\keyword{interface}
`
	if len(pages) != 1 || pages[0].path != "man/my_gap.Rd" || string(pages[0].content) != want {
		t.Errorf("got\n%s", pages[0].content)
	}
	for _, lines := range []string{"", "COMMON_FLAGS <- \"out\"\nlost <- command(\"lost\", \"\")\n"} {
		if _, err := pagesForR(of(lines), help); err == nil {
			t.Errorf("no error for %q", lines)
		}
	}
}
