package laws

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/exact/weights"
)

// NestedExact is the distribution of nested sampling by exact draws, with ties broken by a label or
// strict.
//
// With levels L_1 < ... < L_J, the numbers N_j of deaths at the levels are independent (see
// estimators.Level.Deaths), and
//
//	Z-hat = R_1, R_j = L_j (1 - r^N_j) + r^N_j R_(j+1), R_J = L_J.
//
// So E Z-hat has a closed form, and the transform of R_j - L_j is a mean of that of R_(j+1) - L_j
// at t r^n, which closes on a grid of log t whose step divides log r. Everything is relative to
// L_J.
type NestedExact struct {
	o       estimators.NestedOptions
	levels  []estimators.Level
	deaths  []estimators.Deaths // of all levels but the highest
	top     float64             // log L_J
	logKept float64             // log r
	logMean float64             // log E Z-hat - top
	grid    *logGrid            // of Z-hat/L_J; nil if it would take too much work
}

// maxNestedWork bounds the products that the transform of nested sampling may take, some seconds of
// them, and maxNestedPoints the points of its grid, of which it has two in memory: a gigabyte
// together.
const (
	maxNestedWork   = 2e9
	maxNestedPoints = 1 << 26
)

// newNestedExact returns the distribution of nested sampling with exact draws and valid settings.
//
// Time is O(grid points x deaths) for each level, with some 60/gridStep points for K up to 5, and K
// times 60 beyond. If that is above two billion products, or the points take more than a gigabyte,
// mean and standard deviation are not computed, and the note of Moments says so.
//
// If the last particles die one by one, the estimate
// is that with a lower likelihood of the highest level, which accounts for the dropped volume; it
// fails if that level is then no longer the highest.
func newNestedExact(t *Target, o estimators.NestedOptions) (*NestedExact, error) {
	k := o.Particles
	levels, _ := estimators.LevelsOf(t.logLaw(chains.At(0)), t.LogL)
	last := len(levels) - 1
	levels[last].LogL += o.LastKept()
	if last > 0 && o.Last && !(levels[last].LogL > levels[last-1].LogL) {
		return nil,
			errs.New("the two highest levels are less than %.3g nats apart, so that no exact method is known "+
				"if the last %d particles die one by one; take more particles",
				-o.LastKept(), k)
	}
	e := &NestedExact{o: o, levels: levels, top: levels[last].LogL, logKept: o.Volume.LogKept(k, 1)}
	if math.IsInf(e.top, -1) {
		return e, nil // every estimate is zero
	}
	e.deaths = make([]estimators.Deaths, last)
	for j := range e.deaths {
		e.levels[j].LogL -= e.top
		e.deaths[j] = e.levels[j].Deaths(k, o.Ties)
	}
	e.levels[last].LogL = 0
	e.logMean = e.closedMean()
	if last > 0 { // else every estimate is L_J
		e.propagate()
	}
	return e, nil
}

// closedMean returns log E R_1, by E R_j = L_j (1 - E r^N) + E r^N E R_(j+1). With ties broken by a
// label, E r^N = (V_(j+1)/V_j)^(K(1-r)).
func (e *NestedExact) closedMean() float64 {
	k := float64(e.o.Particles)
	lost := -math.Expm1(e.logKept)
	mean := 0.0
	for j := len(e.deaths) - 1; j >= 0; j-- {
		logKept := -k * lost * e.levels[j].Shrinkage()
		if e.o.Ties == estimators.TiesStrict {
			logKept = k * math.Log1p(-lost*e.levels[j].Share())
		}
		mean = logMix(logKept, mean, e.levels[j].LogL)
	}
	return mean
}

// logMix returns log(w e^a + (1-w) e^b), given log w.
func logMix(logWeight, a, b float64) float64 {
	return number.LogPlus(a+logWeight, b+number.Log(-math.Expm1(logWeight)))
}

// propagate makes the grid, from the highest level down.
func (e *NestedExact) propagate() {
	parts := int(math.Ceil(-e.logKept / gridStep)) // the steps of the grid for one death
	g := &logGrid{first: -gridBelow, step: -e.logKept / float64(parts)}
	n := g.points(gridAbove + min(-e.levels[0].LogL, -e.logKept*e.mostDeaths()))
	if n > maxNestedPoints {
		return
	}
	products := 0.0
	for _, d := range e.deaths {
		products += float64(n) * float64(len(d.P))
	}
	if products > maxNestedWork {
		return
	}
	g.rise = make([]float64, n)
	means := shiftedMeans{parts: parts, step: g.step, out: make([]float64, n)}
	for j := len(e.deaths) - 1; j >= 0; j-- {
		above := e.levels[j+1].LogL
		at := e.levels[j].LogL
		g.addNumber(above + logLess(at-above)) // R_(j+1) - L_j
		g.rise, means.out = means.shifted(g.rise, e.deaths[j]), g.rise
	}
	g.addNumber(e.levels[0].LogL)
	e.grid = g
}

