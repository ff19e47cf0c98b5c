package kernel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// irreducible is the name of the finding with the number of classes of states of a kernel.
const irreducible = "irreducible"

// Answer is the answer to one question about a kernel.
type Answer struct {
	Asks string
	Yes  bool
	Says string // the answer in words
}

// Answers answers three questions: does the kernel leave the distributions invariant, does it join
// all states, and do its chains sample the distributions? It returns none for a kernel whose
// program failed at once, and for programs that make their own choices, whose rows are not known.
func Answers(rows []Row) (list []Answer) {
	of := [3]Answer{
		{"does it leave the target invariant?", true, "yes"}, {"does it join all states?", true, "yes"},
		{"do its chains sample the target?", true, "yes"}}
	says := func(i int, format string, arguments ...any) {
		if of[i].Yes {
			of[i].Yes, of[i].Says = false, fmt.Sprintf(format, arguments...)
		}
	}
	known := false
	for i := range rows {
		k := &rows[i]
		for _, f := range slices.Backward(k.Findings) { // the target comes last
			at := k.atBeta(f.Beta, len(rows) > 1)
			known = known || f.Name == irreducible || f.Name == "invariance"
			switch {
			case (f.Name == "invariance" || f.Name == "row_sum") && f.Verdict == check.Fault:
				says(0, "no%s%s", k.atBeta(k.DefectBeta, len(rows) > 1), k.Other.says())
				if joins, why := k.Other.joins(); !joins {
					says(1, "%s", why)
				}
				says(2, "no")
			case f.Name == "invariance" && f.Verdict == check.Open:
				says(0, "open%s: %s", at, f.Where)
				says(2, "open")
			case f.Name == irreducible && f.Value != 1:
				says(1, "no%s: %s", at, f.Where)
				says(2, "no: a chain never leaves the class of its first state")
			case f.Name == "period" && f.Value != 1 && f.Beta == slices.Max(k.Betas):
				says(2, "averages over many moves do; the distribution of its state runs through a cycle "+
					"of %v moves%s and does not converge",
					f.Value, at)
			}
		}
	}
	if !known {
		return nil
	}
	return of[:]
}

// atBeta says at which distribution something was found, if there are several.
func (k *Row) atBeta(beta float64, toys bool) (at string) {
	if toys {
		at = " on " + k.Toy.Name
	}
	if len(k.Betas) > 1 {
		at += fmt.Sprintf(" at beta %v", beta)
	}
	return at
}

// Reducible returns the finding that a kernel leaves a distribution invariant but does not join all
// states, and false if there is none.
func (k *Row) Reducible() (Finding, bool) {
	at := slices.IndexFunc(k.Findings, func(f Finding) bool { return f.Name == irreducible && f.Value != 1 })
	if at < 0 {
		return Finding{}, false
	}
	return k.Findings[at], true
}

// Other is the distribution that a kernel leaves invariant instead of the target.
type Other struct {
	Beta     float64
	States   []OtherState // those whose probabilities are the farthest apart, the worst first
	distance float64      // in total variation
	left     int          // the states of the target to which a chain does not return
	why      string       // why there is no such distribution; else empty
	several  bool         // there are several, so that the kernel does not join all states
	explains string       // the explanation; empty if there is none
}

// OtherState is a state with its two probabilities.
type OtherState struct {
	Toy, Label               string
	Beta, Target, P, Inverse float64 // Inverse is P/Target; infinite if the target has no such state
}

// OtherColumns lists the columns of the states of Other.
func OtherColumns() columns.List {
	return columns.List{
		columns.Of("toy", "toy", columns.MeansRows, func(s *OtherState) string { return s.Toy }),
		columns.Of("beta", "beta", "the inverse temperature of the distribution",
			func(s *OtherState) float64 { return s.Beta }),
		columns.Of("state", "state", "the state, by its label or number",
			func(s *OtherState) string { return s.Label }),
		columns.Of("target", "target", "the probability of the state under the distribution",
			func(s *OtherState) float64 { return s.Target }).Digits(6),
		columns.Of("invariant", "invariant",
			"the probability of the state under the distribution that the kernel leaves invariant",
			func(s *OtherState) float64 { return s.P }).Digits(6).Answer(),
		columns.Of("ratio", "ratio", "invariant divided by target",
			func(s *OtherState) float64 { return s.Inverse }).Digits(6).Answer(),
	}
}

// mostOther is how many states of Other are shown.
const mostOther = 10

// other finds the distribution that a wrong kernel leaves invariant, and what explains it.
func (k *Row) other(ctx context.Context, beta float64, d *kernel.Diagnosis, logf []float64) error {
	o := &Other{Beta: beta}
	pi, err := d.Stationary(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		o.why, o.several = err.Error(), errors.Is(err, kernel.ErrSeveral)
	default:
		p := slices.Clone(logf)
		chains.Normalize(p)
		for x := range p {
			o.distance += math.Abs(pi[x]-p[x]) / 2
			if pi[x] == 0 && p[x] > 0 {
				o.left++
			}
			o.States = append(o.States, OtherState{k.Toy.Name, k.Toy.State(x), beta, p[x], pi[x], pi[x] / p[x]})
		}
		o.explains = k.explain(d, pi, logf)
		slices.SortStableFunc(o.States,
			func(a, b OtherState) int { return -cmp.Compare(math.Abs(a.P-a.Target), math.Abs(b.P-b.Target)) })
		o.States = o.States[:min(len(o.States), mostOther)]
	}
	k.Other = o
	return nil
}

