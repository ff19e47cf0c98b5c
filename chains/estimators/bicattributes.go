package estimators

import (
	"cmp"
	"context"
	"math"
	"math/bits"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// AttributesBIC is the Bayesian information criterion of a model of binary attributes, in the
// convention of BIC. The attributes of each row are summed out, over all 2^K patterns. The features
// A, which all rows share, are fitted by EM; the variances and Pi are known. Half the number of
// parameters times log N is subtracted. It is not a bound on log Z. Ascents start with Z drawn from
// its prior.
//
// EM is slow if two attributes are in the same rows: the data then determine little more than the
// sum of their features. After 1000 sweeps an ascent tries a longer step at every third sweep, and
// takes it if the likelihood rises.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.1; Schwarz 1978; for longer steps (there
// mostly chosen from the last two EM steps), Varadhan and Roland 2008, Simple and Globally
// Convergent Methods for Accelerating the Convergence of Any EM Algorithm.
type AttributesBIC struct {
	model    *attributes
	patience Patience
	y        []float64 // the data in units of the noise, by row
	features []float64 // A in units of the noise, by attribute
	before   []float64 // the features before a sweep
	sweeps   int       // of this ascent
	value    float64   // the log likelihood after the last sweep
	stride   float64   // the length of the last longer step, in steps of EM
	logPrior []float64 // of each pattern; attribute k is bit k
	means    []float64 // the data that each pattern stands for
	q        []float64 // the probabilities of the patterns of one row
	weights  []float64 // their sums over the rows
	squares  []float64 // E[Z'Z], K x K
	cross    []float64 // E[Z]'Y, by attribute
}

// maxPatternBits bounds the number of attributes of AttributesBIC, since a sweep takes all patterns
// of them for each row.
const maxPatternBits = 16

// shortSweeps is the number of sweeps of an ascent that are those of EM. Most ascents end with
// them.
const shortSweeps = 1000

// NewAttributesBIC returns the criterion for a model of at most 16 binary attributes.
func NewAttributesBIC(y [][]float64, a Attributes, patience Patience) (*AttributesBIC, error) {
	model, err := newAttributes(y, a)
	if err := cmp.Or(err, patience.Validate()); err != nil {
		return nil, err
	}
	k := len(model.Pi)
	d := len(model.Y[0])
	if k > maxPatternBits {
		return nil, errs.New(
			"BIC of %d binary attributes sums over 2^%d patterns for each row; give at most %d attributes",
			k,
			k,
			maxPatternBits,
		)
	}
	b := &AttributesBIC{
		model:    model,
		patience: patience,
		y:        inUnitsOf(model.NoiseVariance, model.Y),
		features: make([]float64, k*d),
		before:   make([]float64, k*d),
		logPrior: make([]float64, 1<<k),
		means:    make([]float64, d<<k),
		q:        make([]float64, 1<<k),
		weights:  make([]float64, 1<<k),
		squares:  make([]float64, k*k),
		cross:    make([]float64, k*d),
	}
	for p := range b.logPrior {
		for k, pi := range model.Pi {
			if p>>k&1 == 1 {
				b.logPrior[p] += number.Log(pi)
			} else {
				b.logPrior[p] += math.Log1p(-pi)
			}
		}
	}
	return b, nil
}

// parameters returns the number of parameters that are fitted: K features with D columns each.
func (b *AttributesBIC) parameters() int { return len(b.features) }

// penalty returns what is subtracted from the largest log likelihood, in nats.
func (b *AttributesBIC) penalty() float64 { return penalty(b.parameters(), len(b.model.Y)) }

// Ascend implements Ascender.
func (b *AttributesBIC) Ascend(ctx context.Context, c chains.RealChooser) (Ascent, error) {
	b.drawStart(c)
	a, err := ascend(ctx, b.sweep, b.patience.last())
	return a.plusValue(-b.penalty()), err
}

// Work implements Ascender: a sweep weighs all patterns of each row, and counts as N(2^K - 1)
// evaluations, also with a longer step.
func (b *AttributesBIC) Work(sweeps float64) Work {
	return Work{Evaluations: sweeps * float64(len(b.model.Y)) * float64(len(b.q)-1)}
}

// drawStart draws Z from its prior, and takes what it counts for that of a sweep.
func (b *AttributesBIC) drawStart(c chains.Chooser) {
	clear(b.features)
	b.sweeps = 0
	b.stride = 1
	b.forget()
	for i := range b.model.Y {
		pattern := 0
		for k, pi := range b.model.Pi {
			if c.Flip(pi) {
				pattern |= 1 << k
			}
		}
		clear(b.q)
		b.q[pattern] = 1
		b.addPatterns(i)
	}
	b.expectSquare()
}

// sweep sets A from what is known of Z, and that from A, in O(N D 2^K), and returns the log
// likelihood of A. It does not say whether something has moved. A sweep with a longer step takes up
// to three times as long.
func (b *AttributesBIC) sweep() (value float64, moved bool) {
	copy(b.before, b.features)
	b.fitFeatures()
	b.sweeps++
	if b.sweeps <= shortSweeps || b.sweeps%3 > 0 || !b.leap() {
		b.value = b.assign()
	}
	return b.value, true
}

// leap takes a step in the direction of that of EM, twice as long as the last such step, and one of
// EM from there, which brings it back to the ridge of the likelihood. If the likelihood does not
// rise, it returns false, and the features are those of EM.
func (b *AttributesBIC) leap() bool {
	b.stride *= 2
	for i, em := range b.features {
		b.features[i] = b.before[i] + b.stride*(em-b.before[i])
		b.before[i] = em
	}
	b.assign()
	b.fitFeatures()
	value := b.assign()
	if !(value > b.value) {
		copy(b.features, b.before)
		b.stride = 1
		return false
	}
	b.value = value
	return true
}

// fitFeatures raises the expected log likelihood by setting the features of each attribute to their
// best values given the others, as many times as there are attributes, which comes near the
// maximum. The features of an attribute that no row has stay unchanged.
func (b *AttributesBIC) fitFeatures() {
	k := len(b.model.Pi)
	d := len(b.model.Y[0])
	for range k {
		for a := range k {
			own := b.squares[a*k+a]
			if !(own > 0) {
				continue
			}
			feature := b.features[a*d : (a+1)*d]
			for j := range feature {
				sum := b.cross[a*d+j]
				for other := range k {
					if other != a {
						sum -= b.squares[a*k+other] * b.features[other*d+j]
					}
				}
				feature[j] = sum / own
			}
		}
	}
}

// assign sets the probabilities of the patterns of all rows, counts them, and returns the log
// likelihood of A, in nats.
func (b *AttributesBIC) assign() float64 {
	d := len(b.model.Y[0])
	b.standFor()
	b.forget()
	logs := -b.model.constant()
	for i := range b.model.Y {
		row := b.y[i*d : (i+1)*d]
		for p, prior := range b.logPrior {
			b.q[p] = prior - distance(row, b.means[p*d:(p+1)*d])/2
		}
		logs += chains.Normalize(b.q)
		b.addPatterns(i)
	}
	b.expectSquare()
	return logs
}

// standFor computes the data that each pattern stands for, from those of the pattern without its
// lowest attribute.
func (b *AttributesBIC) standFor() {
	d := len(b.model.Y[0])
	for p := 1; p < len(b.q); p++ {
		lowest := bits.TrailingZeros(uint(p))
		without := b.means[(p&(p-1))*d:]
		feature := b.features[lowest*d:]
		for j := range d {
			b.means[p*d+j] = without[j] + feature[j]
		}
	}
}

// distance returns the square of the distance of two vectors.
func distance(a, b []float64) float64 {
	sum := 0.0
	for j, x := range a {
		sum += (x - b[j]) * (x - b[j])
	}
	return sum
}

// forget begins a new count.
func (b *AttributesBIC) forget() {
	clear(b.weights)
	clear(b.cross)
}

// addPatterns adds the patterns of a row.
func (b *AttributesBIC) addPatterns(i int) {
	d := len(b.model.Y[0])
	for p, q := range b.q {
		b.weights[p] += q
	}
	for k := range b.model.Pi {
		on := 0.0
		for p := 1 << k; p < len(b.q); p = (p + 1) | 1<<k { // all patterns with attribute k
			on += b.q[p]
		}
		subtract(b.cross[k*d:(k+1)*d], -on, b.y[i*d:(i+1)*d])
	}
}

// expectSquare computes E[Z'Z] from the weights of the patterns.
func (b *AttributesBIC) expectSquare() {
	clear(b.squares)
	k := len(b.model.Pi)
	for p, w := range b.weights {
		for left := p; left != 0; left &= left - 1 { // the attributes of a pattern
			row := b.squares[bits.TrailingZeros(uint(left))*k:]
			for others := p; others != 0; others &= others - 1 {
				row[bits.TrailingZeros(uint(others))] += w
			}
		}
	}
}
