// Package reproduce answers: what do the five papers that breadboard reproduces claim, and does it
// hold? A Claim is one entry of the table of its paper in the folder claims: what is claimed and
// where, the command lines that compute it, and conditions on their tables, or a test in Go. The
// verdict follows from the test each time, and is compared with the one that was seen when the
// claim was declared.
//
// It never runs a command itself: the caller gives it a function that does. It never draws, and it
// quotes no sentence of a paper.
//
// # Add a claim of a paper
//
//  1. Add an entry [[claim]] behind the last one of its paper's file in the folder claims; the
//     identifier is the next number. Commands are command lines of the program (one that begins
//     with $ is shared, from commands.toml). Holds has conditions on numbers of their tables, like
//     "B at toy=easy, T=100 < 0.1" (condition.go has the grammar; rounds tests a printed number).
//     What they cannot say is a test in Go in the file of the paper, under the claim's identifier.
//     Verdict is what you saw; in_kind marks a smaller setting than the paper's; lacks says what is
//     missing if nothing can be computed; why says what is meant, if the paper leaves it open.
//     Files that a command names go to inputs.
//  2. Run breadboard reproduce --id with the identifier. Then change the number in holds: the
//     verdict changes, and the exit code is 1.
//  3. A claim that takes more than some seconds has the effort slow, one that takes minutes long.
//
// A figure of a paper is an entry too: what it shows, and the command that draws ours.
package reproduce

import (
	"cmp"
	"embed"
	"io/fs"
	"slices"
	"strings"
)

// keys returns the names of the papers, by which options select them, in the order in which they
// appeared in the project.
func keys() []string {
	return []string{
		// Grosse, Ancha and Roy 2016, Measuring the reliability of MCMC inference with
		// bidirectional Monte Carlo
		"bread",
		// Cusumano-Towner and Mansinghka 2017, AIDE: an algorithm for measuring the accuracy of
		// probabilistic inference algorithms
		"aide",
		// Grosse, Ghahramani and Adams 2015, Sandwiching the marginal likelihood using
		// bidirectional Monte Carlo
		"bdmc",
		// Cusumano-Towner and Mansinghka 2017, AIDE, supplementary material
		"meta",
		// Turner and Neal 2017, How well does your sampler really work?
		"samplers",
	}
}

// Kind is the sort of statement of a claim.
type Kind string

// The kinds of claims.
const (
	Number    Kind = "number"    // a printed number
	order     Kind = "order"     // one thing is larger than another
	shape     Kind = "shape"     // what a figure shows
	theorem   Kind = "theorem"   // an equation or an inequality
	statement Kind = "statement" // a sentence
	protocol  Kind = "protocol"  // how something was done
)

// Verdict is how far a claim holds.
type Verdict string

// The verdicts.
const (
	asPrinted Verdict = "as printed"
	// in a smaller or simpler setting than the paper's, or in its qualitative part
	sameInKind Verdict = "same in kind"
	// printedWrongly is a slip: another number, formula or word is meant, or two places contradict
	// each other.
	printedWrongly Verdict = "printed wrongly"
	// FailsThere: the claim does not hold in the setting of the paper.
	failsThere Verdict = "fails under the paper's own conditions"
	// FailsHere: it does not hold in a setting with choices that the paper does not state, such as
	// data, variances or the meaning of a word.
	failsHere Verdict = "fails under our reading of what the paper leaves open"
	// notTried is for results of some computing time, if the time here differs: the result then
	// gives no verdict.
	notTried Verdict = "not tried at the paper's budget"
	missing  Verdict = "cannot be recomputed here"
)

// Verdicts returns all verdicts.
func Verdicts() []Verdict {
	return []Verdict{asPrinted, sameInKind, printedWrongly, failsThere, failsHere, notTried, missing}
}

// Failed reports whether the verdict is that a claim does not hold.
func (v Verdict) Failed() bool { return v == printedWrongly || v == failsThere || v == failsHere }

// Effort is how long the commands of a claim take on two cores.
type Effort string

// The efforts, the smallest first. All claims of an effort together take a minute, some minutes,
// and an hour.
const (
	Fast Effort = "fast"
	slow Effort = "slow"
	long Effort = "long"
)

// efforts returns all efforts, the smallest first.
func efforts() []Effort { return []Effort{Fast, slow, long} }

// Within reports whether an effort is at most as large as another.
func (e Effort) Within(most Effort) bool {
	return slices.Index(efforts(), e) <= slices.Index(efforts(), most)
}

// Claim is a statement of a paper.
type Claim struct {
	ID      string // its paper's key and a number, as in bread-7
	Place   string // the place in the paper
	Kind    Kind
	Says    string // the claim, in our words
	Printed string // the printed value; empty if there is none
	// Commands are the command lines whose tables Holds reads, without the program's name. Files
	// that they name stand among Inputs.
	Commands []string
	// Conditions are those of the table of claims, all of which must hold; see fulfil. If there are
	// none, Holds is a test in Go.
	Conditions []string `toml:"holds"`
	// Holds tests the claim on the answers; the numbers that it reads are shown. For an estimate
	// from random numbers it is a test with a stated rate of false alarms. It is nil if no test is
	// possible.
	Holds func(a *Answers) bool `toml:"-"`
	// what Holds tests is the claim in kind, so that it is at most SameInKind
	InKind bool `toml:"in_kind"`
	// Lacks says what is missing: everything that a test needs, or, if there is a Holds, the
	// paper's computing time; the result of Holds is then shown and decides nothing.
	Lacks string
	// Verdict is the one that was seen when the claim was declared, and Why its reason or
	// condition.
	Verdict Verdict
	Why     string
	Effort  Effort // empty is Fast
}

// Paper returns the key of the claim's paper.
func (c *Claim) Paper() string {
	key, _, _ := strings.Cut(c.ID, "-")
	return key
}

// effort returns the effort, which is Fast if none is declared.
func (c *Claim) effort() Effort { return cmp.Or(c.Effort, Fast) }

// failure returns the verdict on the claim if its test fails. Of one that held when it was declared
// it is not known what is meant instead.
func (c *Claim) failure() Verdict {
	switch {
	case c.Verdict.Failed():
		return c.Verdict
	case c.InKind:
		return failsHere
	}
	return failsThere
}

// judge computes the verdict on a claim from the answers to its commands. A test that stumbles over
// what it has not found, such as the first number of none, has the error of what was not found.
func (c *Claim) judge(a *Answers) (v Verdict, err error) {
	if c.Holds == nil {
		return missing, nil
	}
	defer func() {
		if a.err == nil {
			return // a panic of a test that has found all its numbers is a mistake in the test, and goes on
		}
		if recover() != nil {
			v = ""
			err = a.err
		}
	}()
	held := c.Holds(a)
	switch {
	case a.err != nil:
		return "", a.err
	case c.Lacks != "":
		return notTried, nil
	case !held:
		return c.failure(), nil
	case c.InKind:
		return sameInKind, nil
	}
	return asPrinted, nil
}

// Figure is a figure or a table of a paper that this program draws, exactly or in kind.
type Figure struct {
	Paper   string // the key of the paper
	Name    string // as in "Figure 3"
	Shows   string // a description of the paper's figure
	Command string // the command line that draws breadboard's figure, without the program's name and --out
	Effort  Effort // empty is Fast
}

// Within reports whether drawing the figure takes at most an effort.
func (f *Figure) Within(most Effort) bool { return cmp.Or(f.Effort, Fast).Within(most) }

//go:embed inputs
var inputs embed.FS

// Inputs returns the files that commands of claims name, such as inputs/two.npy.
func Inputs() fs.FS { return inputs }
