package weights

import (
	"cmp"
	"context"
	"math"
	"math/cmplx"
	"sync"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
)

// MaxFrequencies is the largest number of frequencies at which a characteristic function is
// computed.
const MaxFrequencies = 1 << 22

const (
	// mostFrequencies is the number of frequencies if Options.Frequencies is 0 and the work allows
	// that many.
	mostFrequencies = 1 << 18
	// leastFrequencies is the number of frequencies that is always computed.
	leastFrequencies = 2 * bandSize
	// inversionWork is the number of multiplications after which no more frequencies are computed
	// if Options.Work is 0.
	inversionWork = 8e9
)

// fourier is a distribution on the values l from low to high, a range shorter than a period. Some
// of its atoms are given one by one, and the rest of the distribution by its Fourier coefficients;
// see doc.go.
type fourier struct {
	low, high, period float64
	atoms             []weighted
	mass, mean        float64 // of the rest: its probability, and the mean of l - low times that
	// of the rest: phi[k-1] = E[exp(2 pi i k (l - low)/period)], up to where it has died out
	phi     []complex128
	weights [][3]float64 // the weights of phi[k-1] in the three sums that sawtooth returns
	// the number of frequencies computed, including those where phi has died out
	n        int
	rounding float64 // a bound on the effect of rounding on a probability
}

// support implements distribution.
func (s *fourier) support() (low, high float64) { return s.low, s.high }

// snap implements distribution.
func (s *fourier) snap(x float64) float64 { return x }

// shift adds the constant c to the values of the distribution. The mean, which is that of l - low,
// stays as it is: so a large constant costs none of its digits.
func (s *fourier) shift(c float64) {
	s.low += c
	s.high += c
	for i := range s.atoms {
		s.atoms[i].value += c
	}
}

// setAtoms sets the atoms and removes them from mass and mean, which before are those of the whole
// distribution.
func (s *fourier) setAtoms(atoms []weighted) {
	var mass, mean number.Sum
	for _, a := range atoms {
		mass.Add(-a.p)
		mean.Add(-a.p * (a.value - s.low))
	}
	mass.Add(s.mass)
	mean.Add(s.mean)
	s.atoms, s.mass, s.mean = atoms, mass.Value(), mean.Value()
}

// resolved reports whether the characteristic function has died out by half of the frequencies.
func (s *fourier) resolved() bool { return 2*len(s.phi) <= s.n }

// setCoefficients computes the weights of the Fourier coefficients: of the Fourier series of psi,
// of Vaaler's polynomial, and of the density smoothed by Fejér's kernel (see sawtooth).
func (s *fourier) setCoefficients() {
	for k := range s.phi {
		plain := 1 / (math.Pi * float64(k+1))
		u := float64(k+1) / float64(s.n+1)
		vaaler := ((1-u)/math.Tan(math.Pi*u) + 1/math.Pi) / float64(s.n+1)
		s.weights = append(s.weights, [3]float64{plain, vaaler, 2 * (1 - u)})
	}
}

// below implements distribution.
func (s *fourier) below(x float64, orEqual bool) Bracket {
	var total number.Sum
	for _, a := range s.atoms {
		if a.value < x || orEqual && a.value == x {
			total.Add(a.p)
		}
	}
	return s.restBelow(x, orEqual).plusConstant(total.Value())
}

// restBelow is below for the rest of the distribution, without the atoms. Between low and high the
// bounds are the same for the probabilities of values less than x and at most x.
func (s *fourier) restBelow(x float64, orEqual bool) Bracket {
	switch {
	case x < s.low || x == s.low && !orEqual:
		return Bracket{-s.rounding, 0, s.rounding}
	case x > s.high || x == s.high && orEqual:
		return Bracket{s.mass - s.rounding, s.mass, s.mass + s.rounding}
	}
	c := (x - s.low) / s.period
	plain, vaaler, density := s.sawtooth(c)
	middle := s.mass*c - s.mean/s.period + s.mass/2          // E[c - psi(y)]
	width := max(0, density/(2*float64(s.n+1))) + s.rounding // only rounding makes the density negative
	b := Bracket{
		Low:  max(-s.rounding, middle+vaaler-width),
		High: min(s.mass+s.rounding, middle+vaaler+width),
	}
	b.Value = b.Low + (b.High-b.Low)/2
	if v := middle + plain; s.resolved() && v > b.Low && v < b.High {
		b.Value = v
	}
	return b
}

