// Package tempering implements parallel tempering. Replicas stand on a ladder, which is the path
// and the schedule of an annealing: one replica at each of its T distributions. A scan makes one
// move of the kernel at every rung, and then proposes swaps of neighbouring pairs. It is written
// against a chains.Chooser, so that the same code is sampled and enumerated. Package exact/replicas
// computes how fast replicas travel and how good the cold chain is.
//
// # Conventions
//
// Rung i = 0..N stands at b_(i+1) of the annealing, so b = 0 at rung 0 and b = 1 at rung N. x[i] is
// the state of the replica at rung i. A swap exchanges replicas between rungs; a tag travels with
// its replica. The even pairs are (0,1), (2,3), ..., the odd ones (1,2), (3,4), ... The stationary
// distribution of x is the product of the distributions of the rungs.
//
// Sources: Swendsen and Wang 1986; Geyer 1991; Okabe et al. 2001 for DEO; Syed, Bouchard-Cote,
// Deligiannidis and Doucet 2022.
package tempering

import (
	"math"
	"sync"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// Scheme says for which pairs a scan proposes a swap.
type Scheme string

const (
	DEO Scheme = "deo" // the even pairs in scans 1, 3, ..., and the odd ones in scans 2, 4, ...
	SEO Scheme = "seo" // the even or the odd pairs, by the flip of a fair coin in each scan
)

// Schemes returns the names of all schemes.
func Schemes() []string { return []string{string(DEO), string(SEO)} }

// ParseScheme returns the scheme of a name.
func ParseScheme(name string) (Scheme, error) {
	for _, s := range Schemes() {
		if s == name {
			return Scheme(s), nil
		}
	}
	return "", selector.UnknownError("scheme", name, Schemes())
}

// Ladder is the list of the replicas' distributions on a path. It is immutable.
type Ladder struct {
	path   chains.Path
	places []chains.Place
	// log f of each rung, and log f of rung i+1 minus that of rung i, for states if both are
	// positive. Each is found when it is first asked for.
	logf, ratios []func() []float64
}

// NewLadder returns the ladder of the given number of rungs that a schedule places on a path. It
// fails for more than MaxRungs, and for two rungs at one place.
func NewLadder(path chains.Path, schedule chains.Schedule, rungs int) (*Ladder, error) {
	if rungs > MaxRungs {
		return nil, errs.New("a ladder of %d rungs; give at most %d", rungs, MaxRungs)
	}
	centred, _ := path.Centred()
	l := &Ladder{path: path}
	for i := range rungs {
		at := chains.Place{Beta: schedule.Beta(i+1, rungs), Rest: schedule.Rest(i+1, rungs)}
		l.places = append(l.places, at)
		l.logf = append(l.logf, sync.OnceValue(func() []float64 {
			logf := make([]float64, path.States())
			centred.LogF(logf, at)
			return logf
		}))
		if i == 0 {
			continue
		}
		step := schedule.Step(i+1, rungs)
		if !(step > 0) {
			return nil, errs.New("rungs %d and %d of the ladder both stand at beta = %v; give betas that rise", i-1,
				i, l.places[i].Beta)
		}
		l.ratios = append(l.ratios, sync.OnceValue(func() []float64 {
			ratio := make([]float64, path.States())
			centred.LogRatio(ratio, l.places[i-1], at, step)
			return ratio
		}))
	}
	return l, nil
}

// Tempering moves replicas on a ladder. It is immutable.
type Tempering struct {
	*Ladder
	scheme Scheme
	kernel chains.Kernel
}

// New returns the tempering whose rungs are the distributions of an annealing, which all move by
// its kernel. It fails if NewLadder does, and if the stages of the annealing have kernels of their
// own, since rung 0 has none.
func New(a *chains.Annealing, scheme Scheme) (*Tempering, error) {
	if _, err := ParseScheme(string(scheme)); err != nil {
		return nil, err
	}
	if a.Kernel() == nil {
		return nil, errs.New(
			"kernel %v is for the stages of an annealing, and rung 0 of a ladder has none; give one kernel",
			a.Transitions(),
		)
	}
	l, err := NewLadder(a.Path(), a.Schedule(), a.Distributions())
	if err != nil {
		return nil, err
	}
	return &Tempering{l, scheme, a.Kernel()}, nil
}

// Kernel returns the kernel by which every replica explores.
func (m *Tempering) Kernel() chains.Kernel { return m.kernel }

// Scheme returns the scheme.
func (m *Tempering) Scheme() Scheme { return m.scheme }

// Rungs returns N+1, the number of replicas.
func (l *Ladder) Rungs() int { return len(l.places) }

// States returns the number of states of each replica.
func (l *Ladder) States() int { return l.path.States() }

// Path returns the path on which the ladder stands.
func (l *Ladder) Path() chains.Path { return l.path }

// Beta returns the place of rung i on the path.
func (l *Ladder) Beta(i int) float64 { return l.places[i].Beta }

// LogF returns log f of every state at rung i, in nats and up to a constant. Do not change it.
func (l *Ladder) LogF(i int) []float64 { return l.logf[i]() }

// LogRatio returns log f of every state at rung i+1 minus that at rung i, in nats and up to a
// constant, with the digits of a small step. It has no meaning if one of the two is zero. Do not
// change it.
func (l *Ladder) LogRatio(i int) []float64 { return l.ratios[i]() }

// LogAcceptance returns the logarithm of the probability that the pair (i, i+1) with x at rung i
// and y at rung i+1 swaps, when a swap is proposed: min(0, log f_i(y) + log f_(i+1)(x) - log f_i(x)
// - log f_(i+1)(y)). A swap that moves a replica away from a zero of f is always accepted, and one
// to a zero never.
func (l *Ladder) LogAcceptance(i, x, y int) float64 {
	low, high := l.LogF(i), l.LogF(i+1)
	switch {
	case math.IsInf(low[y], -1) || math.IsInf(high[x], -1):
		return math.Inf(-1)
	case math.IsInf(low[x], -1) || math.IsInf(high[y], -1):
		return 0
	}
	ratios := l.LogRatio(i)
	return min(0, ratios[x]-ratios[y])
}

// Scan makes scan t = 1, 2, ...: it explores and then swaps. It changes x, which has the state at
// each rung, and calls swapped with the lower rung of each proposed swap, and whether it was
// accepted. The pairs of a scan share no rung.
func (m *Tempering) Scan(c chains.Chooser, t int, x []int, swapped func(i int, accepted bool)) {
	for i := range x {
		x[i] = m.kernel.Move(c, m.LogF(i), x[i])
	}
	first := (t - 1) % 2
	if m.scheme == SEO && c.Flip(0.5) {
		first = 1
	} else if m.scheme == SEO {
		first = 0
	}
	for i := first; i+1 < len(x); i += 2 {
		accepted := c.Flip(math.Exp(m.LogAcceptance(i, x[i], x[i+1])))
		if accepted {
			x[i], x[i+1] = x[i+1], x[i]
		}
		swapped(i, accepted)
	}
}

// MaxRungs is the largest number of rungs of a ladder.
const MaxRungs = 32

// Up has bit i set if the replica at rung i is on its way up: it has been at rung 0 since it was
// last at rung N, or has been at neither yet.
type Up uint32

// Swapped applies an accepted swap of the pair (i, i+1), given the last rung. It reports whether
// the swap completes a round trip: whether the replica that comes to rung 0 came down from the last
// rung.
func (u *Up) Swapped(i, top int) (trip bool) {
	if low, high := *u>>i&1, *u>>(i+1)&1; low != high {
		*u ^= 3 << i
	}
	trip = *u&1 == 0
	*u |= 1
	if i+1 == top {
		*u &^= 1 << top
	}
	return trip
}
