package diagnose

import (
	"strings"

	"breadboard/chains/errs"
)

// Note is a remark on a row.
type Note struct {
	Column string // the column concerned; empty for the whole row
	Input  bool   // whether the remark is about reading the draws
	*errs.Advice
}

// noteOf returns a note about a row, from a format as errs.New takes it.
func noteOf(format string, args ...any) Note { return Note{Advice: errs.New(format, args...)} }

// joined returns notes as one text.
func joined(notes []Note) string {
	var texts []string
	for _, n := range notes {
		texts = append(texts, n.Error())
	}
	return strings.Join(texts, "; ")
}
