package verdicts

import (
	"fmt"
	"math"
	"sort"

	"breadboard/chains/number"
	"breadboard/exact/weights"
)

// Event is the event that a number, such as log Zhat - log Z, lies in an interval.
type Event struct {
	Name      string  // the event in words, as in "log Zhat <= 1.5"
	Low, High float64 // the ends of the closed interval
	// bounds on the probability if the claim is true; Value is between 0 and 1 unless it is certain
	P weights.Bracket
}

// certain reports whether the event happens always, or never.
func (e *Event) certain() bool { return e.P.Low == 1 || e.P.High == 0 }

// Events is an e-process for the claim that events of independent numbers have probabilities within
// bounds: the average over the events of LevelsLogE of their counts. It is +Inf once an impossible
// event has happened.
//
// A number that is known only between bounds may have an event or not. The possibility with the
// least evidence against the claim counts.
//
// With E_i the e-value of the count of event i among n numbers, the e-value is (E_1 + ... + E_m)/m,
// whose mean is at most one if that of each is. Adding a number takes O(m).
type Events struct {
	list     []Event
	in, open []int // of each event: how many numbers have it for certain, and how many may have it
	// of each event: the first number, counted from 0, that has it or has it not although that
	// never happens; -1 if there is none
	against []int
	n       int
}

// newEvents returns the test of some events, at least one.
func newEvents(list []Event) *Events {
	e := &Events{
		list:    list,
		in:      make([]int, len(list)),
		open:    make([]int, len(list)),
		against: make([]int, len(list)),
	}
	for i := range e.against {
		e.against[i] = -1
	}
	return e
}

// Add takes a number that is known to be from low to high. Either may be infinite.
func (e *Events) Add(low, high float64) {
	for i, event := range e.list {
		never := event.P.Low == 1
		switch {
		case low >= event.Low && high <= event.High:
			e.in[i]++
			never = event.P.High == 0
		case high >= event.Low && low <= event.High:
			e.open[i]++
			never = false
		}
		if never && e.against[i] < 0 {
			e.against[i] = e.n
		}
	}
	e.n++
}

// LogE returns the logarithm of the e-value.
func (e *Events) LogE() float64 {
	terms := make([]float64, len(e.list))
	for i := range terms {
		terms[i] = e.eventLogE(i)
	}
	return number.LogMean(terms)
}

// eventLogE returns the log e-value of one event.
func (e *Events) eventLogE(i int) float64 {
	switch {
	case e.against[i] >= 0:
		return math.Inf(1)
	case e.list[i].certain():
		return 0
	}
	level := []Level{{P: e.list[i].P}}
	at := func(more int) float64 { return LevelsLogE([]int{e.in[i] + more}, e.n, level) }
	// The e-value is a convex function of the count (see verdicts.Detectable), and so falls to its
	// least value and then rises.
	return at(sort.Search(e.open[i], func(k int) bool { return at(k+1) >= at(k) }))
}

// Where returns the count of the event with the most evidence against the claim. Things names the
// counted objects, as in "estimate".
func (e *Events) Where(things string) string {
	worst := 0
	most := math.Inf(-1)
	for i := range e.list {
		if v := e.eventLogE(i); v > most {
			worst = i
			most = v
		}
	}
	event := &e.list[worst]
	text := fmt.Sprintf("%s: %d of %d %ss", event.Name, e.in[worst], e.n, things)
	if open := e.open[worst]; open > 0 {
		text += fmt.Sprintf(", and %d undecided by rounding", open)
	}
	text += ", " + expected(event.P, float64(e.n)) + " expected"
	if first := e.against[worst]; first >= 0 {
		text += fmt.Sprintf("; the first impossible one is %s %d", things, first)
	}
	return text
}

// expected writes bounds on a mean number.
func expected(p weights.Bracket, n float64) string {
	switch {
	case p.High-p.Low < 1e-9:
		return fmt.Sprintf("%.6g", n*p.Value)
	case p.High == 1:
		return fmt.Sprintf("at least %.6g", n*p.Low)
	case p.Low == 0:
		return fmt.Sprintf("at most %.6g", n*p.High)
	}
	return fmt.Sprintf("from %.6g to %.6g", n*p.Low, n*p.High)
}

// Deviation has the wrong probabilities of an event that would have been found.
type Deviation struct {
	Event
	Draws int
	// every probability of at most Low or of at least High; infinite if there is none on that side
	Low, High float64
}

