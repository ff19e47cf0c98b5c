package estimators

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

// simulatedAttributes returns a model with data that are drawn from it.
func simulatedAttributes(n, d, k int, seed uint64) *attributes {
	rng := rand.New(rand.NewPCG(seed, 0))
	m := &attributes{Attributes: Attributes{FeatureVariance: 1, NoiseVariance: 1}}
	features := make([][]float64, k)
	for a := range features {
		m.Pi = append(m.Pi, 0.5)
		features[a] = normalRow(rng, d)
	}
	for range n {
		row := normalRow(rng, d)
		for a := range features {
			if rng.Float64() < m.Pi[a] {
				floats.Add(row, features[a])
			}
		}
		m.Y = append(m.Y, row)
	}
	return m
}

// smallAttributes draws a model with at most 3 rows, columns and attributes, at scales over many
// orders of magnitude.
func smallAttributes(t *rapid.T) *attributes {
	m := simulatedAttributes(rapid.IntRange(1, 3).Draw(t, "N"), rapid.IntRange(1, 2).Draw(t, "D"),
		rapid.IntRange(1, 3).Draw(t, "K"),
		rapid.Uint64().Draw(t, "seed"))
	scale := math.Pow(10, float64(rapid.IntRange(-6, 6).Draw(t, "scale")))
	for i := range m.Y {
		for j := range m.Y[i] {
			m.Y[i][j] *= scale * rapid.SampledFrom([]float64{0, 0.5, 1, 1, 2}).Draw(t, "y")
		}
	}
	m.NoiseVariance = scale * scale * rapid.SampledFrom([]float64{0.02, 1, 30}).Draw(t, "sn2")
	m.FeatureVariance = scale * scale * rapid.SampledFrom([]float64{0.02, 1, 30}).Draw(t, "sa2")
	for k := range m.Pi {
		m.Pi[k] = rapid.SampledFrom([]float64{0.5, 0.5, 0.01, 0.9}).Draw(t, "pi")
	}
	return m
}

// newAttributesBIC returns BIC for tests.
func newAttributesBIC(m *attributes) *AttributesBIC {
	return longtest.Sure(NewAttributesBIC(m.Y, m.Attributes, untilFlat()))
}

// TestAttributesBoundByItsDefinition: F is E[log p(y, Z, A) - log q(Z) q(A)], summed over all Z,
// and over the points of A that are one standard deviation from the mean in every direction, which
// is exact for what is of degree two in each number. F never falls.
func TestAttributesBoundByItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := smallAttributes(t)
		v := longtest.Sure(NewAttributesVB(m.Y, m.Attributes, OneNaming, untilFlat()))
		v.drawStart(chains.NewSampler(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
		last := math.Inf(-1)
		for range rapid.IntRange(1, 3).Draw(t, "sweeps") {
			rises(t, &last, v.sweep)
		}
		got, want := v.bound(), v.expected()
		if math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
			t.Fatalf("F = %.15g, want %.15g", got, want)
		}
	})
}

// expected returns E[log p - log q].
func (v *AttributesVB) expected() float64 {
	n, d, k := len(v.model.Y), v.a.n, v.a.k
	l := root(v.a)
	total := 0.0
	for p := range 1 << (k * d) {
		// log p - log q of A
		features := make([]float64, k*d)
		logA := 0.0
		for j := range d {
			for a := range k {
				at := v.a.means[j*k+a]
				for b := 0; b <= a; b++ {
					at += l.At(a, b) * float64(1-2*(p>>(j*k+b)&1))
				}
				features[a*d+j] = at
				logA -= (math.Log(v.model.Signal()) + at*at/v.model.Signal() - 1) / 2
				logA += math.Log(l.At(a, a))
			}
		}
		for z := range 1 << (n * k) {
			q := 1.0
			value := logA
			rest := slices.Clone(v.y)
			for i := range n {
				for a, pi := range v.model.Pi {
					on := v.on[i*k+a]
					if z>>(i*k+a)&1 == 1 {
						q *= on
						value += math.Log(pi) - math.Log(on)
						subtract(rest[i*d:(i+1)*d], 1, features[a*d:(a+1)*d])
					} else {
						off := 1 / (1 + math.Exp(v.logits[i*k+a]))
						q *= off
						value += math.Log(1-pi) - math.Log(off)
					}
				}
			}
			value -= v.model.constant() + dot(rest, rest)/2
			if q > 0 {
				total += q * value / float64(int(1)<<(k*d))
			}
		}
	}
	return total
}