// above implements distribution.
func (s *fourier) above(x float64, orEqual bool) Bracket {
	b := s.restBelow(x, !orEqual)
	var total number.Sum
	for _, a := range s.atoms {
		if a.value > x || orEqual && a.value == x {
			total.Add(a.p)
		}
	}
	return Bracket{s.mass - b.High, s.mass - b.Value, s.mass - b.Low}.plusConstant(total.Value())
}

// anchorTurn is the number of rotations after which an angle is computed afresh.
const anchorTurn = 64

// sawtooth returns two approximations of E[psi(y - c)] over the rest of the distribution, for y =
// (l - low)/period and psi(y) = y - floor(y) - 1/2: plain by the Fourier series of psi cut off at
// n, and vaaler by Vaaler's trigonometric polynomial. density is the density of y at c, smoothed by
// Fejér's kernel; the error of vaaler is at most density/(2(n+1)).
func (s *fourier) sawtooth(c float64) (plain, vaaler, density float64) {
	density = s.mass
	turn := cmplx.Rect(1, -2*math.Pi*c)
	z := turn
	for k, phi := range s.phi {
		if k%anchorTurn == 0 {
			_, part := math.Modf(float64(k+1) * c)
			z = cmplx.Rect(1, -2*math.Pi*part)
		}
		re := real(phi)*real(z) - imag(phi)*imag(z)
		im := real(phi)*imag(z) + imag(phi)*real(z)
		w := &s.weights[k]
		plain -= w[0] * im
		vaaler -= w[1] * im
		density += w[2] * re
		z *= turn
	}
	return plain, vaaler, density
}

// byInversion computes the distributions from their characteristic functions.
func (w *Laws) byInversion(ctx context.Context, p *problem, v *survey) error {
	if err := p.expectWork(ctx, len(bothDirections())); err != nil {
		return err
	}
	var moments [2]*joint
	for d := range moments {
		var err error
		moments[d], err = p.propagateMoments(ctx, chains.Direction(d))
		if err != nil {
			return err
		}
	}
	low, high, err := p.bulk(ctx, v, moments[:], bothDirections())
	if err != nil {
		return err
	}
	// The period is more than twice the range, so that differences of two log weights fit on the
	// circle as well.
	circle := fourier{low: low, high: high, period: 2 * (high - low) * (1 + 0x1p-20)}
	phi, err := p.characteristic(ctx, 2*math.Pi/circle.period, bothDirections())
	if err != nil {
		return err
	}
	return w.invert(ctx, p, v, moments, circle, phi)
}

// bothDirections returns forward and reverse.
func bothDirections() []chains.Direction { return []chains.Direction{chains.Forward, chains.Reverse} }

// characteristic returns the characteristic functions of the distributions in some directions at
// the multiples of a frequency. It doubles the number of multiples until the next doubling would
// exceed the work, or the number that was asked for is reached.
func (p *problem) characteristic(ctx context.Context, spacing float64,
	directions []chains.Direction) (phi [][]complex128, err error) {
	phi = make([][]complex128, len(directions))
	most, budget := p.limits()
	g := p.gauge
	for n, last := 0, 0.0; n < most && (n < leastFrequencies || g.work+2*last < budget); n = len(phi[0]) {
		blocks := bands(0, spacing*float64(n+1), spacing, min(max(n, leastFrequencies), most-n), p.Annealing.States())
		parts := make([]*transformed, len(directions)*len(blocks))
		before := g.work
		err := crew.Jobs(ctx, len(parts), p.Workers, func(ctx context.Context, i int) (err error) {
			// Lower frequencies take longer, and so come first.
			which := i % len(directions)
			block := blocks[i/len(directions)]
			parts[i], err = p.transform(ctx, directions[which], block)
			if err == nil {
				g.countWork(parts[i].work, float64(block.size)/float64(len(directions)))
			}
			return err
		})
		if err != nil {
			return phi, err
		}
		for i, part := range parts {
			scale := complex(math.Exp(part.logScale), 0)
			for _, z := range part.values {
				phi[i%len(directions)] = append(phi[i%len(directions)], z*scale)
			}
		}
		last = g.work - before
	}
	g.reportSteps()
	return phi, nil
}

// limits returns the largest number of frequencies, and the work after which there are no more of
// them.
func (p *problem) limits() (most int, budget float64) {
	if p.Frequencies > 0 {
		return min(p.Frequencies, MaxFrequencies), math.Inf(1)
	}
	return mostFrequencies, cmp.Or(p.Work, inversionWork)
}

// sweepsAsFrequencies is the number of frequencies that take as long as the preceding work in a
// direction, moments and bulk.
const sweepsAsFrequencies = 150

