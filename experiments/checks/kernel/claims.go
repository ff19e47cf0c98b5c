package kernel

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/exact/kernel"
	"breadboard/experiments/programs"
	"breadboard/reports/check"
)

// These are the tolerances for what a kernel claims of itself. They are absolute, because they
// compare probabilities.
const (
	rowTolerance  = 1e-12
	flowTolerance = 1e-12
)

// within adds a finding that passes if its value is within the tolerance, and otherwise has the
// given verdict.
func (k underBeta) within(name string, value, tolerance float64, otherwise check.Verdict, where string) {
	switch {
	case !(value <= tolerance):
		k.addExact(name, value, tolerance, otherwise, where)
	case value > loose && k.digits != "":
		verdict := check.Pass
		what := "within what its %s explain; %s"
		switch {
		case otherwise == check.Note:
			verdict = check.Note
		case k.whole: // nothing else shows that the numbers are rounded
			verdict = check.Open
			what = "wrong if its numbers are exact; that they are rounded to %s may explain it: write all digits; %s"
		}
		k.addExact(name, value, tolerance, verdict,
			fmt.Sprintf(what, k.digits, where))
	case value > loose:
		k.addExact(name, value, tolerance, check.Note, "within rounding and enumeration errors; "+where)
	default:
		k.addExact(name, value, tolerance, check.Pass, "")
	}
}

// single is the largest part of the probability of a state that is lost if probabilities are
// computed in single precision.
const single = 8 * 0x1p-24

// loose is the value above which a finding that is within its tolerance is a Note, and not a Pass.
const loose = 1e-9

// claims adds the findings that decide whether a kernel is right. It reports whether a state is out
// of balance that is too unlikely for the sum of all flows to show it.
func (k *Row) claims(beta float64, d *kernel.Diagnosis, candidate chains.Kernel) (own bool) {
	here := k.under(beta)
	row := rowTolerance + d.Remainder
	slack := flowTolerance + d.Missing
	rounding := 0.0
	if m, ok := candidate.(*programs.Matrix); ok {
		row += m.Slack()
		slack += m.Rounding
		rounding, k.digits = m.Rounding, m.Digits()
		k.whole = d.RowSum <= rowTolerance && !m.IsRounded()
	}
	if d.Remainder > 0 {
		here.within("enumeration_remainder", d.Remainder, rowTolerance, check.Note,
			"its loops have no bound; the rows are known up to this probability")
	}
	here.within("row_sum", d.RowSum, row, check.Fault, fmt.Sprintf("row of state %s", k.stateName(d.RowSumAt)))
	own = d.RowSum <= row && d.Invariance <= slack && k.own(beta, d, candidate, rounding)
	if !own {
		where := fmt.Sprintf("state %s gets %+.3g", k.stateName(d.InvarianceAt), d.Defect[d.InvarianceAt])
		// a state of which a larger part is lost is wrong in any precision
		if d.Invariance > loose && d.LargestShare() <= single {
			where += ", which is the rounding of single precision: compute in double precision (float64)"
		}
		here.within("invariance", d.Invariance, slack, check.Fault, where)
	}
	flow := func(at [2]int) string {
		return fmt.Sprintf("between states %s and %s", k.stateName(at[0]), k.stateName(at[1]))
	}
	switch {
	case d.HasReversal:
		here.within("detailed_balance", d.Balance, slack, check.Note,
			"not reversible, as declared; "+flow(d.BalanceAt))
		here.within("reversal", d.Reversal, slack, check.Fault,
			"the declared time reversal is wrong; "+flow(d.ReversalAt))
	case saysReversible(candidate):
		here.within("detailed_balance", d.Balance, slack, check.Fault,
			"declared reversible, but is not with respect to the target; "+flow(d.BalanceAt))
	case d.OfLibrary:
		here.within("detailed_balance", d.Balance, slack, check.Fault,
			"not reversible with respect to the target, and it declares no time reversal; "+flow(d.BalanceAt))
	case d.Invariance > slack:
		here.within("detailed_balance", d.Balance, slack, check.Fault,
			"not reversible with respect to the target, and it leaves another distribution invariant; "+
				flow(d.BalanceAt))
	default:
		here.within("detailed_balance", d.Balance, slack, check.Note,
			"not reversible; its time reversal is computed from its rows; "+flow(d.BalanceAt))
	}
	return own
}

// own adds the finding of a state that is out of balance by more of its own probability than
// rounding explains, or of which rounding leaves nothing known, and reports whether there is one.
func (k *Row) own(beta float64, d *kernel.Diagnosis, candidate chains.Kernel, rounding float64) bool {
	here := k.under(beta)
	if to, p, explained := d.Leak(); p > 0 {
		verdict := check.Fault
		where := fmt.Sprintf("a move goes to state %s, where f is zero, with probability %.3g", k.stateName(to), p)
		if explained {
			verdict = check.Open
			where += ", which rounding may explain: write 0"
		}
		here.addExact("invariance", p, 0, verdict, where)
		return true
	}
	wrong, blind := d.Own(candidate, rowTolerance, rounding)
	says := func(o kernel.Own) string {
		verb := "gains"
		if o.Change < 0 {
			verb = "loses"
		}
		if o.Change == 0 {
			return fmt.Sprintf("state %s is in balance", k.stateName(o.State))
		}
		return fmt.Sprintf("state %s %s %.3g times its own probability in one move", k.stateName(o.State), verb,
			math.Abs(o.Change))
	}
	switch {
	case wrong.State >= 0:
		here.addExact("invariance", math.Abs(wrong.Change), wrong.Excused, check.Fault, says(wrong))
	case blind.State >= 0:
		here.addExact("invariance", math.Abs(blind.Change), blind.Excused, check.Open,
			says(blind)+
				", which rounding may explain: write all digits, and compute small probabilities directly "+
				"and not as one minus the others")
	default:
		return false
	}
	return true
}

// saysReversible reports whether a kernel in another program says that it is reversible.
func saysReversible(candidate chains.Kernel) bool {
	p, is := candidate.(*programs.Program)
	if !is {
		return false
	}
	reversible, stated := p.Reversible()
	return stated && reversible
}