// mostDeaths returns a number of deaths at all levels together that is exceeded with a probability
// of at most exp(-45). A binomial number with the share q is at most a Poisson one with the mean K
// log(1/(1-q)), for which Chernoff's bound holds.
func (e *NestedExact) mostDeaths() float64 {
	mean := 0.0
	for _, l := range e.levels[:len(e.deaths)] {
		mean += float64(e.o.Particles) * l.Shrinkage()
	}
	most := mean
	for grow := 1.0; mean > 0 && most-mean-most*number.Log(most/mean) > -45; grow *= 1.1 {
		most += grow
	}
	return math.Ceil(most)
}

// logLess returns log(1 - e^x) for x < 0.
func logLess(x float64) float64 {
	if x > -math.Ln2 {
		return number.Log(-math.Expm1(x))
	}
	return math.Log1p(-math.Exp(x))
}

// Moments implements Law. Several runs are combined by the mean of their logarithms, for which log
// E Z-hat is trials log E R^(1/trials).
func (e *NestedExact) Moments(_ context.Context, trials int) (Moments, error) {
	if err := checkTrials(trials, weights.MaxSamples); err != nil {
		return Moments{}, err
	}
	m := Moments{Mean: e.top, LogMean: e.top + e.logMean, Method: MethodTransform}
	switch {
	case math.IsInf(e.top, -1):
		m.SD = math.NaN()
		m.LogMean = e.top
		m.Note = noteAllZero
	case len(e.deaths) == 0: // every estimate is L_J
		m.Method = MethodClosed
	case e.grid == nil:
		m.Mean = math.NaN()
		m.SD = math.NaN()
		m.Method = MethodClosed
		m.Note = e.tooMany()
		if trials > 1 {
			m.LogMean = math.NaN()
		}
	default:
		e.grid.writeMoments(&m, e.top, e.logMean, trials)
	}
	return m, nil
}

// tooMany says why there is no transform.
func (e *NestedExact) tooMany() string {
	return fmt.Sprintf(
		"the transform of K = %d particles on %d levels takes more than %.0g products, or a grid of more "+
			"than %d points; take fewer particles",
		e.o.Particles,
		len(e.levels),
		maxNestedWork,
		maxNestedPoints,
	)
}

// noteAllZero says why an estimate has no logarithm.
const noteAllZero = "the likelihood is zero wherever the prior is not, and so is every estimate"

// Work implements Law.
func (e *NestedExact) Work() estimators.Work { return estimators.NestedWork(e.levels, e.o) }

// NewNestedLaw returns the distribution of nested sampling with any settings: of exact draws, or of
// two particles that move (NewNestedMoves). No exact method is known for more
// particles that move, since all their states matter: the distribution then has a note instead of
// numbers. It fails if these functions do.
func NewNestedLaw(ctx context.Context, t *Target, o estimators.NestedOptions, workers int) (Law, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	switch {
	case o.Ties != estimators.TiesTogether:
		return newNestedExact(t, o)
	case o.Particles == 2:
		return NewNestedMoves(ctx, t, o.Moves, o.Volume, workers)
	}
	u := nestedUnknown{
		work: estimators.Work{Evaluations: math.NaN()},
		note: fmt.Sprintf("nested sampling with moves has an exact method for K = 2 particles only, and this has %d; "+
			"take two, or exact draws",
			o.Particles),
	}
	if o.Moves == 0 {
		u.work.Evaluations = float64(o.Particles)
	}
	return u, nil
}

// nestedUnknown is an unknown distribution of nested sampling.
type nestedUnknown struct {
	work estimators.Work
	note string
}

// Moments implements Law.
func (u nestedUnknown) Moments(ctx context.Context, trials int) (Moments, error) {
	if err := checkTrials(trials, weights.MaxSamples); err != nil {
		return Moments{}, err
	}
	return Moments{
		Mean:    math.NaN(),
		SD:      math.NaN(),
		LogMean: math.NaN(),
		Method:  MethodNone,
		Note:    u.note,
	}, ctx.Err()
}

// Above implements Law.
func (u nestedUnknown) Above(ctx context.Context, at float64) (Bracket, error) {
	if err := checkThreshold(at); err != nil {
		return Bracket{}, err
	}
	return Bracket{math.NaN(), math.NaN(), u.note}, ctx.Err()
}

// Work implements Law.
func (u nestedUnknown) Work() estimators.Work { return u.work }