// expectWork sets the expected work of an inversion in some directions.
func (p *problem) expectWork(ctx context.Context, directions int) error {
	s := p.newStage()
	defer p.stages.Put(s)
	if err := s.Load(ctx, 2); err != nil {
		return err
	}
	entries := 2 * p.Annealing.States()
	for m := range s.Along(chains.Forward) {
		for x := range p.Annealing.States() {
			entries += len(m.Forward.Row(x))
		}
	}
	most, budget := p.limits()
	stages := directions * (p.Annealing.Distributions() - 1)
	each := float64(stages) * float64(entries) // multiplications
	p.gauge.budget = max(min(budget, float64(most)*each), float64(min(most, leastFrequencies))*each)
	p.gauge.most = float64(most)
	p.gauge.stages = float64(2 * stages)
	p.gauge.sweeps = sweepsAsFrequencies * each / (sweepsAsFrequencies*each + p.gauge.budget)
	return nil
}

// gauge adds up work from any goroutine and reports progress in LawProgress steps. A share of it is
// for sweeps over the stages, which come first. The rest is the part of the budget of work or the
// part of the frequencies that has been done, whichever is larger. Work is counted in whole
// numbers, so that the sum does not depend on the order in which goroutines finish.
type gauge struct {
	mu                sync.Mutex
	progress          func(steps int)
	budget, most      float64 // the largest work, and the largest number of frequencies
	work, frequencies float64 // what has been done
	sweeps            float64 // the share of sweeps
	// the stages of all sweeps, and those that have been done; if nothing is expected of sweeps
	// they are not shown
	stages, swept float64
	shown         int // the steps that have been reported
}

// countStages counts stages.
func (g *gauge) countStages(stages int) {
	g.swept += float64(stages)
	if g.stages > 0 {
		g.showSteps(int(LawProgress * g.sweeps * min(1, g.swept/g.stages)))
	}
}

// countWork counts work that has been done, and the frequencies that it was for.
func (g *gauge) countWork(work, frequencies float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.work += work
	g.frequencies += frequencies
	g.showSteps(int(LawProgress * (g.sweeps + (1-g.sweeps)*min(1,
		max(g.work/g.budget, g.frequencies/g.most)))))
}

// reportSteps reports the last steps.
func (g *gauge) reportSteps() { g.showSteps(LawProgress) }

// showSteps reports the steps up to now.
func (g *gauge) showSteps(now int) {
	if now > g.shown {
		g.progress(now - g.shown)
		g.shown = now
	}
}

// bulkTail is minus the logarithm of the probability that bulk leaves out at either end of a
// distribution.
const bulkTail = 42

// bulk returns a range that holds the log weights of some directions except for a probability below
// 1e-17. It is the range of all possible values, or narrower if Chernoff's bounds P(log w > x) <=
// E[w^s] exp(-s x) allow it. The moments are those in the directions.
func (p *problem) bulk(ctx context.Context, v *survey, moments []*joint,
	directions []chains.Direction) (low, high float64, err error) {
	low, high = math.Inf(1), math.Inf(-1)
	for i, d := range directions {
		_, m := moments[i].cumulants()
		var powers []float64
		for _, s := range []float64{2, 4, 8, 16} {
			s /= math.Sqrt(max(0, m.Variance))
			if s < 1e6 {
				powers = append(powers, s, -s)
			}
		}
		masses := &tiltedMasses{powers: powers, finiteOnly: true}
		if err := p.propagate(ctx, d, masses, p.Step); err != nil {
			return 0, 0, err
		}
		k := masses.logMeanPowers(0)
		least, most := v.low, v.high
		for i, s := range powers {
			if x := (k[i] + bulkTail) / s; s > 0 {
				most = min(most, x)
			} else {
				least = max(least, x)
			}
		}
		low, high = min(low, least), max(high, most)
	}
	return low, high, nil
}