// says says what the kernel leaves invariant, after the answer no.
func (o *Other) says() string {
	switch {
	case o == nil:
		return ""
	case o.why != "":
		return "; " + o.why
	}
	text := fmt.Sprintf("; it leaves another distribution invariant, at a total variation of %.3g from the target",
		o.distance)
	if o.explains != "" {
		text += ": " + o.explains
	}
	return text
}

// Named returns the distribution that the kernel leaves invariant in words, as f(x)^2, and "" if
// nothing explains it.
func (o *Other) Named() string {
	if o == nil {
		return ""
	}
	return o.explains
}

// joins reports whether the kernel joins all states of the target, and if not, the answer.
func (o *Other) joins() (yes bool, says string) {
	switch {
	case o == nil:
		return false, "not checked, since it does not leave the target invariant"
	case o.several:
		return false, "no: " + o.why
	case o.why != "":
		return false, "not known: " + o.why
	case o.left > 0:
		return false, fmt.Sprintf("no: it does not return to %s of the target", selector.Count(o.left, "state"))
	}
	return true, ""
}

// exactly is how near the log of the ratio of two distributions is to what explains it, in nats.
const exactly = 1e-6

// explain says what the distribution pi is that a kernel leaves invariant, if it is that of f times
// the number of neighbours, the same divided by it, or a power of f. It is empty for any other.
func (k *Row) explain(d *kernel.Diagnosis, pi, logf []float64) string {
	ways := make([]float64, len(pi))
	around := make([]float64, len(pi))
	for x := range pi {
		for _, e := range d.Row(x) {
			if e.To != x && e.P > 0 {
				ways[x]++
			}
		}
		for range grid.Neighbours(k.Toy.Space, x) {
			around[x]++
		}
	}
	var ratio, logp []float64 // log pi/f and log f, of the states that count
	var degrees [2][]float64
	for x, l := range logf {
		if math.IsInf(l, -1) != (pi[x] == 0) {
			return ""
		}
		if pi[x] > 0 {
			ratio, logp = append(ratio, number.Log(pi[x])-l), append(logp, l)
			degrees[0], degrees[1] = append(degrees[0], number.Log(ways[x])),
				append(degrees[1], number.Log(around[x]))
		}
	}
	for i, name := range []string{"the number of states to which a move can go", "the number of neighbours"} {
		if slope, fits := line(degrees[i], ratio); fits && math.Abs(math.Abs(slope)-1) < exactly {
			if slope > 0 {
				return fmt.Sprintf("f(x) times %s from x, as if the proposals were not corrected for the number of "+
					"neighbours; multiply f(y)/f(x) by the number of neighbours of x over that of y",
					name)
			}
			return fmt.Sprintf(
				"f(x) divided by %s from x, as if a correction for the number of neighbours were upside "+
					"down or not needed",
				name,
			)
		}
	}
	if slope, fits := line(logp, ratio); fits && math.Abs(1+slope) < exactly {
		return "the uniform distribution, as if log f were not used"
	} else if fits && math.Abs(slope) > 1e-6 { // less is rounding, and 1 the right power
		base := ""
		if math.Abs(math.Abs(number.Log(1+slope))-number.Log(math.Ln10)) < exactly {
			base = ", or with logarithms in base 10 and natural ones confused"
		}
		return fmt.Sprintf("f(x)^%.6g, as at %.6g times the inverse temperature%s", 1+slope, 1+slope, base)
	}
	return k.swapped(pi, logf)
}

// swapped says that pi is f with two axes exchanged. It is empty if it is not.
func (k *Row) swapped(pi, logf []float64) string {
	l := k.Toy.Lattice()
	if l == nil {
		return ""
	}
	for a := range l.Dims() {
		for b := range a {
			if l.Side(a) != l.Side(b) {
				continue
			}
			as := 0.0 // the log of the sum of f, at every state if the axes are exchanged
			same := true
			for x, p := range pi {
				z := logf[l.Swapped(x, a, b)] - number.Log(p)
				if x == 0 {
					as = z
				}
				same = same && math.Abs(z-as) <= exactly
			}
			if same {
				axes := k.Toy.Variables()
				return fmt.Sprintf("f with its axes %s and %s exchanged, as if columns were swapped",
					axes[b].Name, axes[a].Name)
			}
		}
	}
	return ""
}

// line returns the slope of the line through points, and whether all of them are on it and x is not
// the same everywhere.
func line(x, y []float64) (slope float64, fits bool) {
	if len(x) < 3 {
		return 0, false
	}
	low, high := 0, 0
	for i := range x {
		if x[i] < x[low] {
			low = i
		}
		if x[i] > x[high] {
			high = i
		}
	}
	if !(x[high]-x[low] > exactly) || math.IsInf(x[low], 0) || math.IsInf(x[high], 0) {
		return 0, false
	}
	slope = (y[high] - y[low]) / (x[high] - x[low])
	for i := range x {
		if !(math.Abs(y[i]-y[low]-slope*(x[i]-x[low])) <= exactly) {
			return 0, false
		}
	}
	return slope, true
}
