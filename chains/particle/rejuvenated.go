package particle

import "breadboard/chains"

// Rejuvenated is the particle filter of a DPMM with a Gibbs scan over the points that are assigned
// after each step. The scan assigns each of them anew, in their order, by its conditional
// distribution given the partition of the others. It leaves the posterior of these points
// invariant, so that weights do not change.
//
// A move is the scan, followed by the assignment of the next point. After the last weight of the
// points there is one more move, which is a scan alone, so that there are as many stages as points.
//
// Source: Neal 2000, algorithm 3; Cusumano-Towner and Mansinghka 2017, supplement, section E.
type Rejuvenated struct{ filter *Mixture }

// NewRejuvenated returns the filter with the scans.
func NewRejuvenated(filter *Mixture) *Rejuvenated { return &Rejuvenated{filter} }

// Stages implements Flow.
func (r *Rejuvenated) Stages() int { return len(r.filter.m.Y) }

// Outputs implements Flow.
func (r *Rejuvenated) Outputs() int { return r.filter.Outputs() }

// States returns the number of states at stage t = 1..n+1.
func (r *Rejuvenated) States(t int) int { return r.filter.States(min(t, len(r.filter.m.Y))) }

// Start implements Flow.
func (r *Rejuvenated) Start(c chains.Chooser) int { return r.filter.Start(c) }

// LogWeight implements Flow.
func (r *Rejuvenated) LogWeight(t, x int) float64 {
	if t > len(r.filter.m.Y) {
		return 0
	}
	return r.filter.LogWeight(t, x)
}

// Move implements Flow.
func (r *Rejuvenated) Move(c chains.Chooser, t, x int) int {
	for part := range r.Parts(t) {
		x = r.MovePart(c, t, part, x)
	}
	return x
}

// Parts returns the number of parts of the move of stage t, which are made one after the other: one
// for each of the t points that the scan assigns anew, and one for the assignment of the next
// point.
func (r *Rejuvenated) Parts(t int) int { return min(t+1, len(r.filter.m.Y)) }

// MovePart makes a part of the move of stage t. The parts of the scan lead to partitions of the
// same points.
func (r *Rejuvenated) MovePart(c chains.Chooser, t, part, x int) int {
	if part < t {
		return r.filter.gibbs(c, t, part, x)
	}
	return r.filter.Move(c, t, x)
}

// Back implements Flow: it drops the last point, and goes back through the scan. Each assignment of
// a scan is its own time reversal, so that the scan in reverse order is the reversal of the scan.
func (r *Rejuvenated) Back(c chains.Chooser, t, x int) int {
	if t < len(r.filter.m.Y) {
		x = r.filter.Parent(t+1, x)
	}
	for i := t - 1; i >= 0; i-- {
		x = r.filter.gibbs(c, t, i, x)
	}
	return x
}

// LogTarget implements Flow.
func (r *Rejuvenated) LogTarget(x int) float64 { return r.filter.LogTarget(x) }

// gibbs assigns point i, counted from 0, anew among the first t points, by its conditional
// distribution given the partition of the others.
func (f *Mixture) gibbs(c chains.Chooser, t, i, x int) int {
	clusters := f.partitionOf(t, x)
	clusters.removePoint(i)
	law, _ := clusters.clusterLaw(f.m.Y[i])
	clusters.labels[i] = c.Choose(law)
	return f.partitions.Rank(clusters.canonical())
}
