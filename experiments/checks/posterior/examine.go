package posterior

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// Finding is one result about a sampler, with the data that show it most.
type Finding struct {
	check.Finding
	Data string
}

// Columns lists the columns of findings.
func Columns() columns.List {
	list := check.ReasonFirst(
		check.Columns[Finding](Support, Invariance, Reaches, Distance, LogJoint, order, LogEvidence),
	)
	data := columns.Of(
		"data",
		"data",
		"the data for which the value is farthest from right; empty if they do not matter",
		func(f *Finding) string { return f.Data },
	)
	return append(columns.List{list[0], data}, list[1:]...)
}

// The findings.
const (
	Support     = "support"     // the step or sampler draws what the posterior excludes
	Invariance  = "invariance"  // the step leaves the posterior invariant
	Reaches     = "reaches all" // the step joins all parameters
	Distance    = "distance"    // total variation of the direct sampler from the posterior
	LogJoint    = "log_joint"   // log joint density against prior and simulator
	order       = "order"       // the answers do not depend on the questions before
	LogEvidence = "log_z"       // mean of the estimates of p(y)
)

// tolerance is how far a flow may be from balance, relative to the state's own probability, and a
// density or a mean from right, relative to itself: far above the rounding of the user's program,
// and far below any fault.
const tolerance = 1e-9

// missingPart is the part of the probability of other states that may be missing in an entry which
// a program has found by subtraction from one.
const missingPart = 0x1p-49

// askedAgain is about how many requests are asked again, in another order.
const askedAgain = 500

// Outcome is the result of Examine.
type Outcome struct {
	*Model
	Findings []Finding
	Tests    []Test  // the power of other tests against a fault
	Untested string  // the reason why there are none
	faulty   sampler // the last sampler that is wrong; nil if none is
	steps    [][][]chains.Entry
}

// Options are the options of Examine.
type Options struct {
	Strict bool // whether a step that does not join all parameters is wrong
	Draws  int  // L, the draws of a rank in SBC
	Moves  int  // of a chain before its end is a draw
	Runs   int  // of the tests whose power is computed
	Alpha  float64
}

// Examine tests everything that the program answers, and computes the power of other tests against
// a fault. It calls progress with numbers of finished requests.
func (m *Model) Examine(ctx context.Context, o Options, progress func(int)) (*Outcome, error) {
	out := &Outcome{Model: m}
	m.every = 1 + m.Requests()/askedAgain
	for _, part := range []struct {
		request string
		test    func(context.Context, Options, func(int)) error
	}{{asksStep, out.examineStep}, {asksDirect, out.direct}, {asksJoint, out.density},
		{asksEstimate, out.estimates}} {
		if !m.Has(part.request) {
			continue
		}
		if err := part.test(ctx, o, progress); err != nil {
			return nil, err
		}
	}
	differs, err := m.repeat(ctx)
	if err != nil {
		return nil, err
	}
	if differs != "" {
		out.Findings = append(out.Findings, Finding{Finding: check.Finding{
			Name:      order,
			Value:     1,
			Tolerance: 0,
			Verdict:   check.Fault,
			Where:     differs,
		}})
	}
	if out.faulty != nil {
		return out, out.seen(ctx, o)
	}
	return out, nil
}

// Requests returns how many requests Examine makes.
func (m *Model) Requests() (n int) {
	for y := range m.Data {
		for x := range m.Parameters {
			if m.Has(asksStep) && m.possible(y, x) {
				n++
			}
			if m.Has(asksJoint) {
				n++
			}
		}
		for _, request := range []string{asksDirect, asksEstimate} {
			if m.Has(request) {
				n++
			}
		}
	}
	return n
}

// Limits describes what a pass leaves open.
func (o *Outcome) Limits() (text string) {
	if o.Some {
		text += ", for the data that were given"
	}
	for _, f := range o.Findings {
		if f.Name == Reaches && f.Verdict == check.Note {
			text += "; but the step alone does not join all parameters"
		}
	}
	return text
}

func (o *Outcome) addFinding(f check.Finding, y int) {
	data := ""
	if y >= 0 {
		data = o.Data[y]
	}
	if f.Verdict == check.Fault {
		f.Where = "data " + data + ": " + f.Where
	}
	o.Findings = append(o.Findings, Finding{f, data})
}

// worst is the largest of values, with where it is.
type worst struct {
	value float64
	y, x  int
	text  string
}

func newWorst() worst { return worst{value: -1, y: -1} }

func (w *worst) keepWorst(value float64, y, x int, text string) {
	if value > w.value || math.IsNaN(value) {
		*w = worst{value, y, x, text}
	}
}
