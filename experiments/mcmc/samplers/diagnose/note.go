package diagnose

import (
	"strings"

	"breadboard/chains"
)

// Note is a remark on a row besides its numbers.
type Note struct {
	Column string // the column that it is about; empty if it is about the row
	Input  bool   // whether it says how the draws were read
	chains.Advice
}

// noteOf returns a note about a row, from a format as chains.NewAdvice takes it.
func noteOf(format string, args ...any) Note { return Note{Advice: chains.NewAdvice(format, args...)} }

// joined returns notes as one text.
func joined(notes []Note) string {
	var texts []string
	for _, n := range notes {
		texts = append(texts, n.Error())
	}
	return strings.Join(texts, "; ")
}
