package estimators

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
)

// Clusters are the parameters of a mixture of normals with K = len(Pi) clusters: z_i ~ Pi, theta_kj
// ~ N(0, CentreVariance), y_ij ~ N(theta_{z_i, j}, NoiseVariance). Methods that climb optimise the
// centres theta, or their distribution; all others integrate them out.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.
type Clusters struct {
	Pi             []float64 // the probabilities of the clusters, which sum to one
	CentreVariance float64
	NoiseVariance  float64
}

// EqualClusters returns k clusters of equal probability; centres and noise have variance one.
func EqualClusters(k int) Clusters {
	return Clusters{slices.Repeat([]float64{1 / float64(k)}, max(k, 0)), 1, 1}
}

// Validate returns an error if the parameters are invalid: probabilities that are not above 0 and
// at most 1, or do not sum to one within 1e-9, and variances that CheckVariance refuses.
func (c Clusters) Validate() error {
	total := 0.0
	for k, p := range c.Pi {
		if !(p > 0 && p <= 1) {
			return errs.New("cluster %d has probability %v; it must be above 0 and at most 1", k, p)
		}
		total += p
	}
	if !(math.Abs(total-1) <= 1e-9) {
		return errs.New("the probabilities of the %d clusters sum to %v; they must sum to one", len(c.Pi), total)
	}
	return cmp.Or(CheckVariance("the centres", c.CentreVariance), CheckVariance("the noise", c.NoiseVariance))
}

// Clone returns a copy that shares no memory.
func (c Clusters) Clone() Clusters {
	c.Pi = slices.Clone(c.Pi)
	return c
}

// Signal returns the ratio of the variances of centres and noise.
func (c Clusters) Signal() float64 { return c.CentreVariance / c.NoiseVariance }

// Attributes are the parameters of a model of K = len(Pi) binary attributes: z_ik ~ Bernoulli(Pi_k)
// for each of N rows, a_kj ~ N(0, FeatureVariance) for each of D columns, and y_ij ~ N(sum over k
// of z_ik a_kj, NoiseVariance).
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.
type Attributes struct {
	Pi              []float64 // the probabilities of the attributes, each above 0 and below 1
	FeatureVariance float64
	NoiseVariance   float64
}

// EvenAttributes returns k attributes that each row has with probability 1/2, and variances of one.
func EvenAttributes(k int) Attributes {
	return Attributes{slices.Repeat([]float64{0.5}, max(k, 0)), 1, 1}
}

// maxSignal bounds the ratio of the variances of features and noise. If attributes are linear
// combinations of one another, rounding times N K times this ratio is added to one.
const maxSignal = 1e10

// Validate returns an error if the parameters are invalid: no attribute, probabilities that are not
// between 0 and 1, and variances that CheckVariance refuses, or that of the features above 1e10
// times that of the noise.
func (a Attributes) Validate() error {
	if len(a.Pi) == 0 {
		return errs.New("no attributes; give the probability of at least one")
	}
	for k, p := range a.Pi {
		if !(p > 0 && p < 1) {
			return errs.New("attribute %d has probability %v; it must be above 0 and below 1", k, p)
		}
	}
	if err := cmp.Or(CheckVariance("the features", a.FeatureVariance),
		CheckVariance("the noise", a.NoiseVariance)); err != nil {
		return err
	}
	if a.Signal() > maxSignal {
		return errs.New(
			"the variance of the features is %v and that of the noise %v; their ratio must be at most %v, "+
				"since rounding decides beyond that",
			a.FeatureVariance,
			a.NoiseVariance,
			maxSignal,
		)
	}
	return nil
}

// Clone returns a copy that shares no memory.
func (a Attributes) Clone() Attributes {
	a.Pi = slices.Clone(a.Pi)
	return a
}

// Signal returns the variance of a feature in units of that of the noise. With the data in these
// units, features ~ N(0, Signal) and noise of variance one, the model is the same.
func (a Attributes) Signal() float64 { return a.FeatureVariance / a.NoiseVariance }

// Factors are the parameters of a low-rank model with K components: y_ij ~ N(u_i . v_j,
// NoiseVariance) with vectors of K numbers, u_ik ~ N(0, UVariance) for each of N rows and v_jk ~
// N(0, VVariance) for each of D columns.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.
type Factors struct{ UVariance, VVariance, NoiseVariance float64 }

// EqualFactors returns variances of one.
//
// Source: Grosse, Ancha and Roy 2016, section 5.2.1; Grosse, Ghahramani and Adams 2015 do not print
// theirs.
func EqualFactors() Factors { return Factors{1, 1, 1} }

// Validate returns an error if CheckVariance refuses a variance.
func (f Factors) Validate() error {
	return cmp.Or(CheckVariance("U", f.UVariance), CheckVariance("V", f.VVariance),
		CheckVariance("the noise", f.NoiseVariance))
}

// CheckRank returns an error unless k is at least 1 and below the numbers of rows and columns.
func CheckRank(k int, y [][]float64) error {
	if k < 1 || k >= min(len(y), len(y[0])) {
		return errs.New(
			"%d components for %d rows and %d columns; give at least one, and fewer than there are rows and columns",
			k,
			len(y),
			len(y[0]),
		)
	}
	return nil
}

// Signal returns the variance of a product u_ik v_jk in units of that of the noise. With the data
// in these units, u ~ N(0, 1), v ~ N(0, Signal) and noise of variance one, the model is the same.
func (f Factors) Signal() float64 { return f.UVariance * f.VVariance / f.NoiseVariance }

// MaxDatum bounds the magnitude of data; variances are between 1/MaxDatum and MaxDatum. Numbers
// within it keep all sums far from overflow.
const MaxDatum = 1e40

// CheckVariance returns an error if the variance of the named quantity is not between 1e-40 and
// 1e40.
func CheckVariance(owner string, v float64) error {
	if !(v >= 1/MaxDatum && v <= MaxDatum) {
		return errs.New("the variance of %s is %v; it must be positive and finite, between %v and %v",
			owner, v, 1/MaxDatum, MaxDatum)
	}
	return nil
}

// CheckRows returns an error if a table is empty, if its rows have different lengths, or if a
// number is not finite or exceeds 1e40.
func CheckRows(y [][]float64) error {
	if len(y) == 0 || len(y[0]) == 0 {
		return errs.New("no data; give at least one row with at least one column")
	}
	for i, row := range y {
		if len(row) != len(y[0]) {
			return fmt.Errorf("row %d has %d columns, and row 1 has %d", i+1, len(row), len(y[0]))
		}
		for j, v := range row {
			if !(math.Abs(v) <= MaxDatum) {
				return errs.New("row %d, column %d is %v; it must be a number between %v and %v", i+1,
					j+1, v, -MaxDatum, MaxDatum)
			}
		}
	}
	return nil
}
