package papers

import (
	"cmp"
	"slices"
)

// Figure is a figure or a table of a paper that this program draws, exactly or in kind.
type Figure struct {
	Paper   string // the key of the paper
	Name    string // as in "Figure 3"
	Shows   string // what theirs shows, in our words
	Command string // the command line that draws ours, without the program's name and --out
	Effort  Effort // empty is Fast
}

// Figures returns the figures of all papers.
func Figures() []Figure {
	return slices.Concat(reliabilityFigures(), aideFigures(), sandwichingFigures(), benchmarkFigures())
}

// Within reports whether drawing the figure takes at most an effort.
func (f *Figure) Within(most Effort) bool { return cmp.Or(f.Effort, Fast).Within(most) }