// TestAttributesBIC: the log likelihood never falls, is that of its definition, and is flat where
// EM ends.
func TestAttributesBIC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := smallAttributes(t)
		b := newAttributesBIC(m)
		b.drawStart(chains.NewSampler(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
		last := math.Inf(-1)
		for range 5 {
			got, _ := b.sweep()
			rounding := 1e-12 * (1 + math.Abs(got))
			if want := b.logLikelihood(b.features); math.Abs(got-want) > rounding {
				t.Fatalf("log p(y | A) = %.15g, want %.15g", got, want)
			}
			if !(got >= last-rounding) {
				t.Fatalf("log p(y | A) falls from %.15g to %.15g", last, got)
			}
			last = got
		}
		a := longtest.Sure(ascend(context.Background(), b.sweep, b.patience.last()))
		for at := range b.features {
			const h = 1e-3
			slope := 0.0
			for _, sign := range []float64{1, -1} {
				other := slices.Clone(b.features)
				other[at] += sign * h
				slope += sign * b.logLikelihood(other) / (2 * h)
			}
			if math.Abs(slope) > 1e-4*(1+math.Abs(a.Value)) {
				t.Fatalf("number %d of A: the slope is %v where the ascent ends", at, slope)
			}
		}
	})
}

// TestAttributesBICLeavesAPlateau: two attributes stand in the same row alone, where EM gains 1e-13
// nats in a sweep and needs 300,000 sweeps to part them. The ascent leaves that plateau, which is
// at 41.4 nats.
func TestAttributesBICLeavesAPlateau(t *testing.T) {
	b := newAttributesBIC(&attributes{
		[][]float64{{0.003280277879849269, 0}, {-0.000466932360760802, 0.00019642169851646479}, {0, 0}},
		Attributes{[]float64{0.5, 0.5, 0.5}, 3e-5, 2e-8}})
	b.drawStart(chains.NewSampler(rand.NewPCG(2, 1)))
	a, err := ascend(context.Background(), b.sweep, b.patience.last())
	if want := b.logLikelihood(b.features); err != nil || math.Abs(a.Value-want) > 1e-12*want ||
		a.Value < 42 || a.Sweeps > 2000 {
		t.Errorf("%+v, %v; log p(y | A) = %.15g", a, err, want)
	}
}

// logLikelihood returns log p(y | A) by its definition.
func (b *AttributesBIC) logLikelihood(features []float64) float64 {
	d := len(b.model.Y[0])
	total := 0.0
	for i := range b.model.Y {
		logs := make([]float64, 1<<len(b.model.Pi))
		for p := range logs {
			rest := slices.Clone(b.y[i*d : (i+1)*d])
			for a, pi := range b.model.Pi {
				if p>>a&1 == 1 {
					subtract(rest, 1, features[a*d:(a+1)*d])
					logs[p] += math.Log(pi)
				} else {
					logs[p] += math.Log(1 - pi)
				}
			}
			logs[p] -= dot(rest, rest)/2 + float64(d)/2*math.Log(2*math.Pi*b.model.NoiseVariance)
		}
		total += floats.LogSumExp(logs)
	}
	return total
}

// TestBinaryEntropy holds the entropy to its definition, and to its leading term where that has
// lost its digits.
func TestBinaryEntropy(t *testing.T) {
	for _, logit := range []float64{-3, -0.5, 0, 0.1, 2, 9} {
		p := 1 / (1 + math.Exp(-logit))
		if got, want := binaryEntropy(logit), -p*math.Log(p)-(1-p)*math.Log(1-p); math.Abs(got-want) > 1e-14 {
			t.Errorf("logit %v: %v, want %v", logit, got, want)
		}
	}
	for logit, want := range map[float64]float64{
		100: 101 * math.Exp(-100), -100: 101 * math.Exp(-100), math.Inf(1): 0, math.Inf(-1): 0} {
		if got := binaryEntropy(logit); !(math.Abs(got-want) <= 1e-14*want) {
			t.Errorf("logit %v: %v, want %v", logit, got, want)
		}
	}
}

// TestFullSizeModelsRefuse: what makes no model and no ascent is refused with one line that says
// what to change.
func TestFullSizeModelsRefuse(t *testing.T) {
	y := simulatedFactors(4, 3, 1, 1).Y
	patience := PaperPatience()
	even := EvenAttributes(2)
	equal := EqualFactors()
	for want, err := range map[string]error{
		"no data; give at least one row with": second(NewAttributesVB(nil, even, OneNaming, patience)),
		"no attributes; give the probability": second(NewAttributesBIC(y, Attributes{}, patience)),
		"the variance of U is 0":              second(NewFactorsVB(y, 1, Factors{}, OneNaming, patience)),
		"3 components for 4 rows":             second(NewFactorsBIC(y, 3, equal)),
		"give at most 16 attributes":          second(NewAttributesBIC(y, EvenAttributes(17), patience)),
		"symmetry 2":                          second(NewAttributesVB(y, even, AllNamings, patience)),
		"less than 0 nats":                    second(NewAttributesVB(y, even, OneNaming, Patience{})),
		"over 0 sweeps":                       second(NewAttributesBIC(y, even, Patience{Gain: 1})),
		"symmetry 3":                          second(NewFactorsVB(y, 1, equal, Symmetry(3), patience)),
		"less than NaN nats":                  second(NewFactorsVB(y, 1, equal, OneNaming, Patience{math.NaN(), 1})),
	} {
		refused(t, err, want)
	}
}
