package hypotheses

import (
	"strconv"
	"strings"
)

// Unknown is the name of the hypothesis that the program does something that none of the others does. Its law is a mixture: of
// what is nearly right, of what is nearly one of the other hypotheses, and of anything else (see unlisted.go).
const Unknown = "none of these"

// The names of the hypotheses that are not about single chains, and so stand Beside the others.
const (
	Dependent = "chains that depend on each other"
	OneStream = "one random stream for both directions"
	Repeated  = "chains that repeat earlier ones"
)

// The names of one bug in the two directions: the increment is taken on the wrong side of the move.
const (
	AfterMove  = "weight taken after the move"
	BeforeMove = "weight taken before the move"
)

// OfMany returns the names of the hypotheses that are not about single chains.
func OfMany() []string { return []string{Dependent, OneStream, Repeated} }

// Description says what a hypothesis is.
type Description struct {
	Name string
	Doc  string // one sentence, with stages t = 2..T and inverse temperatures b_t as in the README of a task
}

// All returns every hypothesis: the Specification first, then the ways to get it wrong, and Unknown last. Which of them have
// a meaning depends on the task and the direction.
func All() []Description {
	var all []Description
	for _, h := range list() {
		all = append(all, Description{h.name, h.doc})
	}
	return append(all,
		Description{Dependent, "The chains of one direction are not independent of each other, as where a chain starts from the end of the one before it."},
		Description{OneStream, "The i-th forward chain and the i-th reverse chain use the same random numbers, as where two programs have one seed."},
		Description{Repeated, "Blocks of chains come again as they were before, as where an index into a table of random numbers overflows or a seed is used twice."},
		Description{Unknown, "The program does something that no other hypothesis describes."})
}

// Describe returns the sentence that says what the hypothesis of a name is, and "" for any other name.
func Describe(name string) string {
	for _, d := range All() {
		if d.Name == name {
			return d.Doc
		}
	}
	return ""
}

// ends names the ends that a key stands for.
func ends(columns Columns, key, n int, state func(x int) string) string {
	first, last := columns.ends(key, n)
	text := ""
	if first >= 0 {
		text += ", x_1 = " + state(first)
	}
	if last >= 0 {
		text += ", x_T = " + state(last)
	}
	return text
}

func trimmed(text string) string { return strings.TrimPrefix(text, ", ") }

func sixDigits(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