// NestedMoves is the distribution of nested sampling with two particles, where ties die together
// and the survivor's copy makes M moves by the kernel on the prior above the level of the dead.
//
// Two particles at one level L end the run with the estimate L. With x at a level L_j below that of
// y it is
//
//	(1-r) L_j + r R(x',y), x' ~ M moves from y above L_j,
//
// where R is the estimate of the pair (x',y), whose lower level is above L_j. It depends on x by
// its level alone. So the means, the numbers of copies and the transforms of all pairs follow from
// the likeliest pair down, the last on a grid of log t whose step divides log r. Everything is
// relative to the highest level.
type NestedMoves struct {
	moves    int
	moveWork float64  // evaluations of log f in a move
	pairs    *pairs   // without the results of each
	start    pair     // two particles from the prior
	grid     *logGrid // their transform; nil if Z-hat may be zero
	note     string   // why nothing has been computed; else empty
}

// NewNestedMoves returns the distribution of nested sampling with two particles and the given
// number of moves. Zero workers means one for each processor. It fails for an invalid number of
// moves (see NestedOptions.Validate), if the kernel's rows cannot be found, and if the kernel leads
// from above a level to below it.
//
// With n states, J levels, e entries of the kernel's rows and g points of the grid, some (60 + the
// range of log L in nats)/0.2, memory is some n J g/2 values, and time n^2 J g/3 + n J M e/3
// products. Above 2^27 values or 4e10 products nothing is computed, and notes of Moments and Above
// say so.
func NewNestedMoves(ctx context.Context, t *Target, moves int, volume estimators.Volume,
	workers int) (*NestedMoves, error) {
	o := estimators.NestedOptions{Particles: 2, Ties: estimators.TiesTogether, Volume: volume, Moves: moves}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	p := newPairs(t, moves, volume)
	e := &NestedMoves{moves: moves, moveWork: t.moveWork(), pairs: p}
	var err error
	e.note, err = p.tooLarge(ctx)
	if err != nil {
		return nil, err
	}
	if e.note != "" {
		return e, nil
	}
	if err := p.compute(ctx, workers); err != nil {
		return nil, err
	}
	e.start = p.startPair()
	p.ties = nil
	p.lower = nil
	if p.grid != nil {
		e.grid = &logGrid{p.grid.first, p.grid.step, e.start.rise}
	}
	return e, nil
}

// Moments implements Law. Several runs are combined by the mean of their logarithms, for which log
// E Z-hat is trials log E R^(1/trials).
func (e *NestedMoves) Moments(_ context.Context, trials int) (Moments, error) {
	if err := checkTrials(trials, weights.MaxSamples); err != nil {
		return Moments{}, err
	}
	if e.note != "" {
		return Moments{
			Mean:    math.NaN(),
			SD:      math.NaN(),
			LogMean: math.NaN(),
			Method:  MethodNone,
			Note:    e.note,
		}, nil
	}
	m := Moments{
		Mean:    math.Inf(-1),
		SD:      math.NaN(),
		LogMean: e.pairs.top + e.start.logMean,
		Method:  MethodPairs,
	}
	if e.grid == nil {
		m.Note = "both particles may have likelihood zero, and the estimate then is zero"
		if trials > 1 {
			m.LogMean = math.NaN()
			m.Note += "; log E Z-hat is known for one run only"
		}
		return m, nil
	}
	e.grid.writeMoments(&m, e.pairs.top, e.start.logMean, trials)
	return m, nil
}

// Above implements Law by thresholds that move from pair to pair; see NestedExact.Above.
func (e *NestedMoves) Above(ctx context.Context, at float64) (Bracket, error) {
	if err := checkThreshold(at); err != nil {
		return Bracket{}, err
	}
	switch {
	case e.note != "":
		return Bracket{math.NaN(), math.NaN(), e.note}, ctx.Err()
	case at >= e.pairs.top:
		return Bracket{}, ctx.Err()
	case math.IsInf(at, -1):
		positive := 1 - e.pairs.bothZero()
		return Bracket{Low: positive, High: positive}, ctx.Err()
	}
	low, high, err := e.pairs.boundAbove(ctx, at-e.pairs.top, pairThresholdWork)
	return Bracket{Low: min(low, 1), High: min(max(low, high), 1)}, err
}

// Work implements Law: two particles from the prior, and M moves of each copy. It is NaN if the
// kernel does not state the cost of its moves, and if nothing has been computed.
func (e *NestedMoves) Work() estimators.Work {
	switch {
	case e.moves == 0:
		return estimators.Work{Evaluations: 2}
	case e.note != "":
		return estimators.Work{Evaluations: math.NaN()}
	}
	return estimators.Work{Evaluations: 2 + float64(e.moves)*e.moveWork*e.start.copies}
}
