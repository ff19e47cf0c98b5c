package table

import (
	"fmt"
	"io"
)

// Style says how a table is written.
type Style struct {
	Format  Format
	Version string // the version of the program, which Parquet has in its metadata; empty for none
	// Digits is the number of significant digits of all numbers for people, shares in percent among them; 0 leaves each column its
	// own. A number that is part of a text, such as a bound, keeps its digits.
	Digits  int
	Width   int  // the number of characters to which a line of Text is fitted where that can be done (see Fit); 0 is any number
	Colour  bool // whether Text has verdicts in colour, by the sequences of characters that terminals understand
	SIUnitx bool // whether LaTeX has numbers in the commands of the package siunitx
}

// Fit says what was done to a table so that its lines have no more characters than there was room for.
type Fit struct {
	Omitted   []string // the columns that were left out: their names, or their titles where they have no names
	Shortened bool     // whether some cells have lost their ends, in whose place they have an ellipsis
}

// WriteStyled writes the table as Write does, in a style.
func (t *Table) WriteStyled(w io.Writer, s Style) (Fit, error) {
	if s.Digits < 0 {
		return Fit{}, fmt.Errorf("%d significant digits", s.Digits)
	}
	switch s.Format {
	case JSON:
		return Fit{}, t.writeJSON(w)
	case CSV:
		return Fit{}, t.writeCSV(w)
	case LaTeX:
		return Fit{}, t.writeLaTeX(w, s)
	case Parquet:
		return Fit{}, t.writeParquet(w, s.Version)
	case Markdown:
		return Fit{}, t.writeMarkdown(w, s)
	}
	return t.writeText(w, s)
}
