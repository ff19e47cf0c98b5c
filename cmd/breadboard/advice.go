package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments/subject"
	"breadboard/grid"
)

// sizeAdvice returns the sentence with which the refusal of a question ends that is too large and
// nothing else: the command or the flag that answers something near. It is empty for other errors,
// and if none is known.
func (a *app) sizeAdvice(c *cobra.Command, err error) string {
	large, is := errors.AsType[grid.TooLarge](err)
	if !is {
		return ""
	}
	toy := onlyToy(c)
	classes := c.Flags().Lookup("kernel") != nil && !strings.HasPrefix(toy, "quotient:")
	listed := large.What != "states" || large.Need <= 1<<20 // what asks less of the states can list them
	switch {
	case listed && c.Annotations[smaller] != "":
		return ". " + c.Annotations[smaller]
	case classes && strings.HasSuffix(toy, ":torus"),
		classes && (large.What == "entries" || large.What == "edges"):
		return ". With --toy quotient:values:" +
			toy + " states that symmetries make equal are one state, for the kernels flip and heatbath"
	case large.What != "states" || !eliminates(a.reader.Forms, toy):
		return ""
	case selector.Named(toy, []string{"hmm"}):
		return ". Its particle filter has its exact bias by breadboard evidence --toy " + toy +
			" --estimator pf:2:systematic"
	case c.Flags().Lookup("distributions") != nil:
		return ". Chains on its factors bracket the exact log Z by breadboard ais --kernel heatbath-scan"
	}
	return ". Log Z and the probabilities of single variables come without a list of states by breadboard network"
}

// onlyToy returns the toy of the question, and "" unless there is exactly one.
func onlyToy(c *cobra.Command) string {
	flag := c.Flags().Lookup("toy")
	if flag == nil {
		return ""
	}
	several, is := flag.Value.(listValue)
	if !is {
		return flag.Value.String()
	}
	if list := several.GetSlice(); len(list) == 1 {
		return list[0]
	}
	return ""
}

// mostSites is how many spins of a plane an order of elimination is looked for, for a piece of
// advice.
const mostSites = 1 << 14

// eliminates reports whether a toy is a product of factors whose variables can be summed out one by
// one.
func eliminates(forms subject.Forms, toy string) bool {
	if toy == "" || forms.DemandOf(toy).Sites > mostSites {
		return false
	}
	q, err := forms.Factored(toy, "", "")
	return err == nil && q.Fits() == nil
}