// invert computes the distributions, which it puts on a circle (see doc.go), from their mass and
// mean and from their characteristic functions phi[d][k-1] = E[exp(2 pi i k l/period)].
func (w *Laws) invert(ctx context.Context, p *problem, v *survey, moments [2]*joint, circle fourier,
	phi [][]complex128) error {
	low := circle.low
	high := circle.high
	period := circle.period
	stayers, err := p.stayers(ctx, low, high)
	if err != nil {
		return err
	}
	var laws [2]*fourier
	var atoms [2][]complex128 // transforms of the atoms
	var mass, mean [2]float64
	rounding := transformRounding(p.Annealing.States(), moments[0].moves)
	turns := v.turns(period)
	for i, j := range moments {
		rounding += j.defect
		laws[i] = &fourier{low: low, high: high, period: period}
		mass[i], mean[i], atoms[i] = laws[i].completeLaw(
			j,
			atomsOf(stayers, chains.Direction(i)),
			phi[i],
			rounding,
			turns,
		)
	}
	forward, reverse := laws[chains.Forward], laws[chains.Reverse]
	w.Method = MethodInversion
	w.Frequencies = forward.n
	w.Resolved = forward.resolved() && reverse.resolved()
	w.Forward = &Law{Zero: 1 - mass[chains.Forward], finite: forward}
	w.Reverse = &Law{Infinite: 1 - mass[chains.Reverse], finite: reverse}
	differs := &fourier{
		low: -period / 2, high: period / 2, period: period, mass: mass[0] * mass[1],
		mean: mean[chains.Reverse]*mass[chains.Forward] - mean[chains.Forward]*mass[chains.Reverse] +
			period/2*mass[0]*mass[1],
	}
	differs.setAtoms(atomsOfDifference(stayers))
	differs.setRest(differences(phi), differences(atoms[:]), 2*rounding, 2*turns)
	w.difference = func(b float64) Bracket { return differs.below(b, false) }
	forward.shift(p.Offset)
	reverse.shift(p.Offset)
	return w.checkCrooks(ctx, p, phi[chains.Reverse], period)
}

// completeLaw completes a distribution whose range and period are set. It returns the
// distribution's mass, the mean of l - low times that, and the transforms of its atoms.
func (s *fourier) completeLaw(j *joint, atoms []weighted, phi []complex128,
	rounding, turns float64) (mass, mean float64, transforms []complex128) {
	mass, m := j.cumulants()
	mean = mass * (m.Mean - s.low)
	s.mass = mass
	s.mean = mean
	s.setAtoms(atoms)
	transforms = transformAtoms(s.atoms, 2*math.Pi/s.period, len(phi))
	s.setRest(phi, transforms, rounding, turns)
	return mass, mean, transforms
}

// turns returns about how many times 2 pi the angle of the first frequency is at most.
func (v *survey) turns(period float64) float64 {
	if period > 0 {
		return 1 + v.size/period
	}
	return 1
}

// differences returns the transform of a reverse minus an independent forward log weight, from the
// transforms of both.
func differences(phi [][]complex128) []complex128 {
	out := make([]complex128, len(phi[0]))
	for k := range out {
		out[k] = phi[chains.Reverse][k] * cmplx.Conj(phi[chains.Forward][k])
	}
	return out
}

// coefficientFloor is the modulus below which the last coefficients count as died out and are left
// out.
const coefficientFloor = 1e-16

// setRest sets the coefficients of the rest of the distribution, which are those of the whole
// distribution minus those of the atoms, up to where they have died out. It also sets the bound on
// rounding.
func (s *fourier) setRest(whole, atoms []complex128, rounding, turns float64) {
	s.n = len(whole)
	last := s.n
	for last > 0 && cmplx.Abs(whole[last-1]-atoms[last-1]) < coefficientFloor {
		last--
	}
	turn := -2 * math.Pi * s.low / s.period
	for k := range last {
		s.phi = append(s.phi, (whole[k]-atoms[k])*cmplx.Rect(1, turn*float64(k+1)))
	}
	s.setCoefficients()
	// The k-th coefficient has the weight 1/(pi k), which makes the factor logs. Its angle is k
	// times an angle that is off by some units in the last place. So is the mean, in periods: it
	// and the values of the atoms, which are taken from it, are sums of increments, each of which
	// is rounded eight times on the way. The bound also covers the coefficients that are left out,
	// and the tails (see bulk).
	logs := 1 + number.Log(float64(s.n+1))
	s.rounding = (rounding+3*anchorTurn*0x1p-53+coefficientFloor)*logs + (64*float64(last)+8)*turns*0x1p-53 +
		4*math.Exp(-bulkTail)
}

// checkCrooks sets Laws.Crooks. It compares the first coefficients of the reverse distribution with
// those that follow from the forward distribution by Crooks' relation, E_rev[w^(i omega)] =
// E_fwd[w^(1 + i omega)] / E_fwd[w].
func (w *Laws) checkCrooks(ctx context.Context, p *problem, reverse []complex128, period float64) error {
	n := min(bandOf(p.Annealing.States()), len(reverse))
	other, err := p.transform(ctx, chains.Forward, band{1, 2 * math.Pi / period, 2 * math.Pi / period, n})
	if err != nil {
		return err
	}
	scale := complex(math.Exp(other.logScale-w.LogZRatio), 0)
	for k, z := range other.values {
		w.Crooks = max(w.Crooks, cmplx.Abs(z*scale-reverse[k]))
	}
	return nil
}