// deviations returns for each event that is not certain what that many numbers would have found:
// with a probability of at least verdicts.DetectionProbability the e-value had reached the
// threshold, which must be at least -log(1 - verdicts.DetectionProbability), had the probability of
// the event been Low or less, or High or more. It is empty if there were no numbers.
func (e *Events) deviations(logThreshold float64) (out []Deviation) {
	if e.n == 0 {
		return nil
	}
	for _, event := range e.list {
		if event.certain() {
			continue
		}
		low, high := DetectableLevel(event.P, e.n, logThreshold+number.Log(float64(len(e.list))))
		out = append(out, Deviation{event, e.n, low, high})
	}
	return out
}

// Flow counts the moves between two states x < y: from x to y, and from y to x.
type Flow struct {
	X, Y   int
	Counts [2]int
}

// FlowsLogE returns the log e-value of moves from independent draws of a distribution p against the
// hypothesis that the kernel is reversible with respect to p. Then the flow from x to y is the flow
// from y to x, so that each move between the two is a fair coin. Each pair has the mixture over the
// Beta(kappa/2, kappa/2) distributions, as in CountsLogE. The result is the mean of two e-values:
// the mean over kappa of the product over the pairs, which finds a slight fault at many pairs, and
// the mean over all pairs of the given number of states, which finds a fault at one pair. Pairs
// without a move may be omitted.
//
// Source: see CountsLogE.
func FlowsLogE(flows []Flow, states int) float64 {
	kappas := concentrations()
	var all [ConcentrationCount]float64
	each := make([]float64, 0, len(flows)+1)
	for _, f := range flows {
		a, b := float64(f.Counts[0]), float64(f.Counts[1])
		var terms [ConcentrationCount]float64
		for k, kappa := range kappas {
			terms[k] = excessRising(kappa/2, a) + excessRising(kappa/2, b) - excessRising(kappa, a+b)
			all[k] += terms[k]
		}
		each = append(each, number.LogMean(terms[:]))
	}
	pairs := float64(states) * float64(states-1) / 2
	return number.LogMean([]float64{number.LogMean(all[:]), logMeanWithOnes(each, pairs)})
}

// WorstFlow returns the two states between which the moves in both directions differ most, in
// standard deviations.
func WorstFlow(flows []Flow, name func(x int) string) string {
	worst := -1
	size := 0.0
	for i, f := range flows {
		off := float64(f.Counts[0] - f.Counts[1])
		n := float64(f.Counts[0] + f.Counts[1])
		if z := off * off / n; n > 0 && z > size {
			worst = i
			size = z
		}
	}
	if worst < 0 {
		return "equally many moves in both directions between all states"
	}
	f := flows[worst]
	return fmt.Sprintf("%d moves from state %s to state %s, and %d back",
		f.Counts[0], name(f.X), name(f.Y), f.Counts[1])
}

// logMeanWithOnes returns the log of the mean of n e-values: exp(v), and a one for each of those
// that v has not.
func logMeanWithOnes(v []float64, n float64) float64 {
	if n < 1 {
		return 0
	}
	top := 0.0
	for _, x := range v {
		top = max(top, x)
	}
	total := (n - float64(len(v))) * math.Exp(-top)
	for _, x := range v {
		total += math.Exp(x - top)
	}
	return top + number.Log(total/n)
}

// Level is a log weight X with bounds on P(log w < X).
type Level struct {
	X float64
	P weights.Bracket
}

// LevelsLogE returns the log e-value of the numbers, out of n log weights, that are below each
// level. The probability of being below a level is known within bounds. The e-value of a level is
// the mixture likelihood of CountsLogE divided by the largest likelihood of a probability within
// the bounds; it is no larger than with the true probability, so that bounds of any width give no
// false alarm. The result is the average over the levels.
func LevelsLogE(below []int, n int, levels []Level) float64 {
	terms := make([]float64, len(levels))
	for i, l := range levels {
		terms[i] = levelLogE(below[i], n, l.P)
	}
	return number.LogMean(terms)
}

// levelLogE returns the log e-value of one level.
func levelLogE(below, n int, p weights.Bracket) float64 {
	counts := [2]int{below, n - below}
	share := float64(below) / float64(max(1, n))
	best := max(p.Low, min(p.High, share))
	return CountsLogE(counts[:], []float64{p.Value, 1 - p.Value}) + hitsLogLikelihood(counts, p.Value) -
		hitsLogLikelihood(counts, best)
}

// WorstLevel returns the level whose count deviates most from its expectation, in standard
// deviations.
func WorstLevel(below []int, n int, levels []Level) string {
	worst := 0
	off := func(i int) float64 {
		p := levels[i].P.Value
		return math.Abs(float64(below[i])-float64(n)*p) / math.Sqrt(p*(1-p))
	}
	for i := range levels {
		if off(i) > off(worst) {
			worst = i
		}
	}
	l := levels[worst]
	return fmt.Sprintf("log w < %.6g: %d of %d chains, %.6g expected", l.X, below[worst], n, float64(n)*l.P.Value)
}
