package eprocess

import (
	"fmt"
	"math"
	"sort"

	"breadboard/chains/number"
	"breadboard/exact/weights"
)

// Event is that a number, such as log Zhat - log Z, lies in an interval.
type Event struct {
	Name      string          // what happens, in words, as in "log Zhat <= 1.5"
	Low, High float64         // the ends of the interval, which belong to it
	P         weights.Bracket // bounds on the probability, where the claim is true; Value is between 0 and 1 unless it is certain
}

// certain reports whether the event happens always, or never.
func (e *Event) certain() bool { return e.P.Low == 1 || e.P.High == 0 }

// Events is an e-process for the claim that independent numbers have events with probabilities within bounds: the average over the
// events of what eprocess.LevelsLogE finds by how often each has happened. It is +Inf once something has happened that never does.
//
// A number that is known only between bounds may have an event or not. Of all that may have happened what counts is what speaks
// least against the claim.
type Events struct {
	list     []Event
	in, open []int // of each event: how many numbers have it for certain, and how many may have it
	against  []int // of each event: the first number, counted from 0, that has it or has it not although that never happens; -1 where there is none
	n        int
}

// NewEvents returns the test of some events, at least one.
func NewEvents(list []Event) *Events {
	e := &Events{list: list, in: make([]int, len(list)), open: make([]int, len(list)), against: make([]int, len(list))}
	for i := range e.against {
		e.against[i] = -1
	}
	return e
}

// Add takes a number of which it is known that it is from low to high. Either may be infinite.
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
		terms[i] = e.logE(i)
	}
	return number.LogMean(terms)
}

// logE returns the log e-value of one event.
func (e *Events) logE(i int) float64 {
	switch {
	case e.against[i] >= 0:
		return math.Inf(1)
	case e.list[i].certain():
		return 0
	}
	level := []Level{{P: e.list[i].P}}
	at := func(more int) float64 { return LevelsLogE([]int{e.in[i] + more}, e.n, level) }
	// The e-value is a convex function of the count (see eprocess.Detectable), and so falls to its least value and then rises.
	return at(sort.Search(e.open[i], func(k int) bool { return at(k+1) >= at(k) }))
}

// Where says of the event that speaks most against the claim how often it has happened. The things that were counted have a name, as
// in "estimate".
func (e *Events) Where(things string) string {
	worst, most := 0, math.Inf(-1)
	for i := range e.list {
		if v := e.logE(i); v > most {
			worst, most = i, v
		}
	}
	event := &e.list[worst]
	text := fmt.Sprintf("%s: %d of %d %ss", event.Name, e.in[worst], e.n, things)
	if open := e.open[worst]; open > 0 {
		text += fmt.Sprintf(", and %d that rounding leaves open", open)
	}
	text += ", " + expected(event.P, float64(e.n)) + " expected"
	if first := e.against[worst]; first >= 0 {
		text += fmt.Sprintf("; the first that cannot be is %s %d", things, first)
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

// Deviation says which probabilities of an event would have been found wrong.
type Deviation struct {
	Event
	Draws     int
	Low, High float64 // every probability of at most Low or of at least High; infinite where there is none on that side
}

// Deviations returns for each event that is not certain what so many numbers would have found: with a probability of at least
// eprocess.Found the e-value had reached the threshold, which must be at least -log(1 - eprocess.Found), had the probability of
// the event been Low or less, or High or more. It is empty where there were no numbers.
func (e *Events) Deviations(logThreshold float64) (out []Deviation) {
	if e.n == 0 {
		return nil
	}
	for _, event := range e.list {
		if event.certain() {
			continue
		}
		low, high := DetectableLevel(event.P, e.n, logThreshold+math.Log(float64(len(e.list))))
		out = append(out, Deviation{event, e.n, low, high})
	}
	return out
}
